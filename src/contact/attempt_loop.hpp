// The one loop through which every solve goes: attempts are made in the order of a table until an answer certifies or a proof that
// there is none verifies. The certificate decides, not the solver's opinion, neither for it nor against it.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/solve/registry.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace tribo {

// One row of a route's table. A row stays only while it alone solves a committed problem; tests/bench/attempts_test.cpp has
// one for every row and fails without it.
struct AttemptRow {
  const char* name;            // in the history
  const char* solver = "";     // of capabilities()
  bool near_tangents = false;  // with tangents of no-slip that are nearly combinations of others
  bool proof = false;          // looks for a proof that there is no answer, and finds no answer
  std::uint64_t cover = 0;     // Lemke's covering vector (LemkeSettings::cover_seed)
  int paths = 1;               // at most so many, each with a row of its own in the history
};

// Forgets what an earlier problem left in an answer, and keeps the memory. The residuals of the certificate stay until those of the
// first attempt are assigned to them: their names have memory too. None of them counts, `worst` is infinite.
template <typename Answer>
void begin_answer(Answer& answer) {
  answer.status = Status::kBreakdown;
  answer.report = {};
  answer.solver.clear();
  answer.history.clear();
  answer.seconds = {};
  answer.certificate.worst = std::numeric_limits<double>::infinity();
  answer.infeasibility.verdict = Verdict::kRejected;
  answer.infeasibility.checks.residuals.clear();
  answer.infeasibility.checks.worst = 0.0;
}

// Attempts on one problem, into one answer. `Solution`: what an attempt finds, with what belongs to it.
template <typename Answer, typename Solution>
class AttemptLoop {
 public:
  // `kept`: the solution of the answer. `candidate`: memory for that of an attempt.
  // `brief`: SolveOptions::brief.
  AttemptLoop(Answer& answer, Solution& kept, Solution& candidate, double tolerance, bool brief = false)
      : answer_(answer), kept_(kept), candidate_(candidate), tolerance_(tolerance), brief_(brief) {
    begin_answer(answer_);
  }

  // Run(Solution&, std::string& note) → SolveReport;  Certify(Solution&, SolveReport&) → const Certificate& or Certificate;
  // Refute(const Solution&) → InfeasibilityCertificate. True: no further attempt is needed.
  template <typename Run, typename Certify, typename Refute>
  bool operator()(const char* name, const char* solver, const Run& run, const Certify& certify, const Refute& refute) {
    Attempt& attempt = answer_.history.emplace_back();
    attempt.name = name;
    const double lift = answer_.seconds.lift;  // counted by the run
    PhaseWatch solving(!brief_);
    SolveReport report = run(candidate_, attempt.note);
    attempt.seconds = solving.lap();
    Stopwatch certifying;
    const Certificate& certificate = certify(candidate_, report);
    answer_.seconds.certify += certifying.lap();
    answer_.seconds.solve += attempt.seconds - (answer_.seconds.lift - lift);
    InfeasibilityCertificate infeasibility;
    Status status = report.status;
    if (certificate.passes(tolerance_)) {
      if (!is_solved(status)) status = Status::kSolved;
    } else if (is_solved(status)) {
      status = Status::kBreakdown;
      report.detail = "the answer does not pass its certificate";
    } else if (status == Status::kRay || status == Status::kInfeasible) {
      infeasibility = refute(candidate_);
      status = infeasibility.verdict == Verdict::kInfeasible ? Status::kInfeasible
               : infeasibility.verdict == Verdict::kRay      ? Status::kRay
                                                             : Status::kBreakdown;
      if (status == Status::kBreakdown) report.detail = "the proof that there is no answer does not hold";
      if (status == Status::kInfeasible && report.status == Status::kRay)
        report.detail = "a combination of rows cannot be satisfied";
    }
    report.status = attempt.status = status;
    attempt.worst = certificate.worst;
    attempt.iterations = report.iterations;
    attempt.methods = report.methods;
    attempt.pivots = report.pivots;
    attempt.sweeps = report.sweeps;
    const bool final = is_solved(status) || status == Status::kInfeasible;
    if (is_better(status, certificate.worst)) {
      const SolveReport counts = answer_.report;
      answer_.status = status;
      answer_.report = report;
      answer_.report.pivots += counts.pivots;
      answer_.report.sweeps += counts.sweeps;
      answer_.report.iterations += counts.iterations;
      answer_.solver = solver;
      if (brief_) {
        answer_.certificate.worst = certificate.worst;
      } else {
        answer_.certificate = certificate;
      }
      if (infeasibility.verdict != Verdict::kRejected || answer_.infeasibility.verdict != Verdict::kRejected)
        answer_.infeasibility = std::move(infeasibility);
      using std::swap;
      swap(kept_, candidate_);
    } else {
      answer_.report.pivots += report.pivots;
      answer_.report.sweeps += report.sweeps;
      answer_.report.iterations += report.iterations;
    }
    answer_.report.fallback = answer_.report.fallback || answer_.history.size() > 1;
    return final;
  }

  // An attempt that was left out, and why.
  void leave_out(const char* name, std::string why) {
    Attempt& attempt = answer_.history.emplace_back();
    attempt.name = name;
    attempt.note = "left out: " + std::move(why);
  }

 private:
  // Answers and proofs before rays, rays before failures; among failures the smaller residual.
  bool is_better(Status status, double worst) const {
    if (answer_.history.size() == 1 || is_solved(status) || status == Status::kInfeasible) return true;
    if (status == Status::kRay || answer_.status == Status::kRay) return answer_.status != Status::kRay;
    return worst < answer_.certificate.worst;
  }

  Answer& answer_;
  Solution& kept_;
  Solution& candidate_;
  double tolerance_;
  bool brief_;
};

// The same for problems whose solutions carry their own evidence, once.
struct NoRefutation {
  template <typename Solution>
  InfeasibilityCertificate operator()(const Solution&) const {
    return {};
  }
};

// The named solver, or ContractError with the list of those that exist.
const Capability& require_solver(const std::string& name);
std::string solver_names(bool (*suits)(const Capability&));
void require_tolerance(double tolerance);  // in (0, 1): at one anything passes
void require(const Checked& checked);      // ContractError with its text

}  // namespace tribo
