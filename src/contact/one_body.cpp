#include "tribo/contact/one_body.hpp"

#include <bit>
#include <cstdint>
#include <variant>

#include "contact/one_body_normals.hpp"
#include "contact/one_body_rows.hpp"

namespace tribo {
namespace {

using one_body::Lanes;
using one_body::Mass;

void set_zero(VectorXd& x, Index size) {
  static constexpr double kZeros[OneBody::kContacts] = {};
  x.resize(size);
  one_body::copy_few(kZeros, size, x.data());
}

template <int Width, Mass Shape>
bool solve_as(const ContactProblem& problem, Index tangents, ContactSolution& solution, SolveReport& report,
              Index& rank) {
  using Rows = one_body::Rows<Width, Shape>;
  Rows rows;  // not Rows{}: kilobytes that nobody reads would be set to zero
  if (!rows.assign(problem, tangents)) return false;
  one_body::Normals<Rows> normals(rows);
  if (!normals.solve()) return false;

  Lanes z[one_body::kNormalChunks + 1];
  alignas(64) double u[padded::kLanes], f[padded::kLanes];
  normals.write(z);
  rows.lift(z, u, f);
  if (!normals.agrees(z, u)) return false;

  for (VectorXd* impulses : {&solution.f_n, &solution.f_s, &solution.f_t}) set_zero(*impulses, rows.size);
  for (VectorXd* absent : {&solution.f_j, &solution.f_d, &solution.y_n, &solution.y_e}) absent->resize(0);
  solution.v_next.resize(rows.dof);
  normals.write(solution.f_n);
  if (!rows.write(u, f, solution)) return false;
  report = SolveReport{};
  report.status = Status::kSolved;
  report.pivots = report.iterations = normals.pivots();
  rank = rows.rank;
  return true;
}

// Are the first three coordinates coupled with nothing?
bool is_free(const MatrixXd& mass) {
  std::uint64_t bits = 0;
  one_body::unrolled<3>([&](auto j) {
    one_body::unrolled<6>([&](auto i) {
      if constexpr (i > j) bits |= std::bit_cast<std::uint64_t>(mass.data()[j * 6 + i]) << 1;  // without the sign
    });
  });
  return bits == 0;
}

// Every row has one segment, so they follow one another.
bool is_plain(const BlockRows& rows, Index n, Index m) {
  return rows.rows() == n && rows.block(n - 1, 0) == 0 && rows.values(n - 1, 0) - rows.values(0, 0) == (n - 1) * m;
}

}  // namespace

bool OneBody::solve(const ContactProblem& problem, const ContactModel& model, ContactSolution& solution,
                    SolveReport& report) {
  const bool no_slip = std::holds_alternative<NoSlip>(model);
  if (!no_slip && !std::holds_alternative<Frictionless>(model)) return false;
  const Index n = problem.size(), m = problem.dof();
  if (problem.level != Level::kVelocity || problem.mass.blocks() != 1 || m < 1 || m > kDof || n < 1 || n > kContacts ||
      problem.bilateral() != 0 || problem.dry() != 0 || !is_plain(problem.N, n, m)) {
    return false;
  }
  Index tangents = 0;
  if (no_slip) {
    tangents = problem.T.rows() > 0 ? 2 : 1;
    if (!is_plain(problem.S, n, m) || (tangents == 2 && !is_plain(problem.T, n, m))) return false;
  }
  if (m == 6) {
    return is_free(problem.mass.block(0)) ? solve_as<6, Mass::kFree>(problem, tangents, solution, report, rank_)
                                          : solve_as<6, Mass::kSix>(problem, tangents, solution, report, rank_);
  }
  if (m <= 4) return solve_as<4, Mass::kOther>(problem, tangents, solution, report, rank_);
  return solve_as<8, Mass::kOther>(problem, tangents, solution, report, rank_);
}

}  // namespace tribo
