// Coulomb friction on a polygon from a ContactProblem, as a PyramidProblem, and back (spec C.1): the frictionless problem of
// normal.hpp, whose equality rows are J, and the tangents beside it. The LCP matrix is formed by PyramidLcp alone, for
// solvers that need one. What is approximated: the friction circle by a polygon, nothing else.
// Rows of dry friction become contacts of their own, brakes whose pads are virtual bodies (src/formulation/brake_pads.hpp):
// problem() has one more degree of freedom and one more contact for each, behind the others, and lift() leaves them out.
//
// The object keeps its memory: update() for a problem no larger than those before it allocates nothing, but for aligned
// polygons.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/contact_start.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/pyramid.hpp"
#include "tribo/problem/slip_prediction.hpp"
#include "tribo/problem/solution.hpp"

#include <memory>
#include <vector>

namespace tribo {

class BrakePads;

class PyramidFormulation {
 public:
  PyramidFormulation();
  ~PyramidFormulation();
  PyramidFormulation(PyramidFormulation&&) noexcept;
  PyramidFormulation& operator=(PyramidFormulation&&) noexcept;

  // The problem must be valid and stay where it is until lift(). Refused: contacts without tangential rows, acceleration
  // level, a number of sides that is odd or out of range.
  Checked update(const ContactProblem& problem, const CoulombPyramid& model);

  // False: the bilateral rows contradict one another; inconsistency() holds the combination in y_e.
  bool consistent() const { return normal_.consistent(); }
  ContactSolution inconsistency() const;

  const PyramidProblem& problem() const { return pyramid_; }
  Index equality_rank() const { return normal_.equality_rank(); }  // rank J

  // Coefficients above `largest` count as that until the next update(). False: none is larger.
  bool limit_friction(double largest);
  // The contacts that carried load, with the directions of the polygon between which their friction lay.
  void start(const StartValues& values, std::vector<LoadedContact>& loaded) const;

  void lift(const PyramidSolution& solution, ContactSolution& out);
  // A Farkas vector of the normals as y_n, y_e.
  ContactSolution lift_farkas(const VectorXd& y) const;

 private:
  NormalFormulation normal_;
  PyramidProblem pyramid_;
  SlipPrediction slips_;                     // of aligned polygons
  std::unique_ptr<BrakePads> pads_;          // made when a problem has rows of dry friction
  const ContactProblem* problem_ = nullptr;  // as it was given
  ContactSolution padded_;                   // with pads
};

}  // namespace tribo
