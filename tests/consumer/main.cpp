// A block pressed on a plane: built, solved and certified with the installed package. Ends with 0 only if certified.
#include <tribo/contact/solve.hpp>
#include <tribo/io/problem_file.hpp>
#include <tribo/problem/contact_builder.hpp>

#include <iostream>

int main() {
  tribo::ContactBuilder builder;
  const auto block = builder.add_body(2.0, tribo::box_inertia(2.0, {0.2, 0.2, 0.1}), {0.0, 0.0, 0.05});
  builder.set_velocity(block, Eigen::Matrix<double, 6, 1>{0.3, -0.2, -1.0, 0.0, 0.0, 0.5});
  builder.add_gravity({0.0, 0.0, -9.81});
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) builder.add_contact(block, tribo::ContactBuilder::kWorld, {x, y, 0}, {0, 0, 1});
  }
  const tribo::ContactProblem problem = builder.build();
  const tribo::ContactAnswer answer = tribo::solve(problem, tribo::NoSlip{});
  const bool read_back = tribo::parse_json_problem(tribo::to_json(tribo::ContactFile{problem, tribo::NoSlip{}, {}, {}}))
                             .has_value();  // links the file layer too
  std::cout << "v_next " << answer.v_next.transpose() << "\nworst residual " << answer.certificate.worst << "\n";
  return tribo::is_solved(answer.status) && answer.certificate.passes(1e-12) && read_back ? 0 : 1;
}
