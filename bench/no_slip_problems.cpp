#include "no_slip_problems.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "timing.hpp"

namespace tribo {
namespace {

constexpr std::uint64_t kNoSlipStream = 301;
constexpr std::uint64_t kKinds = 8;
constexpr double kLargestOffset = 0.05;  // m/s

ContactProblem make_no_slip_problem(std::uint64_t kind, Random& random, std::string& name) {
  switch (kind) {
    case 2: {
      name = "face";
      const Index n = random.integer(1, 60);
      return block_on_face(n, random.uniform(0.0, 0.8), random);
    }
    case 3:
      name = "peg";
      return peg_in_hole(random.integer(1, 60), random);
    case 4: {
      name = "stack";
      const Index blocks = random.integer(1, 5);
      return box_stack(blocks, random.integer(1, 12), random);
    }
    case 5: {
      name = "grasp";
      const Index boxes = random.integer(1, 4);
      return grasp_row(boxes, random.integer(1, 12));
    }
    case 6:
      // Forces grow like the inverse of the angle, up to a hundred thousand times the weight.
      name = "jam";
      return repeat_contacts(jam(false, std::pow(10.0, random.uniform(-5.0, -0.5))),
                             static_cast<int>(random.integer(1, 4)));
    case 7: {
      name = "repeated";
      const RandomBodies settings{.bodies = random.integer(1, 4),
                                  .contacts = random.integer(1, 15),
                                  .redundant = 0.3,
                                  .bilateral = random.integer(0, 2),
                                  .trees = random.chance(0.5)};
      const ContactProblem problem = random_bodies(settings, random);
      return repeat_contacts(problem, static_cast<int>(random.integer(2, 5)));
    }
    default:
      name = "bodies";
      return random_bodies(random);
  }
}

ContactModel choose_model(std::uint64_t turn, const ContactProblem& problem) {
  if (turn == 0) return Frictionless{};
  if (turn == 1) return NoSlip{};
  const ContactModel explicit_form = Viscous{.implicit = false};
  NormalFormulation formulation;
  if (turn == 3 && formulation.update(problem, explicit_form).has_value()) return explicit_form;
  return Viscous{};
}

double mass_norm(const ContactProblem& problem, const VectorXd& x) {
  return std::sqrt(std::max(0.0, x.dot(problem.mass.multiply(x))));
}

}  // namespace

ContactTrial make_contact_trial(std::uint64_t seed, std::uint64_t index) {
  Random random(derive_seed(seed, kNoSlipStream, index));
  ContactTrial trial;
  trial.problem = make_no_slip_problem(index % kKinds, random, trial.kind);
  const bool open = index / (4 * kKinds) % 2 == 1;
  for (Index i = 0; i < trial.problem.size(); ++i) {
    trial.problem.b_N(i) = open && random.chance(0.5) ? random.uniform(0.0, kLargestOffset) : 0.0;
  }
  trial.model = choose_model(index / kKinds % 4, trial.problem);
  return trial;
}

ContactProblem repeat_contacts(const ContactProblem& problem, int times) {
  TRIBO_REQUIRE(times >= 1, "a contact is there at least once");
  ContactProblem repeated = problem;
  for (Contact& contact : repeated.contacts) {
    contact.mu_v /= times;
    contact.impact_damping /= times;
    contact.friction_bound /= times;
  }
  const std::vector<Contact> once = repeated.contacts;
  for (int k = 1; k < times; ++k) {
    for (BlockRows* rows : {&repeated.N, &repeated.S, &repeated.T}) {
      const Index n = rows->rows() / k;
      for (Index i = 0; i < n; ++i) {
        const auto [first, second] = rows->row(i);
        rows->add_row(first, second);
      }
    }
    repeated.contacts.insert(repeated.contacts.end(), once.begin(), once.end());
  }
  repeated.b_N = problem.b_N.replicate(times, 1);
  repeated.a_N = problem.a_N.replicate(times, 1);
  return repeated;
}

double relative_change(const ContactProblem& problem, const VectorXd& a, const VectorXd& b) {
  VectorXd free = problem.f;
  BlockCholesky::factor(problem.mass).value().solve(free);
  free = problem.v + problem.h * free;
  const double scale = std::max({mass_norm(problem, a), mass_norm(problem, problem.v), mass_norm(problem, free)});
  const double change = mass_norm(problem, a - b);
  return change == 0.0 ? 0.0 : change / scale;
}

}  // namespace tribo
