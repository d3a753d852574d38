// One random problem of `bench cone` through solve(), judged from problem and answer alone.
//
// A residual of 1e-9 does not fix every number of an answer: between walls that are nearly parallel, and with masses
// that differ much, directions and velocities move more than that. Where a comparison fails at 1e-9 it is made again
// with answers that are certified to 1e-12, and counted. Velocities that differ even then are those of two answers.
#pragma once

#include <string>

#include "cone_problems.hpp"

namespace tribo {

inline constexpr double kConeAngle = 1e-6;   // rad, between friction and slip
inline constexpr double kConeEnergy = 1e-9;  // created, of the energy that the bodies have without contact
inline constexpr double kConeUnits = 1e-7;   // change of u over max|q|

struct ConeCount {
  long problems = 0, solved = 0;
  long wrong = 0;       // called solved, and the certificate does not pass
  long motionless = 0;  // proved to have no answer: no motion satisfies the normals
  long unsolved = 0;    // neither solved nor proved
  long missed = 0;      // of those: an answer exists by theory
  double worst = 0.0;   // certificate of those called solved
  double matrix =
      0.0;  // certificate of the same impulses for the local problem W, q: a stricter scale with unequal masses

  long slips = 0;  // contacts whose directions could be compared
  double angle = 0.0;
  double energy = 0.0;

  long rescaled = 0, rescaled_failed = 0;
  long rescaled_changed = 0;  // u differs
  long other_answers = 0;     // u differs because there are two answers
  double change = 0.0;        // of u, other answers apart
  long asked_again = 0;       // to 1e-12, for an angle or a change

  long restarted = 0, moved = 0;  // started at the answer; sweeps or factorizations were made
  // The solver alone, without the certificate of solve(), on matrices with mu ≤ 1: the residual is above its tolerance,
  // although it calls the problem solved. `overstatement`: the largest such residual over the tolerance.
  long alone = 0, overstated = 0;
  double overstatement = 0.0;

  void add(const ConeCount& other);
  bool fine() const;
};

// `more`: also in other units and started at its answer. `ending`: how the solve ended, in the solver's words.
ConeCount judge_cone_trial(const ConeTrial& trial, bool more, std::string& ending);

}  // namespace tribo
