// Answers: numbers only, owned by the caller. And the evidence that comes with "there is no answer".
#pragma once

#include "tribo/linalg/types.hpp"

#include <string>
#include <vector>

namespace tribo {

// Why there is no answer, checkable without the solver that found it (certify/infeasibility.hpp says how).
struct Evidence {
  enum class Kind {
    kNone,
    kFarkas,      // y: a combination of rows that no point can satisfy
    kRay,         // Lemke's secondary ray: proves that this path ended, and infeasibility for some matrix classes
    kExhaustion,  // one separating vector for every family of complementary cones: no cone contains q
  };
  Kind kind = Kind::kNone;

  VectorXd y;  // kFarkas

  // kRay: base point z, z0 and direction dz, dz0 with covering vector c (all over the complementarity rows), and for a
  // mixed problem the free parts u, du.
  VectorXd z, dz, u, du, cover;
  double z0 = 0.0, dz0 = 0.0;

  // kExhaustion: pattern[i][k] says which columns cone family i may use for index k: 'z', 'w' or '*' (both);
  // column i of `separators` separates q from that family. The families cover all 2ⁿ complementary cones.
  std::vector<std::string> pattern;
  MatrixXd separators;

  void clear();
};

struct LcpSolution {
  VectorXd z, w;
  Evidence evidence;
};

struct MixedLcpSolution {
  VectorXd u, z, w;
  Evidence evidence;
};

struct BoxLcpSolution {
  VectorXd z, w;
  Evidence evidence;
};

struct QpSolution {
  VectorXd x;
  VectorXd nu;      // multipliers of E x = b
  VectorXd lambda;  // multipliers of G x ≥ d, >= 0:  H x + g = Eᵀ nu + Gᵀ lambda
  Evidence evidence;
};

struct FrictionSolution {
  VectorXd r, u;  // contact after contact, normal component first
  VectorXd v;     // global problems
};

// Impulses (forces at acceleration level) and the velocity after the step (the acceleration).
struct ContactSolution {
  VectorXd v_next;                      // m/s, rad/s; at acceleration level: m/s², rad/s²
  VectorXd f_n, f_s, f_t;               // per contact, along the rows N, S, T
  VectorXd f_spin, f_roll_s, f_roll_t;  // CoulombCone: couples along those rows, N·m·s; empty where there are none
  VectorXd f_j;                         // per bilateral row
  VectorXd f_d;                         // per row of dry friction
  // Evidence at contact level: y_n ≥ 0 over the normal rows and y_e over the equality rows (J, then S and T for the
  // no-slip model) with Nᵀ y_n + Eᵀ y_e = 0 and y_n·b_N + y_e·b_E < 0.
  VectorXd y_n, y_e;

  friend void swap(ContactSolution& a, ContactSolution& b) noexcept {
    for (VectorXd ContactSolution::*member :
         {&ContactSolution::v_next, &ContactSolution::f_n, &ContactSolution::f_s, &ContactSolution::f_t,
          &ContactSolution::f_spin, &ContactSolution::f_roll_s, &ContactSolution::f_roll_t, &ContactSolution::f_j,
          &ContactSolution::f_d, &ContactSolution::y_n, &ContactSolution::y_e}) {
      (a.*member).swap(b.*member);
    }
  }
};

}  // namespace tribo
