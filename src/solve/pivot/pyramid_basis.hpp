// Any basis on Lemke's path through a pyramid problem, solved by its structure (spec C.3; [Lloyd 2005] §V, eqs 15-22).
//
// Contacts whose variables may be basic have a slot; of the others only ν_i exists, and it is basic. In a slot everything is
// free of units: n = N̂/ρ_N, s and t = Ŝ/ρ_D and T̂/ρ_D, mu ρ_D/ρ_N, and θ ρ_N, φ ρ_D, λ/ρ_D, z₀ are all speeds.
//     ν_i = n_i·V + c_i z₀ + b_i,   σ_ik = d_ik·V + λ_i + c_ik z₀,   γ_i = mu_i θ_i − Σ_k φ_ik + c_γi z₀
//     V = g + Σ_i θ_i n_i + Σ_ik φ_ik d_ik,   d_ik = cos_k s_i + sin_k t_i                                      (1)
// Rows with w non-basic vanish. λ_i is eliminated with one of them (direction x), φ_iy with γ_i = 0 (direction y):
//     λ_i = −d_ix·V − c_ix z₀,   φ_iy = mu_i θ_i − Σ_{k≠y} φ_ik + c_γi z₀                                       (2)
// which leaves a core of at most m + 2 equations in θ, the other φ, and z₀:
//     columns  θ: n + mu d_y    φ_k: d_k − d_y    z₀: Σ c_γ d_y
//     rows     ν: n             σ_k: d_k − d_x    γ without any φ to eliminate: mu, −1, c_γ themselves             (3)
// It is solved for two right-hand sides at once: the point (g = u₀, with b) and the direction in which the driving
// variable moves it (g = 0, the variable set to one).
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/problem/pyramid.hpp"

#include <array>
#include <cstdint>

#include "solve/pivot/pyramid_core.hpp"

namespace tribo {

struct PyramidVariable {
  enum class Kind : std::uint8_t { kNone, kNu, kTheta, kSigma, kPhi, kGamma, kLambda, kZ0 };
  Kind kind = Kind::kNone;
  std::int32_t slot = -1;  // ν of a contact without one: −1
  std::int32_t k = 0;      // direction
  Index position = -1;     // of ν
  bool is(Kind which, std::int32_t of) const { return kind == which && slot == of; }
};

// Dof: 6 or 12, everything in arrays of fixed size; 0, any number, in vectors that grow.
template <int Dof>
class PyramidBasis {
 public:
  using Kind = PyramidVariable::Kind;
  using Variable = PyramidVariable;
  static constexpr Index kFixedDirections = 16;
  using Lane = int;
  static constexpr Lane kPoint = 0, kDirection = 1;
  enum class Side : std::uint8_t { kSigma, kPhi, kNeither };  // which of the pair σ_k, φ_k is basic

  using Two = padded::TwoLanes;  // a value by lane
  static constexpr std::int32_t kMostHeld = 6;

  struct Slot {
    Index position = -1, contact = -1;
    bool friction = false;                       // has φ, σ, λ, γ
    bool theta = false, nu = true;               // basic?
    bool lambda = false, gamma = true;           // basic?
    std::int32_t x = -1, y = -1;                 // of (2)
    std::int32_t held_count = 0;                 // directions whose σ is not basic: never more than three φ are
    std::int32_t held[kMostHeld] = {};           // independent, and one pair is in neither
    double mu = 0.0, offset = 0.0;               // free of units
    double cover_nu = 0.0, cover_gamma = 0.0;    // c
    double per_normal = 1.0, per_tangent = 1.0;  // 1/ρ_N, 1/ρ_D
    // Values of the last solve. ν only where it is basic.
    Two value_theta{}, value_lambda{}, value_gamma{}, value_nu{};
    Two value_held[kMostHeld] = {};  // φ
    Two along_s{}, along_t{};        // s·V, t·V
    Two push_s{}, push_t{};          // Σ φ_k cos_k, Σ φ_k sin_k
  };

  // True: the problem fits (always when Dof = 0, with memory for `slots`).
  bool start(const PyramidProblem& problem, Index slots);

