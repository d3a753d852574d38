// Many bodies in compliant contact, as the cone problem that they are: row (3) of problem/compliant_problem.hpp is a rigid contact
// with compliance, so discs and Newton's method on all degrees of freedom at once give way to the sparse solver of the true cone.
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/solution.hpp"

namespace tribo {

// Unilateral rows first, as contacts without friction, then the contacts. False: bilateral rows, tangential springs that are
// stretched, or tangents of one contact that differ in damping have no place there.
bool as_contact_problem(const CompliantProblem& problem, ContactProblem& out);
// Forces and states from its impulses.
void lift_forces(const CompliantProblem& problem, const ContactSolution& impulses, CompliantSolution& out);

}  // namespace tribo
