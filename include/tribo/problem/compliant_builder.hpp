// Rows of a CompliantProblem one by one, in the words of engineers: springs between bodies, bushings, PD gains, limits, contacts
// with a force law. The mass matrix comes first; offsets in drift stay zero. Cost O(1) per row, O(rows) for problem().
#pragma once

#include "tribo/linalg/block_rows.hpp"
#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/contact_law.hpp"

#include <array>
#include <span>
#include <vector>

namespace tribo {

// A direction at one or two blocks: what multiplies their velocities.
struct RowEnds {
  BlockRows::Segment a, b;  // b may be absent
};

class CompliantBuilder {
 public:
  // No rows; v and f are zero. h in s.
  CompliantBuilder(BlockDiagonal mass, double h);

  // As it stands; v, f and name are the caller's to set. Numbers changed in rows are lost when further rows follow.
  CompliantProblem& problem();

  // λ = −K φ − B φ': a spring of length φ beyond its rest, with a damper.
  void add_spring(const RowEnds& ends, double K, double B, double phi);
  // A joint that gives way along and about its axes: six springs, φ its displacements and small turns.
  void add_bushing(std::span<const RowEnds, 6> ends, const std::array<double, 6>& K, const std::array<double, 6>& B,
                   const std::array<double, 6>& phi);
  // A servo on coordinate `dof` at q: force kp (target − q) − kd q̇, at the end of the step and so at any gains.
  void add_servo(Index dof, double kp, double kd, double q, double target);
  // A stop at `limit` for coordinate `dof` at q; upper: from above. K, B of its buffer; open, it has no damper.
  void add_limit(Index dof, bool upper, double q, double limit, double K, double B);
  // A contact by its law at this gap; tangents may be absent (no friction) or one (planar). tangential_damping in N·s/m: what
  // regularises sticking, which creeps at friction over damping.
  void add_contact(const RowEnds& normal, std::span<const RowEnds> tangents, const LawRow& law, double mu,
                   double tangential_damping);

 private:
  void add_row(CompliantRows& rows, const RowEnds& ends, double K, double B, double phi);
  RowEnds unit_row(Index dof, double sign);

  struct Numbers {
    std::vector<double> K, B, phi;
  };
  Numbers& numbers_of(const CompliantRows& rows);

  CompliantProblem problem_;
  std::array<Numbers, 5> numbers_;  // of bilateral, unilateral, normal, r and s rows
  std::vector<double> mu_, unit_;
};

}  // namespace tribo
