#include "cone_problems.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <cmath>

#include "lemke_problems.hpp"
#include "no_slip_problems.hpp"
#include "timing.hpp"

namespace tribo {
namespace {

constexpr std::uint64_t kConeStream = 501;
constexpr Index kMost = 8;  // contacts

double power_of_ten(double low, double high, Random& random) { return std::pow(10.0, random.uniform(low, high)); }

ContactProblem few_bodies(Random& random, Index bodies = 0) {
  RandomBodies settings;
  settings.bodies = bodies > 0 ? bodies : random.integer(1, 3);
  settings.contacts = random.integer(1, kMost);
  settings.redundant = 0.3;
  return random_bodies(settings, random);
}

ContactProblem any_problem(Random& random) {
  switch (random.integer(0, 3)) {
    case 0:
      return few_bodies(random);
    case 1: {
      const Index n = random.integer(1, kMost);
      return block_on_face(n, random.uniform(0.0, 1.2), random);
    }
    case 2: {
      const Index blocks = random.integer(1, 2);
      return box_stack(blocks, random.integer(1, kMost / blocks), random);
    }
    default:
      return peg_in_hole(random.integer(1, kMost), random);
  }
}

void set_mu(ContactProblem& problem, double mu) {
  for (Contact& contact : problem.contacts) contact.mu = mu;
}

// Of two bodies, 10^−digits … 10^digits times what it was.
ContactProblem with_mass_ratio(double digits, Random& random) {
  const ContactProblem problem =
      random.chance(0.5) ? few_bodies(random, 2) : box_stack(2, random.integer(1, kMost / 2), random);
  const Index block = random.integer(0, problem.mass.blocks() - 1);
  return with_heavier_block(problem, block, power_of_ten(-digits, digits, random));
}

// Discs in the plane, on the ground and on one another.
ContactProblem planar_bodies(Random& random) {
  using Vector2d = ContactBuilder::Vector2d;
  ContactBuilder builder;
  builder.set_name("planar bodies");
  const Index bodies = random.integer(1, 3);
  for (Index i = 0; i < bodies; ++i) {
    const double mass = random.uniform(0.2, 5.0);
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(0.0, 0.5);
    builder.add_planar_body(mass, 0.01 * mass, {x, y});
    Vector3d velocity;
    for (Index k = 0; k < 3; ++k) velocity(k) = random.uniform(-1.0, 1.0);
    builder.set_velocity(i, velocity);
  }
  const Index contacts = random.integer(1, kMost);
  for (Index i = 0; i < contacts; ++i) {
    const Index a = random.integer(0, bodies - 1);
    Index b = random.integer(-1, bodies - 2);
    if (b >= a) ++b;
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(0.0, 0.5);
    const double angle = random.uniform(-3.2, 3.2);
    Contact contact;
    contact.mu = random.uniform(0.0, 1.5);
    builder.add_planar_contact(a, b, {x, y}, Vector2d(std::cos(angle), std::sin(angle)), contact);
  }
  builder.add_gravity({0.0, -9.81, 0.0});
  return builder.build();
}

// A body between a floor and a wedge above it, pressed in: forces grow as the wedge gets flat.
ContactProblem wedge(Random& random) {
  ContactBuilder builder;
  builder.set_name("wedge");
  const Index body = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.1}), Vector3d::Zero());
  const double angle = random.chance(0.2) ? 0.0 : power_of_ten(-6.0, -0.3, random);
  Contact contact;
  contact.mu = random.uniform(0.0, 1.5);
  const Index pairs = random.integer(1, kMost / 2);
  for (Index i = 0; i < pairs; ++i) {
    const double x = random.uniform(-0.1, 0.1), y = random.uniform(-0.1, 0.1);
    builder.add_contact(body, ContactBuilder::kWorld, {x, y, -0.05}, Vector3d::UnitZ(), contact);
    builder.add_contact(body, ContactBuilder::kWorld, {x, y, 0.05}, {-std::sin(angle), 0.0, -std::cos(angle)}, contact);
  }
  VectorXd velocity(6);
  for (Index k = 0; k < 6; ++k) velocity(k) = random.uniform(-1.0, 1.0);
  builder.set_velocity(body, velocity);
  builder.add_gravity({0.0, 0.0, -9.81});
  return builder.build();
}

