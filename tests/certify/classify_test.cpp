// The verdict on a contact in closed form, on both sides of each limit.
#include "tribo/certify/classify.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/certify/compliant.hpp"
#include "tribo/certify/contact_certifier.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {

static std::ostream& operator<<(std::ostream& out, ContactState state) {
  return out << (state == ContactState::kOpen ? "open" : state == ContactState::kSlide ? "slide" : "stick");
}

namespace {

using testing::rows_of;
using testing::vec;
using States = std::vector<ContactState>;

constexpr double kVerdictTolerance = 1e-8;
constexpr ContactState kOpen = ContactState::kOpen, kSlide = ContactState::kSlide, kStick = ContactState::kStick;

Contact with(double Contact::*member, double value) {
  Contact contact;
  contact.*member = value;
  return contact;
}

// A particle of 2 kg on the floor that falls with 1 m/s: ρ = 1/√2 for every row and us = √2, so that a load of 2e-8 N·s and a
// slip of 1e-8 m/s are at the limit.
constexpr double kLoadLimit = 2e-8, kSlipLimit = 1e-8;

ContactProblem particle_on_floor(const Contact& contact) {
  ContactProblem problem;
  problem.mass = BlockDiagonal({MatrixXd::Identity(3, 3) * 2.0});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = Vector3d(0.0, 0.0, -1.0);
  problem.f = VectorXd::Zero(3);
  problem.N = rows_of(Vector3d::UnitZ().transpose(), layout);
  problem.S = rows_of(Vector3d::UnitX().transpose(), layout);
  problem.T = rows_of(Vector3d::UnitY().transpose(), layout);
  problem.J = BlockRows(layout);
  problem.b_N = problem.a_N = VectorXd::Zero(1);
  problem.b_J = problem.a_J = VectorXd::Zero(0);
  problem.contacts = {contact};
  return problem;
}

ContactSolution numbers(const Vector3d& v_next, double f_n, double f_s = 0.0, double f_t = 0.0) {
  ContactSolution solution;
  solution.v_next = v_next;
  solution.f_n = VectorXd::Constant(1, f_n);
  solution.f_s = VectorXd::Constant(1, f_s);
  solution.f_t = VectorXd::Constant(1, f_t);
  solution.f_j = VectorXd::Zero(0);
  return solution;
}

ContactState judge(const Contact& contact, const ContactModel& model, const Vector3d& v_next, double f_n,
                   double f_s = 0.0) {
  const States states = classify(particle_on_floor(contact), model, numbers(v_next, f_n, f_s), kVerdictTolerance);
  return states.size() == 1 ? states[0] : static_cast<ContactState>(99);
}

struct ModelCase {
  std::string name;
  ContactModel model;
  Contact contact;
  bool holds;  // the law has friction that can hold this contact
};

std::vector<ModelCase> model_cases() {
  Contact released = with(&Contact::mu, 0.5);
  released.released = true;
  return {{"frictionless", Frictionless{}, with(&Contact::mu, 0.5), false},
          {"no-slip", NoSlip{}, {}, true},
          {"no-slip, released", NoSlip{}, released, false},
          {"viscous", Viscous{}, with(&Contact::mu_v, 3.0), false},
          {"viscous/explicit", Viscous{.implicit = false}, with(&Contact::mu_v, 3.0), false},
          {"viscous/impact", Viscous{.impact = true}, with(&Contact::impact_damping, 3.0), false},
          {"pyramid", CoulombPyramid{}, with(&Contact::mu, 0.5), true},
          {"pyramid, aligned", CoulombPyramid{6, true}, with(&Contact::mu, 0.5), true},
          {"pyramid, mu = 0", CoulombPyramid{}, {}, false},
          {"box", FrictionBox{}, with(&Contact::friction_bound, 0.1), true},
          {"box, bound = 0", FrictionBox{}, with(&Contact::mu, 0.5), false},
          {"cone", CoulombCone{}, with(&Contact::mu, 0.5), true},
          {"cone, mu = 0", CoulombCone{}, {}, false}};
}

TEST(Classify, EveryModelOnBothSidesOfBothLimits) {
  for (const ModelCase& c : model_cases()) {
    SCOPED_TRACE(c.name);
    const ContactState still = c.holds ? kStick : kSlide;
    // Load.
    EXPECT_EQ(judge(c.contact, c.model, {0.0, 0.0, 0.0}, 2.0), still);
    EXPECT_EQ(judge(c.contact, c.model, {0.0, 0.0, 0.0}, 1.01 * kLoadLimit), still);
    EXPECT_EQ(judge(c.contact, c.model, {0.0, 0.0, 0.0}, 0.99 * kLoadLimit), kOpen);
    EXPECT_EQ(judge(c.contact, c.model, {0.0, 0.0, 0.0}, 0.0), kOpen);
    EXPECT_EQ(judge(c.contact, c.model, {0.0, 0.0, 0.0}, -2.0), kOpen);  // a pull is no load
    EXPECT_EQ(judge(c.contact, c.model, {0.5, 0.0, 0.0}, 0.0), kOpen);   // whatever the slip
    // Slip, along s, along t and across.
    for (const Vector3d& direction : {Vector3d(1, 0, 0), Vector3d(0, -1, 0)}) {
      EXPECT_EQ(judge(c.contact, c.model, 0.99 * kSlipLimit * direction, 2.0), still);
      EXPECT_EQ(judge(c.contact, c.model, 1.01 * kSlipLimit * direction, 2.0), kSlide);
      EXPECT_EQ(judge(c.contact, c.model, direction, 2.0), kSlide);
    }
    // Motion along the normal is no slip.
    EXPECT_EQ(judge(c.contact, c.model, {0.0, 0.0, 0.5}, 2.0), still);
  }
}

// The laws of cone and pyramid know the slip as a vector, those of the box and the no-slip model row by row.
TEST(Classify, SlipIsMeasuredAsTheLawMeasuresIt) {
  const Vector3d across = 0.8 * kSlipLimit * Vector3d(1.0, 1.0, 0.0);  // 1.13 of the limit as a vector
  EXPECT_EQ(judge(with(&Contact::mu, 0.5), CoulombCone{}, across, 2.0), kSlide);
  EXPECT_EQ(judge(with(&Contact::mu, 0.5), CoulombPyramid{}, across, 2.0), kSlide);
  EXPECT_EQ(judge(with(&Contact::friction_bound, 0.5), FrictionBox{}, across, 2.0), kStick);
  EXPECT_EQ(judge({}, NoSlip{}, across, 2.0), kStick);
}

// û = S v⁺ + R (f_s − held): a spring that is stretched by the friction it gives sticks while the point moves, and one that
// does not give it slides while the point rests. With compliance along the normal the load shows as on a row of ρ² + R.
TEST(Classify, CompliantContactsAreJudgedByTheirLaw) {
  Contact spring = with(&Contact::mu, 0.5);
  spring.tangential_compliance = 0.25;
  EXPECT_EQ(judge(spring, CoulombCone{}, {0.2, 0.0, 0.0}, 2.0, -0.8), kStick);
  EXPECT_EQ(judge(spring, CoulombCone{}, {0.2, 0.0, 0.0}, 2.0, -0.7), kSlide);
  spring.held_s = -0.5;
  EXPECT_EQ(judge(spring, CoulombCone{}, {0.0, 0.0, 0.0}, 2.0, -0.5), kStick);
  EXPECT_EQ(judge(spring, CoulombCone{}, {0.0, 0.0, 0.0}, 2.0, -0.4), kSlide);
  Contact soft = with(&Contact::mu, 0.5);
  soft.compliance = 1.5;  // ρ + R/ρ = 4 ρ
  EXPECT_EQ(judge(soft, CoulombCone{}, {0.0, 0.0, 0.0}, 0.26 * kLoadLimit), kStick);
  EXPECT_EQ(judge(soft, CoulombCone{}, {0.0, 0.0, 0.0}, 0.24 * kLoadLimit), kOpen);
  EXPECT_EQ(judge(soft, NoSlip{}, {0.0, 0.0, 0.0}, 0.26 * kLoadLimit), kOpen);  // a rigid model
}

// One body with all six rows; only couples and rates about the contact matter.
TEST(Classify, TurningAgainstFrictionSlides) {
  Contact contact;
  contact.mu_spin = contact.mu_roll = 1.0;
  ContactBuilder builder;
  const Index body = builder.add_body(2.0, Matrix3d::Identity() * 2.0, Vector3d::Zero());
  builder.set_velocity(body, vec({0, 0, -1, 0, 0, 0}));
  builder.add_contact(body, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitZ(), contact);
  const ContactProblem rows = builder.build();
  const auto judged = [&](double mu, double mu_spin, double mu_roll, const VectorXd& v_next) {
    ContactProblem problem = rows;
    problem.contacts[0].mu = mu;
    problem.contacts[0].mu_spin = mu_spin;
    problem.contacts[0].mu_roll = mu_roll;
    ContactSolution solution = numbers(Vector3d::Zero(), 2.0);
    solution.v_next = v_next;
    solution.f_spin = solution.f_roll_s = solution.f_roll_t = VectorXd::Zero(1);
    const States states = classify(problem, CoulombCone{}, solution, kVerdictTolerance);
    EXPECT_EQ(states.size(), 1u);
    return states.at(0);
  };
  const VectorXd rest = VectorXd::Zero(6), slip = vec({1, 0, 0, 0, 0, 0}), spin = vec({0, 0, 0, 0, 0, 1});
  const VectorXd roll = vec({0, 0, 0, 0, 1, 0});
  EXPECT_EQ(judged(0.5, 0.1, 0.1, rest), kStick);
  EXPECT_EQ(judged(0.5, 0.1, 0.1, slip), kSlide);
  EXPECT_EQ(judged(0.5, 0.1, 0.1, spin), kSlide);
  EXPECT_EQ(judged(0.5, 0.1, 0.1, roll), kSlide);
  EXPECT_EQ(judged(0.5, 0.0, 0.1, spin), kStick);  // nothing resists it: a ball that rolls without slip sticks
  EXPECT_EQ(judged(0.5, 0.1, 0.0, roll), kStick);
  EXPECT_EQ(judged(0.0, 0.1, 0.0, rest), kStick);  // held against spinning alone
  EXPECT_EQ(judged(0.0, 0.1, 0.0, slip), kSlide);
  EXPECT_EQ(judged(0.0, 0.0, 0.0, rest), kSlide);
  // The norm over all components counts: each of them is within its own limit.
  EXPECT_EQ(judged(0.5, 0.1, 0.1, 0.9 * kSlipLimit * spin), kStick);
  EXPECT_EQ(judged(0.5, 0.1, 0.1, 0.9 * kSlipLimit * (spin + slip)), kSlide);
}

// At acceleration level the numbers are forces and accelerations, and us is |M⁻¹ f|_M = √2 · 10.
TEST(Classify, AccelerationLevelIsJudgedByForcesAndAccelerations) {
  ContactProblem problem = particle_on_floor(with(&Contact::mu, 0.5));
  problem.level = Level::kAcceleration;
  problem.v.setZero();
  problem.f = Vector3d(0.0, 0.0, -20.0);
  const auto judged = [&](const Vector3d& a, double f_n) {
    return classify(problem, CoulombCone{}, numbers(a, f_n), kVerdictTolerance).at(0);
  };
  EXPECT_EQ(judged({0.0, 0.0, 0.0}, 20.0), kStick);
  EXPECT_EQ(judged({1.01e-7, 0.0, 0.0}, 20.0), kSlide);
  EXPECT_EQ(judged({0.99e-7, 0.0, 0.0}, 20.0), kStick);
  EXPECT_EQ(judged({0.0, 0.0, 0.0}, 0.99 * 10.0 * kLoadLimit), kOpen);
  problem.v = Vector3d(5.0, 0.0, 0.0);  // a velocity is not what is solved for
  EXPECT_EQ(judged({0.0, 0.0, 0.0}, 20.0), kStick);
}

TEST(Classify, RowsThatMoveNothing) {
  const MatrixXd none = MatrixXd::Zero(1, 3);
  ContactProblem problem = particle_on_floor(with(&Contact::mu, 0.5));
  const BlockLayout& layout = problem.mass.layout();
  // No tangents at all: nothing can hold. Tangents of zeros: nothing can slip.
  problem.S = problem.T = BlockRows(layout);
  ContactSolution solution = numbers(Vector3d::Zero(), 2.0);
  solution.f_s.resize(0);
  solution.f_t.resize(0);
  EXPECT_EQ(classify(problem, CoulombCone{}, solution, kVerdictTolerance), States{kSlide});
  EXPECT_EQ(classify(problem, NoSlip{}, solution, kVerdictTolerance), States{kSlide});
  problem.S = problem.T = rows_of(none, layout);
  solution = numbers(Vector3d(1.0, 1.0, 0.0), 2.0);
  EXPECT_EQ(classify(problem, CoulombCone{}, solution, kVerdictTolerance), States{kStick});
  EXPECT_EQ(classify(problem, NoSlip{}, solution, kVerdictTolerance), States{kStick});
  // A normal row of zeros: its load is compared with the largest offset, 1 at least, as in the certificate.
  problem.N = rows_of(none, layout);
  problem.b_N(0) = 4.0;
  EXPECT_EQ(classify(problem, CoulombCone{}, numbers(Vector3d::Zero(), 4.04e-8), kVerdictTolerance), States{kStick});
  EXPECT_EQ(classify(problem, CoulombCone{}, numbers(Vector3d::Zero(), 3.96e-8), kVerdictTolerance), States{kOpen});
  problem.contacts[0].compliance = 2.0;
  EXPECT_EQ(classify(problem, CoulombCone{}, numbers(Vector3d::Zero(), 2.02e-8), kVerdictTolerance), States{kStick});
  EXPECT_EQ(classify(problem, CoulombCone{}, numbers(Vector3d::Zero(), 1.98e-8), kVerdictTolerance), States{kOpen});
}

// In the plane there is one tangent.
TEST(Classify, PlanarContacts) {
  for (const auto& [model, contact] : {std::pair<ContactModel, Contact>{CoulombCone{}, with(&Contact::mu, 0.5)},
                                       {CoulombPyramid{}, with(&Contact::mu, 0.5)},
                                       {FrictionBox{}, with(&Contact::friction_bound, 0.5)},
                                       {NoSlip{}, Contact{}}}) {
    ContactProblem problem = particle_on_floor(contact);
    problem.T = BlockRows(problem.mass.layout());
    ContactSolution solution = numbers(Vector3d(0.0, 3.0, 0.0), 2.0);
    solution.f_t.resize(0);
    EXPECT_EQ(classify(problem, model, solution, kVerdictTolerance), States{kStick}) << to_string(model);
    solution.v_next(0) = 1.0;
    EXPECT_EQ(classify(problem, model, solution, kVerdictTolerance), States{kSlide}) << to_string(model);
  }
}

// Three particles in states that are near the limits, with a body elsewhere that is a million times faster.
struct Three {
  ContactProblem problem;
  ContactSolution answer;
};

Three three_particles(const std::vector<int>& order, double length, double mass, double time, bool distant) {
  struct One {
    double slip, f_n;
  };
  const One ones[3] = {{1.01 * kSlipLimit, 2.0}, {0.99 * kSlipLimit, 2.0}, {0.5, 0.99 * kLoadLimit}};
  const Index bodies = distant ? 4 : 3;
  Three three;
  ContactProblem& problem = three.problem;
  std::vector<MatrixXd> blocks(static_cast<std::size_t>(bodies), MatrixXd::Identity(3, 3) * 2.0 * mass);
  problem.mass = BlockDiagonal(blocks);
  problem.h = 0.01 * time;
  problem.v = problem.f = three.answer.v_next = VectorXd::Zero(3 * bodies);
  const BlockLayout& layout = problem.mass.layout();
  problem.N = problem.S = problem.T = problem.J = BlockRows(layout);
  problem.b_J = problem.a_J = VectorXd(0);
  const double speed = length / time;
  std::vector<double> f_n;
  for (int place = 0; place < 3; ++place) {
    const One& one = ones[order[static_cast<std::size_t>(place)]];
    problem.v(3 * place + 2) = -speed;
    three.answer.v_next(3 * place) = one.slip * speed;
    f_n.push_back(one.f_n * mass * speed);
    const double x[] = {1, 0, 0}, y[] = {0, 1, 0}, z[] = {0, 0, 1};
    problem.N.add_row({place, {z, 3}});
    problem.S.add_row({place, {x, 3}});
    problem.T.add_row({place, {y, 3}});
    problem.contacts.push_back(with(&Contact::mu, 0.5));
  }
  if (distant) problem.v(9) = three.answer.v_next(9) = 1e6 * speed;
  problem.b_N = problem.a_N = VectorXd::Zero(3);
  three.answer.f_n = Eigen::Map<VectorXd>(f_n.data(), 3);
  three.answer.f_s = three.answer.f_t = VectorXd::Zero(3);
  three.answer.f_j = VectorXd(0);
  return three;
}

TEST(Classify, UnitsOrderAndDistantBodiesChangeNothing) {
  const States expected = {kSlide, kStick, kOpen};
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
  for (const std::vector<int>& order : orders) {
    for (const auto& [length, mass, time] :
         {std::array{1.0, 1.0, 1.0}, std::array{1e3, 1e6, 1e-3}, std::array{1e-4, 1e-9, 60.0}}) {
      for (const bool distant : {false, true}) {
        const Three three = three_particles(order, length, mass, time, distant);
        const States states = classify(three.problem, CoulombCone{}, three.answer, kVerdictTolerance);
        ASSERT_EQ(states.size(), 3u);
        for (std::size_t place = 0; place < 3; ++place)
          EXPECT_EQ(states[place], expected[static_cast<std::size_t>(order[place])])
              << place << " " << length << " " << distant;
      }
    }
  }
  // As one island the fast body is the scale of all: what remains is within the tolerance of nothing.
  const Three three = three_particles({0, 1, 2}, 1.0, 1.0, 1.0, true);
  ContactCertifier certifier;
  certifier.island(three.problem, CoulombCone{}, three.answer);
  States states;
  certifier.classify(kVerdictTolerance, states);
  EXPECT_EQ(states, (States{kStick, kStick, kOpen}));
}

// The certifier of a loop says the same, of the answer that it saw last, and nothing where it refused to judge.
TEST(Classify, CertifierSpeaksOfItsLastAnswer) {
  ContactCertifier certifier;
  States states = {kOpen, kOpen, kOpen};
  certifier.classify(kVerdictTolerance, states);
  EXPECT_TRUE(states.empty());
  for (const ModelCase& c : model_cases()) {
    for (const Vector3d& v_next : {Vector3d(0, 0, 0), Vector3d(1, 0, 0)}) {
      const ContactProblem problem = particle_on_floor(c.contact);
      const ContactSolution answer = numbers(v_next, 2.0);
      certifier(problem, c.model, answer);
      certifier.classify(kVerdictTolerance, states);
      EXPECT_EQ(states, classify(problem, c.model, answer, kVerdictTolerance)) << c.name;
      certifier.classify(problem, c.model, answer, kVerdictTolerance, states);
      EXPECT_EQ(states, classify(problem, c.model, answer, kVerdictTolerance)) << c.name;
    }
  }
  const ContactProblem problem = particle_on_floor({});
  ContactSolution broken = numbers(Vector3d::Zero(), std::nan(""));
  certifier(problem, CoulombCone{}, broken);
  certifier.classify(kVerdictTolerance, states);
  EXPECT_TRUE(states.empty());
  broken = numbers(Vector3d::Zero(), 1.0);
  broken.f_n.resize(2);
  EXPECT_TRUE(classify(problem, CoulombCone{}, broken, kVerdictTolerance).empty());
}

// Matrices: W = 4 I, so ω = 4, and Q = |q| = 5. Load 4 r_N and slip are compared with 5e-8.
template <typename Problem>
void expect_friction_states(Problem problem, const std::string& name) {
  SCOPED_TRACE(name);
  const auto judged = [&](double r_N, const Eigen::Vector2d& slip) {
    FrictionSolution solution;  // u = 4 r + q
    solution.r = vec({r_N, (slip(0) - 3.0) / 4.0, (slip(1) - 4.0) / 4.0});
    const States states = classify(problem, solution, kVerdictTolerance);
    EXPECT_EQ(states.size(), 1u);
    return states.at(0);
  };
  EXPECT_EQ(judged(2.0, {0.0, 0.0}), kStick);
  EXPECT_EQ(judged(1.26e-8, {0.0, 0.0}), kStick);
  EXPECT_EQ(judged(1.24e-8, {0.0, 0.0}), kOpen);
  EXPECT_EQ(judged(2.0, {4.9e-8, 0.0}), kStick);
  EXPECT_EQ(judged(2.0, {0.0, 5.1e-8}), kSlide);
  EXPECT_EQ(judged(2.0, {4e-8, 4e-8}), kSlide);
  EXPECT_EQ(judged(0.0, {1.0, 0.0}), kOpen);
  problem.mu(0) = 0.0;
  EXPECT_EQ(judged(2.0, {0.0, 0.0}), kSlide);
  FrictionSolution wrong;
  wrong.r = VectorXd::Zero(2);
  EXPECT_TRUE(classify(problem, wrong, kVerdictTolerance).empty());
}

TEST(Classify, Matrices) {
  LocalFriction local;
  local.W = MatrixXd(MatrixXd::Identity(3, 3) * 4.0).sparseView();
  local.q = vec({0.0, 3.0, 4.0});
  local.mu = VectorXd::Constant(1, 10.0);
  expect_friction_states(local, "local");
  GlobalFriction global;
  global.M = MatrixXd(MatrixXd::Identity(3, 3) * 0.25).sparseView();
  global.H = MatrixXd(MatrixXd::Identity(3, 3)).sparseView();
  global.f = VectorXd::Zero(3);
  global.w = local.q;
  global.G = SparseMatrix(3, 0);
  global.b = VectorXd(0);
  global.mu = local.mu;
  expect_friction_states(global, "global");
}

// A particle of 2 kg on a spring and damper with D = h K + B = 100 N·s/m along each axis, h = 0.01 s: L = h D = 1 kg, R = 1.
// It falls with 1 m/s, so us = √2, and ρ = 1/√2.
TEST(Classify, CompliantProblems) {
  CompliantProblem problem;
  problem.h = 0.01;
  problem.mass = BlockDiagonal({MatrixXd::Identity(3, 3) * 2.0});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = Vector3d(0.0, 0.0, -1.0);  // us = √2
  problem.f = VectorXd::Zero(3);
  const auto rows = [&](const Vector3d& axis) {
    CompliantRows made;
    made.G = rows_of(axis.transpose(), layout);
    made.K = VectorXd::Constant(1, 5000.0);
    made.B = VectorXd::Constant(1, 50.0);
    made.phi = VectorXd::Zero(1);
    return made;
  };
  problem.normal = rows(Vector3d::UnitZ());
  problem.r = rows(Vector3d::UnitX());
  problem.s = rows(Vector3d::UnitY());
  problem.bilateral.G = problem.unilateral.G = BlockRows(layout);
  problem.mu = VectorXd::Constant(1, 0.5);
  CompliantSolution solution;
  solution.lambda_b = solution.lambda_u = VectorXd(0);
  const auto judged = [&](FrictionLaw law, const Vector3d& v1, double normal, double friction) {
    solution.v1 = v1;
    solution.lambda_n = VectorXd::Constant(1, normal / problem.h);  // from impulses
    solution.lambda_r = VectorXd::Constant(1, friction / problem.h);
    solution.lambda_s = VectorXd::Zero(1);
    const States states = classify(problem, {UnilateralLaw::kComplementarity, law}, solution, kVerdictTolerance);
    EXPECT_EQ(states.size(), 1u);
    return states.at(0);
  };
  for (const FrictionLaw law : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
    // e_t = v1_x + R π_x: zero where the spring is stretched by what it gives.
    EXPECT_EQ(judged(law, {0.2, 0.0, 0.0}, 1.0, -0.2), kStick);
    EXPECT_EQ(judged(law, {0.2, 0.0, 0.0}, 1.0, -0.1), kSlide);
    EXPECT_EQ(judged(law, {0.2, 0.0, 0.0}, 0.0, 0.0), kOpen);
    // Scale of e without a load of its own: ρ us/10 + R us/ρ = 0.1 + 2; of its own 1e-6 more. Weight: ρ² + R = 1.5.
    EXPECT_EQ(judged(law, {2.09e-8, 0.0, 0.0}, 1.0, 0.0), kStick);
    EXPECT_EQ(judged(law, {2.11e-8, 0.0, 0.0}, 1.0, 0.0), kSlide);
    EXPECT_EQ(judged(law, {0.0, 0.0, 0.0}, 1.41e-8, 0.0), kStick);
    EXPECT_EQ(judged(law, {0.0, 0.0, 0.0}, 1.39e-8, 0.0), kOpen);
  }
  // The weighted program is judged by the place of the force in its cone.
  EXPECT_EQ(judged(FrictionLaw::kWeighted, {0.2, 0.0, 0.0}, 1.0, -0.49), kStick);
  EXPECT_EQ(judged(FrictionLaw::kWeighted, {0.0, 0.0, 0.0}, 1.0, -0.5), kSlide);
  EXPECT_EQ(judged(FrictionLaw::kWeighted, {0.0, 0.0, 0.0}, 0.0, 0.0), kOpen);
  problem.mu(0) = 0.0;
  for (const FrictionLaw law : {FrictionLaw::kCoulomb, FrictionLaw::kWeighted})
    EXPECT_EQ(judged(law, {0.0, 0.0, 0.0}, 1.0, 0.0), kSlide);
  problem.mu(0) = 0.5;  // tangents without spring and damper hold nothing
  problem.r.K.setZero();
  problem.r.B.setZero();
  problem.s.K.setZero();
  problem.s.B.setZero();
  for (const FrictionLaw law : {FrictionLaw::kCoulomb, FrictionLaw::kWeighted})
    EXPECT_EQ(judged(law, {0.0, 0.0, 0.0}, 1.0, 0.0), kSlide);
  solution.v1.resize(2);
  EXPECT_TRUE(classify(problem, Compliant{}, solution, kVerdictTolerance).empty());
}

}  // namespace
}  // namespace tribo
