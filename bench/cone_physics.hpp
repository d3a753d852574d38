// What an answer must look like whoever found it: recomputed here from r and dense matrices.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/friction_problem.hpp"

namespace tribo {

// A local problem and an answer to it. From a contact problem by make_local(), with u from the rows and v⁺: with masses
// that differ by 1e8 the sum W r + q has lost all its digits.
struct MatrixAnswer {
  LocalFriction problem;
  VectorXd r, u;
  // ½ |v|²_M without contact impulses and with them, where bodies are known and b = 0; negative: not known.
  double free_energy = -1.0, next_energy = -1.0;
};
MatrixAnswer make_matrix_answer(const LocalFriction& problem, const FrictionAnswer& answer);
MatrixAnswer make_matrix_answer(const ContactProblem& problem, const ContactAnswer& answer);

// Between −r_T and u_T, rad, over the contacts where both are larger than a hundredth of max|q| (r_T by the mean
// diagonal of its block of W): a residual of 1e-9 turns what is ten times smaller by 1e-6 already.
struct SlipAngle {
  long compared = 0;
  double largest = 0.0;
};
SlipAngle calc_slip_angle(const MatrixAnswer& answer);

// What is positive of E⁺ − E_free, over E_free; 0 where they are not known.
double calc_created_energy(const MatrixAnswer& answer);

// Largest difference of u over max|q| when `after` has velocities `length` times as large.
double calc_change(const MatrixAnswer& before, const MatrixAnswer& after, double length);

}  // namespace tribo