// W = H Hᵀ of a random H, q = H v + b.
LocalFriction matrix_problem(int dimension, Random& random) {
  const Index n = random.integer(1, kMost);
  const Index rows = dimension * n, columns = random.integer(dimension, rows + 2);
  MatrixXd H(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) H(i, j) = random.uniform(-1.0, 1.0);
  }
  VectorXd v(columns);
  for (Index j = 0; j < columns; ++j) v(j) = random.uniform(-1.0, 1.0);
  LocalFriction problem;
  problem.dimension = dimension;
  problem.W = MatrixXd(H * H.transpose()).sparseView();
  problem.q = H * v;
  problem.mu.resize(n);
  for (Index i = 0; i < n; ++i) {
    problem.mu(i) = random.uniform(0.0, 1.5);
    if (random.chance(0.2)) problem.q(dimension * i) += random.uniform(0.0, 1.0);
  }
  return problem;
}

// As implicit gyroscopic terms make it: another random part of each block, a thousandth of the entries.
void make_unsymmetric(LocalFriction& problem, Random& random) {
  MatrixXd W(problem.W);
  const Index n = W.rows();
  MatrixXd K(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) K(i, j) = random.uniform(-1.0, 1.0);
  }
  // W K W keeps the range of W, so that q stays in it.
  const MatrixXd change = W * (K - K.transpose()) * W;
  W += change * (1e-3 * W.cwiseAbs().maxCoeff() / std::max(change.cwiseAbs().maxCoeff(), 1e-300));
  problem.W = W.sparseView();
}

LocalFriction make_matrix_trial(std::uint64_t kind, Random& random, std::string& name, bool& solvable) {
  LocalFriction problem = matrix_problem(random.chance(0.3) ? 2 : 3, random);
  solvable = true;
  switch (kind) {
    case 0:
      name = "matrix";
      break;
    case 1:
      name = "matrix, unsymmetric";
      make_unsymmetric(problem, random);
      solvable = false;  // no theorem says so
      break;
    case 2: {
      name = "matrix, any units";
      const double length = power_of_ten(-6.0, 6.0, random);
      problem = in_other_units(problem, length, power_of_ten(-8.0, 8.0, random));
      break;
    }
    default:
      name = "matrix, mu 0 to 1e6";
      for (Index i = 0; i < problem.contacts(); ++i) {
        problem.mu(i) = random.chance(0.3) ? 0.0 : power_of_ten(-3.0, 6.0, random);
      }
      break;
  }
  return problem;
}

