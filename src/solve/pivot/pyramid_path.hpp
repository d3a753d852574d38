// Lemke's path through a pyramid problem on PyramidBasis (spec C.2, C.4, C.5): price, ratio test, pivot. What contacts have
// friction rows, and when, is the variant:
//   kSliding      R3: only normals are covered at first. A contact gets its friction rows when its ν leaves, already sliding
//                 against the motion of the moment, and loses them when θ leaves. The path then runs through exact
//                 frictional solutions of the problem with b + z₀ c, and cannot end in a secondary ray when b ≥ 0 (C.5).
//   kExpanding    R2: the rows come with all w basic, the cover of σ raised so that they may; they stay.
//   kAll          the structural method: all rows from the beginning.
#pragma once

#include "tribo/problem/pyramid.hpp"
#include "tribo/solve/report.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solve/pivot/pyramid_basis.hpp"

namespace tribo {

enum class PyramidRows { kSliding, kExpanding, kAll };

struct PyramidPathSettings {
  PyramidRows rows = PyramidRows::kSliding;
  std::uint64_t seed = 0;      // of the covering vector; 0: ones (with lexicographic)
  bool lexicographic = false;  // ties by the spec's rule C.4, otherwise the largest pivot
  int max_pivots = 0;
};

template <int Dof>
class PyramidPath {
 public:
  // False: the problem does not fit a path of this size. Otherwise the report says how it ended.
  bool run(const PyramidProblem& problem, const PyramidPathSettings& settings, std::span<const LoadedContact> warm,
           SolveReport& report);
  // After kSolved.
  void read(PyramidSolution& solution) const;

 private:
  using Basis = PyramidBasis<Dof>;
  using Kind = PyramidVariable::Kind;
  using Variable = PyramidVariable;
  struct Candidate {
    Variable variable;
    double value = 0.0, rate = 0.0;  // q' ≥ 0 and m' < 0
  };

  void make_cover();
  double cover_of(std::uint64_t index) const;
  bool start_cold();                                     // false: the report says it all
  bool start_warm(std::span<const LoadedContact> warm);  // true: the path has begun, or is at its end
  std::int32_t enter(Index position);                    // a slot with its covers, all w basic
  void open_friction(std::int32_t slot);                 // R3's sliding start, R2's raised covers
  bool follow();
  void price();                  // ν and its rate for contacts without a slot
  void list_slots(double sign);  // what the variables of the slots do
  Candidate choose(double sign);
  void add_tied(Index entry, double value, double rate);
  Candidate break_tie();
  bool pivot(const Variable& leaving);
  void open_again();
  bool finish();
  bool is_answer();
  Variable complement(const Variable& variable) const;

  Basis basis_;
  const PyramidProblem* problem_ = nullptr;
  PyramidPathSettings settings_;
  SolveReport report_;
  Variable driving_;
  double unit_ = 0.0;                 // a speed: the problem's own scale
  std::vector<double> cover_, norm_;  // c ρ and ρ by position; c = 0 where a slot took over, and where no row is
  std::vector<double> scatter_;       // of ν by contact
  std::uint64_t scatter_seed_ = 0;
  std::vector<double> w_, dw_;          // N̂ V + b and N̂ dV by position
  std::vector<double> twists_, moves_;  // V and dV of every pair
  // One entry per complementary pair of a slot, slot after slot: σ_k or φ_k, then ν or θ, then γ or λ, padded to eights.
  // A pair in which nothing falls has rate 1.
  Index entries_ = 0, per_slot_ = 0;
  std::vector<double> value_, rate_, cosine_, sine_, sigma_;
  std::vector<Candidate> tied_;
  std::vector<double> column_;  // of break_tie
};

extern template class PyramidPath<6>;
extern template class PyramidPath<12>;
extern template class PyramidPath<30>;
extern template class PyramidPath<0>;

}  // namespace tribo
