// One row of the study's tables: a method on the problems of a case.
#pragma once

#include <vector>

#include "cases.hpp"
#include "methods.hpp"
#include "studies/output.hpp"

namespace tribo {

inline constexpr double kCertified = 1e-9;  // largest relative residual that counts as an answer

struct Measured {
  std::string name;
  Index contacts = 0, bodies = 0, dof = 0;
  LemkeMethod method = LemkeMethod::kReduced;
  double seconds = 0.0;  // the least of the repeats per wrench, then the mean over the wrenches
  double pivots_mean = 0.0;
  int pivots_max = 0;
  int solves = 0;
  int failed = 0;      // not solved, or not certified
  int fallbacks = 0;   // the first path was not enough
  double worst = 0.0;  // certificate
  Index rows = 0;      // of the LCP matrix; 0: never formed
  Index core_max = 0;  // equations of (21) at the answers
};

// The methods take turns on every problem, so that what else the machine does touches all of them. `budget` in seconds,
// for the repeats of one method on one problem.
std::vector<Measured> measure(const Case& one, const std::vector<LemkeMethod>& methods, double budget);

using Table = std::vector<Measured>;
// Rows of every case, in the order of the cases.
Table measure_all(StudyOutput& output, const std::vector<Case>& cases, const std::vector<LemkeMethod>& methods);
void print_table(StudyOutput& output, const std::string& kind, const Table& table);

const Measured& row_of(const Table& table, LemkeMethod method, Index contacts);  // the last one of that size
// Time of `slow` over time of `fast`, on the last case of that size.
double time_ratio(const Table& table, LemkeMethod slow, LemkeMethod fast, Index contacts);
// Of the time in n, over the rows of the method with first ≤ n ≤ last.
double time_exponent(const Table& table, LemkeMethod method, Index first, Index last);

// "all certified" of a table, as a promise.
void promise_certified(StudyOutput& output, const std::string& name, const Table& table);

}  // namespace tribo