ContactProblem make_contact_kind(std::uint64_t kind, Random& random, std::string& name) {
  switch (kind) {
    case 0:
      name = "bodies";
      return few_bodies(random);
    case 1: {
      name = "face";
      const Index n = random.integer(1, kMost);
      return block_on_face(n, random.uniform(0.0, 1.2), random);
    }
    case 2: {
      name = "stack";
      const Index blocks = random.integer(1, 2);
      return box_stack(blocks, random.integer(1, kMost / blocks), random);
    }
    case 3:
      name = "peg";
      return peg_in_hole(random.integer(1, kMost), random);
    case 4: {
      name = "mu = 0";
      ContactProblem problem = any_problem(random);
      const bool all = random.chance(0.5);
      for (Contact& contact : problem.contacts) contact.mu = all || random.chance(0.5) ? 0.0 : contact.mu;
      return problem;
    }
    case 5: {
      name = "mu = 1e6";
      ContactProblem problem = any_problem(random);
      set_mu(problem, 1e6);
      return problem;
    }
    case 6: {
      name = "mu 1e-3 to 1e6";
      ContactProblem problem = any_problem(random);
      draw_friction(problem, -3.0, 6.0, random);
      return problem;
    }
    case 7:
      name = "mass ratio to 1e4";
      return with_mass_ratio(4.0, random);
    case 8: {
      name = "duplicates";
      const Index n = random.integer(1, 4);
      const ContactProblem problem =
          random.chance(0.5) ? block_on_face(n, random.uniform(0.0, 1.2), random) : peg_in_hole(n, random);
      return repeat_contacts(problem, static_cast<int>(random.integer(2, kMost / n)));
    }
    case 9: {
      name = "jam";
      ContactProblem problem = jam(false, random.chance(0.2) ? 0.0 : power_of_ten(-6.0, -0.3, random));
      set_mu(problem, random.uniform(0.0, 1.5));
      return repeat_contacts(problem, static_cast<int>(random.integer(1, 4)));
    }
    case 10:
      name = "wedge";
      return wedge(random);
    case 11: {
      name = "at rest";
      ContactProblem problem = any_problem(random);
      problem.v.setZero();
      if (random.chance(0.2)) problem.f.setZero();
      return problem;
    }
    case 12:
      name = "Painleve rod";
      return painleve_rod(random.uniform(0.2, 3.0), random.uniform(0.2, 1.5));
    case 13: {
      name = "gaps";
      ContactProblem problem = any_problem(random);
      for (Index i = 0; i < problem.size(); ++i) problem.b_N(i) = random.chance(0.5) ? random.uniform(0.0, 0.2) : 0.0;
      return problem;
    }
    case 14: {
      name = "overlaps that give way";
      ContactProblem problem = any_problem(random);
      VectorXd v(problem.dof());
      for (Index k = 0; k < v.size(); ++k) v(k) = random.uniform(-0.1, 0.1);
      const VectorXd N = problem.N.multiply(v), S = problem.S.multiply(v), T = problem.T.multiply(v);
      for (Index i = 0; i < problem.size(); ++i) {
        problem.b_N(i) = -N(i) + problem.contacts[i].mu * std::hypot(S(i), T(i)) + random.uniform(0.0, 0.02);
      }
      return problem;
    }
    case 15: {
      name = "overlapping jam";
      ContactProblem problem = jam(true, 0.0);
      set_mu(problem, random.uniform(0.0, 1.5));
      for (Index i = 0; i < problem.size(); ++i) problem.b_N(i) = -random.uniform(0.0, 0.1);
      return repeat_contacts(problem, static_cast<int>(random.integer(1, 4)));
    }
    case 16:
      name = "mass ratio to 1e8";
      return with_mass_ratio(8.0, random);
    default:
      name = "planar";
      return planar_bodies(random);
  }
}

}  // namespace

ConeTrial make_cone_trial(std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t kMatrixKinds = 4;
  Random random(derive_seed(seed, kConeStream, index));
  const std::uint64_t kind = index % kConeKinds;
  ConeTrial trial;
  if (kind < kMatrixKinds) {
    trial.local = make_matrix_trial(kind, random, trial.kind, trial.solvable);
  } else {
    trial.contact = make_contact_kind(kind - kMatrixKinds, random, trial.kind);
    trial.solvable = trial.kind != "overlapping jam";
    trial.extreme = trial.kind == "mass ratio to 1e8";
  }
  return trial;
}

ConeTrial make_pushed_trial(std::uint64_t seed, std::uint64_t index) {
  Random random(derive_seed(seed, kConeStream + 5, index));
  ConeTrial trial;
  trial.kind = "pushed";
  trial.contact = random.chance(0.3) ? jam(true, random.uniform(1e-4, 0.3)) : any_problem(random);
  for (Index i = 0; i < trial.contact->size(); ++i) {
    trial.contact->b_N(i) = random.chance(0.5) ? -random.uniform(0.0, 0.1) : 0.0;
  }
  return trial;
}

}  // namespace tribo
