// The way out of an active-set method: refine, write the answer, and keep the claim "solved" only if the answer's own
// residual supports it.
#pragma once

#include "solve/pivot/active_set_method.hpp"
#include "solve/pivot/pair_active_set.hpp"
#include "solve/residual.hpp"

namespace tribo {

class ActiveSetFinish {
 public:
  void reserve(Index n);
  bool may_ask_lemke = true;  // false: the method alone

  static bool is_finite(const Lcp& lcp);
  static bool is_finite(const FactoredLcp& lcp);
  static bool is_finite(const LeastDistance& problem);
  SolveReport refuse(Index n, LcpSolution& solution) const;  // a problem that is not finite

  void operator()(GramActiveSet& set, const Lcp& lcp, ActiveSetScratch& scratch, SolveReport& report,
                  LcpSolution& solution);
  void operator()(FactoredActiveSet& set, const FactoredLcp& lcp, ActiveSetScratch& scratch, SolveReport& report,
                  LcpSolution& solution);
  void operator()(PairActiveSet& set, const LeastDistance& problem, ActiveSetScratch& scratch, SolveReport& report,
                  LcpSolution& solution);

 private:
  template <typename Set>
  void finish_rows(Set& set, ActiveSetScratch& scratch, SolveReport& report, LcpSolution& solution);
  static void ask_lemke(const Lcp& lcp, SolveReport& report, LcpSolution& solution);

  BackwardError backward_error_;
  VectorXd lo_, hi_;
};

}  // namespace tribo
