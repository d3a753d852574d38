// What is called solved obeys its law by a second opinion (law_point.hpp), and what that opinion refuses is not certified. Problems
// with coefficients up to twelve decades apart. TRIBO_LAW_PROBLEMS=100000 in the environment: that many instead of a slice.
#include "contact/law_point.hpp"

#include "tribo/contact/solve.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "contact/mixed_coefficients.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::LawPoint;
using testing::mixed_coefficients;

constexpr double kJudge = 1e-7;  // tolerance of the second opinion; certificates pass at 1e-8
constexpr std::uint64_t kSeed = 1;

long problems(long slice) {
  const char* asked = std::getenv("TRIBO_LAW_PROBLEMS");
  return asked != nullptr ? std::atol(asked) : slice;
}

struct Count {
  long solved = 0, unsolved = 0, wrong = 0;
};

// Problems in which the offsets ask for what the bilateral rows forbid have no answer; most of the unsolved ones have one.
Count solve_all(const ContactModel& model, long count) {
  Count result;
  for (long index = 0; index < count; ++index) {
    const ContactProblem problem = mixed_coefficients(kSeed, static_cast<std::uint64_t>(index));
    const ContactAnswer answer = solve(problem, model);
    if (!is_solved(answer.status)) {
      ++result.unsolved;
      continue;
    }
    ++result.solved;
    const LawPoint judged(problem, model, answer.solution, kJudge);
    if (judged.violation().empty()) continue;
    ++result.wrong;
    ADD_FAILURE() << to_string(model) << ", problem " << index << ": " << judged.violation() << ", certificate "
                  << answer.certificate.worst;
  }
  std::printf("%s: %ld problems, %ld solved, %ld unsolved, %ld wrong\n", to_string(model).c_str(), count, result.solved,
              result.unsolved, result.wrong);
  return result;
}

TEST(LawPoint, FindsNoWrongAnswerUnderTheCone) {
  const long count = problems(250);
  EXPECT_GT(solve_all(CoulombCone{}, count).solved, count * 9 / 10);
}

TEST(LawPoint, FindsNoWrongAnswerUnderPolygons) {
  const long count = problems(150);
  EXPECT_GT(solve_all(CoulombPyramid{8}, count).solved, count * 9 / 10);
}

TEST(LawPoint, FindsNoWrongAnswerUnderTheBox) {
  const long count = problems(150);
  EXPECT_GT(solve_all(FrictionBox{}, count).solved, count * 9 / 10);
}

// Friction of one contact scaled, left out or turned, in one family of components or in all, and the velocities before the
// step changed so that momentum balances. What the second opinion refuses, the certificate refuses.
TEST(LawPoint, RefusesNothingThatIsCertified) {
  const long count = problems(120);
  long refused = 0, kept = 0, certified = 0;
  using Part = VectorXd ContactSolution::*;
  const Part parts[] = {&ContactSolution::f_s, &ContactSolution::f_t, &ContactSolution::f_spin,
                        &ContactSolution::f_roll_s, &ContactSolution::f_roll_t};
  enum Change { kHalf, kNone, kTurned, kLonger, kShorter };
  for (long index = 0; index < count; ++index) {
    const ContactProblem problem = mixed_coefficients(kSeed, static_cast<std::uint64_t>(index));
    const ContactAnswer answer = solve(problem, CoulombCone{});
    if (!is_solved(answer.status)) continue;
    const BlockCholesky factor = BlockCholesky::factor(problem.mass).value();
    Random random(static_cast<std::uint64_t>(index));
    for (Index i = 0; i < problem.size(); ++i) {
      if (!(answer.solution.f_n(i) > 0.0)) continue;
      const auto change = static_cast<Change>(random.integer(0, 4));
      const int family = static_cast<int>(random.integer(0, 3));  // tangents, spin, roll, all
      ContactProblem changed = problem;
      ContactSolution wrong = answer.solution;
      const auto scale = [&](int k, double factor_of) {
        if ((wrong.*parts[k]).size() > 0) (wrong.*parts[k])(i) *= factor_of;
      };
      const auto turn = [&](int k, int l) {
        if ((wrong.*parts[k]).size() > 0) std::swap((wrong.*parts[k])(i), (wrong.*parts[l])(i));
        scale(k, -1.0);
      };
      const double scales[] = {0.5, 0.0, -1.0, 1.0 + 1e-3, 1.0 - 1e-3};
      for (int k = 0; k < 5; ++k) {
        const bool chosen = family == 3 || (family == 0 && k < 2) || (family == 1 && k == 2) || (family == 2 && k > 2);
        if (!chosen) continue;
        if (change == kTurned && k != 2) {
          if (k == 0 || k == 3) turn(k, k + 1);
        } else {
          scale(k, scales[change]);
        }
      }
      VectorXd impulse = problem.S.multiply_transposed(wrong.f_s - answer.solution.f_s) +
                         problem.T.multiply_transposed(wrong.f_t - answer.solution.f_t);
      const auto add = [&](const BlockRows& rows, const VectorXd& f, const VectorXd& f_before) {
        if (f.size() > 0) impulse += rows.multiply_transposed(f - f_before);
      };
      add(problem.spin, wrong.f_spin, answer.solution.f_spin);
      add(problem.roll_s, wrong.f_roll_s, answer.solution.f_roll_s);
      add(problem.roll_t, wrong.f_roll_t, answer.solution.f_roll_t);
      factor.solve(impulse);
      changed.v -= impulse;
      const LawPoint judged(changed, CoulombCone{}, wrong, kJudge);
      const Certificate certificate = certify(changed, CoulombCone{}, wrong);
      if (judged.violation().empty()) {
        ++kept;
        continue;
      }
      ++refused;
      if (!certificate.passes(1e-8)) continue;
      ++certified;
      ADD_FAILURE() << "problem " << index << ", contact " << i << ", change " << change << ", family " << family
                    << ": certified with " << certificate.worst << "; " << judged.violation();
    }
  }
  std::printf("changed answers: %ld refused by the second opinion, %ld of them certified, %ld still right\n", refused,
              certified, kept);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace tribo
