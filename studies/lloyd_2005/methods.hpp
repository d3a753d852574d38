// The three methods of the paper, behind one call: from a ContactProblem to v⁺, workspaces kept between calls.
// What is timed is solve() and nothing else; the certificate is computed apart, on the answer that came back.
#pragma once

#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/pivot/lemke.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"
#include "tribo/solve/report.hpp"

#include <string>
#include <vector>

namespace tribo {

inline constexpr int kSides = 8;  // d of the paper's tests

enum class LemkeMethod { kStandard, kStructural, kReduced };
std::string to_string(LemkeMethod method);

class LemkeStep {
 public:
  explicit LemkeStep(LemkeMethod method);

  // The problem must be valid and without bilateral rows. Standard: the dense LCP of n (d + 2) rows; a path that ends
  // without an answer is followed by up to eight with other covering vectors. report.fallback: the first path was not
  // enough.
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution);
  double certificate(const ContactProblem& problem, const ContactSolution& solution) const;

  // Of the last solve. Rows of the LCP matrix that was formed; 0: none was.
  Index rows() const { return rows_; }
  // Equations of the paper's reduced system (21) at the answer: a normal and the friction directions of every loaded
  // contact, less one direction where the contact slides. 0: the standard method, which has no such system.
  Index core() const;

 private:
  SolveReport solve_standard();

  LemkeMethod method_;
  PyramidFormulation formulation_;
  StructuredLemkeSolver structured_;
  std::vector<LemkeSolver> paths_;
  PyramidSolution pyramid_;
  LcpSolution answer_;
  Index rows_ = 0;
};

}  // namespace tribo
