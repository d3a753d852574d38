// classify(problem, answer): is a contact open, does it slide, does it stick? One verdict for every model, from problem and
// answer alone and on the scales of the certificate (docs/certificates.md). Everything that reports a state copies it.
//     open    no load: the normal impulse is within the tolerance of zero. Also where the bodies touch, and where the no-slip
//             model holds a contact sideways without one
//     stick   load, friction that can hold the contact without slip, and no slip beyond the tolerance
//     slide   load and anything else. A contact that nothing can hold slides in any case, also while it does not move: mu = 0
//             (the pyramid, the cone), a friction bound of 0, the models frictionless and viscous, released contacts of the
//             no-slip model, problems without tangents
// Limits of joints are open or stick: they have nothing to slide along.
// Slip is that of v⁺ (of the acceleration at acceleration level). For the true cone it is û, in which compliance and held
// springs count (problem/model.hpp), and with friction against turning a contact slides too where it spins (mu_spin > 0) or
// rolls (mu_roll > 0).
// With an answer that certify() passes at the same tolerance the verdict obeys the law: what is open has no load, what slides
// has full friction, each within the tolerance. Scales are those of islands: bodies elsewhere change no verdict.
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

#include <vector>

namespace tribo {

// Per contact; empty where certify() refuses to judge (sizes, numbers that are not finite, M not positive definite).
// `tolerance`: relative, that of the certificate. Step loops: ContactCertifier::classify.
std::vector<ContactState> classify(const ContactProblem& problem, const ContactModel& model,
                                   const ContactSolution& solution, double tolerance);
// Matrices, the true cone; u is recomputed from r.
std::vector<ContactState> classify(const LocalFriction& problem, const FrictionSolution& solution, double tolerance);
std::vector<ContactState> classify(const GlobalFriction& problem, const FrictionSolution& solution, double tolerance);
// Contacts with friction, not the unilateral rows. FrictionLaw::kWeighted is a program without a state of no slip: there
// friction on the boundary of its cone slides, by the rule of its certificate.
std::vector<ContactState> classify(const CompliantProblem& problem, const Compliant& model,
                                   const CompliantSolution& solution, double tolerance);

}  // namespace tribo