  // A slot for the contact at a position of the normals, θ non-basic, ν basic; −1: no room.
  std::int32_t add(Index position, Index contact, double cover_nu);
  void remove(std::int32_t slot);
  void drop_friction(std::int32_t slot) {  // its φ and λ must be zero
    slots_[slot].friction = false;
    slots_[slot].held_count = 0;
  }
  void start_at(double z0) { z0_[kPoint] = z0; }
  std::int32_t live() const { return live_count_; }
  std::int32_t slot_at(std::int32_t i) const { return live_[i]; }
  Slot& slot(std::int32_t i) { return slots_[i]; }
  const Slot& slot(std::int32_t i) const { return slots_[i]; }
  Index directions() const { return d_; }
  Side side(std::int32_t slot, Index k) const { return side_[slot * d_ + k]; }
  void set_side(std::int32_t slot, Index k, Side side);
  // c of σ, padded with zeros to a multiple of eight.
  double* cover_sigma(std::int32_t slot) { return &cover_[slot * padded_d_]; }

  bool is_basic(const Variable& variable) const;
  void set_basic(const Variable& variable, bool basic);
  bool z0_basic = false;

  // (2), (3) and their solution for the point and for `driving`. False: the core is singular.
  bool solve(const Variable& driving);
  // The point of the given values of θ and φ of the slots, for a basis whose core may be singular; without a driving variable.
  // False: the basis has no core.
  bool keep_values();
  // The point once more from its own residual, for the basis of the last solve(), without a driving variable.
  bool refine();

  // Covers for which the basis of the last solve(), without z₀, becomes a point of the path at z₀ = unit: negative values
  // are raised to about floor · unit, the others stay, and every row's c follows (spec C.2 from any complementary basis).
  void cover_violations(double floor, double unit);

  // Values of the last solve, by lane.
  double z0(Lane lane) const { return z0_[lane]; }
  const double* velocity(Lane lane) const { return V_[lane].data(); }
  double sigma(std::int32_t slot, Index k, Lane lane) const {
    const Slot& s = slots_[slot];
    return problem_->cosine[k] * s.along_s[lane] + problem_->sine[k] * s.along_t[lane] + s.value_lambda[lane] +
           cover_[slot * padded_d_ + k] * z0_[lane];
  }
  double value(const Variable& variable, Lane lane) const;  // of a basic variable
  // Moves V and z₀ of the point by t times the direction; slots follow with the next solve().
  void step(double t);
  // s·V and t·V at the point, for a contact that has just been added.
  void calc_slip(std::int32_t slot);

 private:
  using Core = PyramidCore<Dof>;
  static constexpr bool kFixed = Dof > 0;
  static constexpr Index kP = Core::kP, kR = Core::kR;
  template <typename T, Index Count>
  using Store = CoreStore<Dof, T, Count>;
  static constexpr Index up(Index count) { return Core::up(count); }
  Index P() const { return kFixed ? kP : p_; }  // padded length of vectors
  // n, s, t as rows, and as columns, which are projected.
  const double* row_vector(std::int32_t slot, int which) const { return vectors_.data() + (6 * slot + which) * P(); }
  const double* column_vector(std::int32_t slot, int which) const {
    return vectors_.data() + (6 * slot + which + columns_at_) * P();
  }
  void choose_eliminated(Slot& slot, std::int32_t at, bool& regular) const;
  void add_column(const double* vector, std::int32_t slot, std::int32_t k);
  void combine(std::int32_t slot, bool column, double along_n, double along_s, double along_t, double* out) const;
  void assemble_columns(const Variable& driving);
  bool assemble_rows(const Variable& driving);
  void evaluate(const Variable& driving);

  struct ColumnOwner {
    std::int32_t slot = -1, k = -1;  // k = −1: θ; slot = −1: z₀
  };

  const PyramidProblem* problem_ = nullptr;
  Index m_ = 0, d_ = 0, padded_d_ = 0, p_ = 0;
  int columns_at_ = 0;  // 0: nothing to project
  bool overflow_ = false;

  static constexpr Index kSlots = kFixed ? kR : 0, kSides = kFixed ? kR * kFixedDirections : 0;
  Store<Slot, kSlots> slots_;
  Store<std::int32_t, kSlots> live_, free_;
  std::int32_t live_count_ = 0, free_count_ = 0;
  Store<Side, kSides> side_;
  Store<double, kSides> cover_;
  alignas(64) Store<double, 6 * kSlots * kP> vectors_;
  Core core_;
  Store<ColumnOwner, kR> owner_{};
  std::array<Store<double, kP>, 2> V_;
  Store<double, kP> scratch_;
  Two z0_{};
};

extern template class PyramidBasis<6>;
extern template class PyramidBasis<12>;
extern template class PyramidBasis<30>;
extern template class PyramidBasis<0>;

}  // namespace tribo
