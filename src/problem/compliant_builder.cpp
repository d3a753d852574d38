#include "tribo/problem/compliant_builder.hpp"

#include "tribo/core/assert.hpp"

#include <utility>

namespace tribo {

CompliantBuilder::CompliantBuilder(BlockDiagonal mass, double h) {
  problem_.h = h;
  problem_.mass = std::move(mass);
  problem_.v.setZero(problem_.dof());
  problem_.f.setZero(problem_.dof());
  for (CompliantRows* rows : {&problem_.bilateral, &problem_.unilateral, &problem_.normal, &problem_.r, &problem_.s}) {
    rows->G = BlockRows(problem_.mass.layout());
  }
}

void CompliantBuilder::add_row(CompliantRows& rows, const RowEnds& ends, double K, double B, double phi) {
  rows.G.add_row(ends.a, ends.b);
  Numbers& numbers = numbers_of(rows);
  numbers.K.push_back(K);
  numbers.B.push_back(B);
  numbers.phi.push_back(phi);
}

CompliantBuilder::Numbers& CompliantBuilder::numbers_of(const CompliantRows& rows) {
  return numbers_[&rows == &problem_.bilateral    ? 0
                  : &rows == &problem_.unilateral ? 1
                  : &rows == &problem_.normal     ? 2
                  : &rows == &problem_.r          ? 3
                                                  : 4];
}

// Numbers of rows that came since the last call, into the problem.
CompliantProblem& CompliantBuilder::problem() {
  const auto write = [](const std::vector<double>& from, VectorXd& to) {
    if (static_cast<Index>(from.size()) == to.size()) return;
    to = VectorXd::Map(from.data(), static_cast<Index>(from.size()));
  };
  for (CompliantRows* rows : {&problem_.bilateral, &problem_.unilateral, &problem_.normal, &problem_.r, &problem_.s}) {
    const Numbers& numbers = numbers_of(*rows);
    write(numbers.K, rows->K);
    write(numbers.B, rows->B);
    write(numbers.phi, rows->phi);
  }
  write(mu_, problem_.mu);
  return problem_;
}

RowEnds CompliantBuilder::unit_row(Index dof, double sign) {
  TRIBO_REQUIRE(dof >= 0 && dof < problem_.dof(), "a coordinate of the problem");
  const BlockLayout& layout = problem_.mass.layout();
  const Index block = layout.block_of(dof);
  unit_.assign(static_cast<std::size_t>(layout.size(block)), 0.0);
  unit_[static_cast<std::size_t>(dof - layout.start(block))] = sign;
  return {{block, unit_}, {}};
}

void CompliantBuilder::add_spring(const RowEnds& ends, double K, double B, double phi) {
  add_row(problem_.bilateral, ends, K, B, phi);
}

void CompliantBuilder::add_bushing(std::span<const RowEnds, 6> ends, const std::array<double, 6>& K,
                                   const std::array<double, 6>& B, const std::array<double, 6>& phi) {
  for (std::size_t k = 0; k < 6; ++k) add_spring(ends[k], K[k], B[k], phi[k]);
}

void CompliantBuilder::add_servo(Index dof, double kp, double kd, double q, double target) {
  add_row(problem_.bilateral, unit_row(dof, 1.0), kp, kd, q - target);
}

void CompliantBuilder::add_limit(Index dof, bool upper, double q, double limit, double K, double B) {
  const double gap = upper ? limit - q : q - limit;
  add_row(problem_.unilateral, unit_row(dof, upper ? -1.0 : 1.0), K, gap > 0.0 ? 0.0 : B, gap);
}

void CompliantBuilder::add_contact(const RowEnds& normal, std::span<const RowEnds> tangents, const LawRow& law,
                                   double mu, double tangential_damping) {
  TRIBO_REQUIRE(tangents.size() <= 2, "a contact has at most two tangents");
  const Index before = problem_.contacts();
  TRIBO_REQUIRE(before == 0 ||
                    ((problem_.r.rows() > 0) == !tangents.empty() && (problem_.s.rows() > 0) == (tangents.size() == 2)),
                "all contacts of a problem have as many tangents");
  add_row(problem_.normal, normal, law.K, law.B, law.phi);
  if (!tangents.empty()) add_row(problem_.r, tangents[0], 0.0, tangential_damping, 0.0);
  if (tangents.size() == 2) add_row(problem_.s, tangents[1], 0.0, tangential_damping, 0.0);
  mu_.push_back(mu);
}

}  // namespace tribo
