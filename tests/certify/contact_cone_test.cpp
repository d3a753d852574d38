// Answers under CoulombCone. Problems are built backwards: an answer that obeys the law is chosen first, then the
// velocity before the step from which it follows.
#include "tribo/certify/certify.hpp"
#include "tribo/core/random.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <cmath>
#include <limits>

#include "certify/certify_testing.hpp"
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::expect_refused_by;
using testing::kInf;

constexpr double kTolerance = 1e-8;
constexpr double kRounding = 1e-14;
using Vector5d = Eigen::Matrix<double, 5, 1>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

// One body on the floor with rows N, S, T, spin, roll_s, roll_t: six unknowns, six rows.
struct Rig {
  ContactProblem problem;
  ContactSolution answer;

  // v follows from v⁺ and the impulses.
  void balance() {
    VectorXd impulse = problem.N.multiply_transposed(answer.f_n) + problem.S.multiply_transposed(answer.f_s) +
                       problem.T.multiply_transposed(answer.f_t);
    if (answer.f_spin.size() > 0) impulse += problem.spin.multiply_transposed(answer.f_spin);
    if (answer.f_roll_s.size() > 0) impulse += problem.roll_s.multiply_transposed(answer.f_roll_s);
    if (answer.f_roll_t.size() > 0) impulse += problem.roll_t.multiply_transposed(answer.f_roll_t);
    BlockCholesky::factor(problem.mass).value().solve(impulse);
    problem.v = answer.v_next - impulse;
  }
  Certificate certificate() const { return certify(problem, CoulombCone{}, answer); }
};

// The contact with eased velocities (w, û) and impulses (f_n, f) along its rows.
Rig rig(const Contact& contact, double w, const Vector5d& eased, double f_n, const Vector5d& f) {
  ContactBuilder builder;
  const Matrix3d inertia = Vector3d(0.02, 0.03, 0.04).asDiagonal();
  const Index body = builder.add_body(1.5, inertia, Vector3d(0.02, -0.03, 0.2));
  Contact asking = contact;  // rows for all; coefficients as given
  asking.mu_spin = asking.mu_roll = 1.0;
  builder.add_contact(body, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d(0.1, 0.2, 1.0), asking);
  Rig result;
  ContactProblem& problem = result.problem;
  problem = builder.build();
  problem.contacts[0].mu_spin = contact.mu_spin;
  problem.contacts[0].mu_roll = contact.mu_roll;
  const BlockRows* rows[] = {&problem.N, &problem.S, &problem.T, &problem.spin, &problem.roll_s, &problem.roll_t};
  Eigen::Matrix<double, 6, 6> all;
  for (Index k = 0; k < 6; ++k) all.row(k) = rows[k]->to_dense();
  Vector6d rates;
  rates << w - contact.compliance * f_n, eased;
  rates.segment<2>(1) -=
      contact.tangential_compliance * (f.head<2>() - Eigen::Vector2d(contact.held_s, contact.held_t));
  result.answer.v_next = all.partialPivLu().solve(rates);
  result.answer.f_n = VectorXd::Constant(1, f_n);
  VectorXd* couples[] = {&result.answer.f_s, &result.answer.f_t, &result.answer.f_spin, &result.answer.f_roll_s,
                         &result.answer.f_roll_t};
  for (Index k = 0; k < 5; ++k) *couples[k] = VectorXd::Constant(1, f(k));
  result.answer.f_j = VectorXd::Zero(0);
  result.balance();
  return result;
}

Contact coefficients(double mu, double mu_spin, double mu_roll) {
  Contact contact;
  contact.mu = mu;
  contact.mu_spin = mu_spin;
  contact.mu_roll = mu_roll;
  return contact;
}

Vector5d limits(const Contact& contact) {
  return (Vector5d() << contact.mu, contact.mu, contact.mu_spin, contact.mu_roll, contact.mu_roll).finished();
}

// −f_n mu² û/|mu û|: full friction against the slip, by the header of CoulombCone.
Vector5d full_friction(const Contact& contact, double f_n, const Vector5d& slip) {
  const Vector5d psi = limits(contact).cwiseProduct(slip);
  return -f_n / psi.norm() * limits(contact).cwiseProduct(psi);
}

Vector5d random_vector(Random& random) {
  Vector5d x;
  for (Index k = 0; k < 5; ++k) x(k) = random.uniform(-1.0, 1.0);
  return x;
}

const Vector5d kSlip = (Vector5d() << 1.0, -0.5, 2.0, 0.7, -1.3).finished();
const Contact kAll = coefficients(0.5, 0.02, 0.01);

// Open, sliding and sticking with one to five components of friction.
TEST(CertifyCone, AcceptsTheThreeStates) {
  for (const Contact& contact : {coefficients(0.5, 0, 0), coefficients(0, 0.02, 0), coefficients(0, 0, 0.01),
                                 coefficients(0.5, 0.02, 0), coefficients(0.5, 0, 0.01), kAll}) {
    EXPECT_LT(rig(contact, 0.0, kSlip, 3.0, full_friction(contact, 3.0, kSlip)).certificate().worst, kRounding);
    const Vector5d stuck = (limits(contact).array() > 0.0).select(Vector5d::Zero(), kSlip);
    EXPECT_LT(rig(contact, 0.0, stuck, 3.0, 0.9 * full_friction(contact, 3.0, kSlip)).certificate().worst, kRounding);
    EXPECT_LT(rig(contact, 0.4, kSlip, 0.0, Vector5d::Zero()).certificate().worst, kRounding);
  }
}

// Five times over with random slips and coefficients over six decades.
TEST(CertifyCone, AcceptsRandomSlides) {
  Random random(5);
  for (int k = 0; k < 500; ++k) {
    const Contact contact =
        coefficients(std::pow(10, random.uniform(-3.0, 3.0)), std::pow(10, random.uniform(-4.0, 2.0)),
                     std::pow(10, random.uniform(-4.0, 2.0)));
    const Vector5d slip = random_vector(random);
    const double f_n = std::pow(10, random.uniform(-6.0, 3.0));
    const Certificate certificate = rig(contact, 0.0, slip, f_n, full_friction(contact, f_n, slip)).certificate();
    EXPECT_LT(certificate.worst, 1e-12) << k;
  }
}

// A millionth too much friction is outside of the cone, and off the point of the law, although the direction is right.
TEST(CertifyCone, RefusesForcesOutsideTheCone) {
  const Vector5d full = full_friction(kAll, 3.0, kSlip);
  expect_refused_by(rig(kAll, 0.0, kSlip, 3.0, (1.0 + 1e-6) * full).certificate(), {"cone", "friction law"});
  // Each component within its own limit, all together outside of the ellipsoid.
  const Vector5d corner = -0.9 * 3.0 * limits(kAll).cwiseProduct(kSlip.cwiseSign());
  EXPECT_GT(rig(kAll, 0.0, Vector5d::Zero(), 3.0, corner).certificate().find("cone")->relative, 1e-2);
}

// Less than full friction while slipping: by a millionth, by half, and none at all.
TEST(CertifyCone, RefusesTooLittleFriction) {
  const Vector5d full = full_friction(kAll, 3.0, kSlip);
  for (const double share : {1.0 - 1e-6, 0.5, 0.0}) {
    expect_refused_by(rig(kAll, 0.0, kSlip, 3.0, share * full).certificate(), {"friction law"});
  }
}

// Friction turned by 1e-4 rad in the plane of the tangents.
TEST(CertifyCone, RefusesFrictionThatIsTurned) {
  const Contact contact = coefficients(0.5, 0, 0);
  const Vector5d full = full_friction(contact, 3.0, kSlip);
  for (const double angle : {1e-4, -1e-4, 0.3}) {
    Vector5d turned = full;
    turned.head<2>() = Eigen::Rotation2Dd(angle) * full.head<2>();
    expect_refused_by(rig(contact, 0.0, kSlip, 3.0, turned).certificate(), {"friction law"});
  }
}

// The same on the ellipsoid: a point of its surface beside the one that dissipates most.
TEST(CertifyCone, RefusesFrictionThatIsNotTheMostDissipative) {
  Random random(11);
  for (int k = 0; k < 200; ++k) {
    const Vector5d slip = random_vector(random);
    const Vector5d other = slip + 1e-4 * slip.norm() * random_vector(random);
    if ((other.normalized() - slip.normalized()).norm() < 2e-5) continue;
    const Certificate certificate = rig(kAll, 0.0, slip, 3.0, full_friction(kAll, 3.0, other)).certificate();
    EXPECT_GT(certificate.find("friction law")->relative, kTolerance) << k;
  }
}

// mu = 1e-9 beside mu_spin = 0.23: friction along s and t is tiny and near every direction, and it fills the cone where the couple
// is left out. Also a couple that is halved or turned round, and rolling friction likewise.
TEST(CertifyCone, RefusesMissingCouplesBesideTinyFriction) {
  const Contact contact = coefficients(1e-9, 0.23, 0.04);
  const Vector5d full = full_friction(contact, 3.0, kSlip);
  EXPECT_LT(rig(contact, 0.0, kSlip, 3.0, full).certificate().worst, kRounding);
  const Vector5d tangents_alone = full_friction(coefficients(1e-9, 0, 0), 3.0, kSlip);
  EXPECT_GT(rig(contact, 0.0, kSlip, 3.0, tangents_alone).certificate().find("friction law")->relative, 1e-3);
  const Vector5d without_roll = full_friction(coefficients(1e-9, 0.23, 0), 3.0, kSlip);
  EXPECT_GT(rig(contact, 0.0, kSlip, 3.0, without_roll).certificate().find("friction law")->relative, 1e-3);
  for (const double share : {1.0 - 1e-6, 0.5, 0.0, -1.0}) {
    for (const Index first : {2, 3}) {
      Vector5d wrong = full;
      wrong.segment(first, first == 2 ? 1 : 2) *= share;
      EXPECT_GT(rig(contact, 0.0, kSlip, 3.0, wrong).certificate().find("friction law")->relative, kTolerance)
          << share << ", " << first;
    }
  }
}

// Points of the law with coefficients and loads far apart, moved by a little rounding: of the slip by 1e-12 of us, of each force
// by 1e-12 of its limit and of what the slip asks for.
TEST(CertifyCone, AcceptsPointsWithMixedCoefficients) {
  Random random(17);
  for (int k = 0; k < 1000; ++k) {
    const auto mu = [&] { return std::pow(10.0, random.uniform(-9.0, 3.0)); };
    const Contact contact = coefficients(mu(), mu(), mu());
    const Vector5d slip = random_vector(random);
    const double f_n = std::pow(10.0, random.uniform(-9.0, 6.0));
    Vector5d full = full_friction(contact, f_n, slip);
    EXPECT_LT(rig(contact, 0.0, slip, f_n, full).certificate().worst, 1e-12) << k;
    full += 1e-12 * f_n * limits(contact).cwiseProduct(random_vector(random));
    const Vector5d moved = slip + 1e-12 * random_vector(random);
    EXPECT_LT(rig(contact, 0.0, moved, f_n, full).certificate().worst, kTolerance) << k;
  }
}

// Friction along the slip adds energy, also where it is the couple about the normal that drives.
TEST(CertifyCone, RefusesFrictionThatDrives) {
  expect_refused_by(rig(kAll, 0.0, kSlip, 3.0, -full_friction(kAll, 3.0, kSlip)).certificate(),
                    {"friction law", "dissipation"});
  const Contact spin = coefficients(0, 0.02, 0);
  expect_refused_by(rig(spin, 0.0, kSlip, 3.0, -full_friction(spin, 3.0, kSlip)).certificate(),
                    {"friction law", "dissipation"});
}

// A contact that opens or bears no load has no friction, whatever mu is.
TEST(CertifyCone, RefusesFrictionWithoutNormalForce) {
  for (const double mu : {0.5, 1e6, 1e20}) {
    const Contact contact = coefficients(mu, mu, mu);
    const Vector5d full = full_friction(contact, 1e-3 / mu, kSlip);
    const Certificate open = rig(contact, 0.5, kSlip, 0.0, full).certificate();
    EXPECT_GT(open.find("cone")->relative, kTolerance);
    EXPECT_LT(open.find("normal")->relative, kRounding);
    EXPECT_GT(rig(contact, 0.0, Vector5d::Zero(), 0.0, full).certificate().find("cone")->relative, kTolerance);
  }
}

// Pushing at a distance, pulling and penetration are refused as by every model.
TEST(CertifyCone, HoldsNormalsToSignorini) {
  const Contact contact = coefficients(0.5, 0, 0);
  expect_refused_by(rig(contact, 0.1, Vector5d::Zero(), 3.0, Vector5d::Zero()).certificate(), {"normal"});
  expect_refused_by(rig(contact, -0.1, Vector5d::Zero(), 0.0, Vector5d::Zero()).certificate(), {"normal"});
  expect_refused_by(rig(contact, 0.0, Vector5d::Zero(), -3.0, Vector5d::Zero()).certificate(), {"normal", "cone"});
}

// A component whose coefficient is zero carries nothing, though there is a row for it.
TEST(CertifyCone, RefusesForceWithoutACoefficient) {
  for (Index k = 2; k < 5; ++k) {
    const Contact contact = coefficients(0.5, 0, 0);
    Vector5d f = full_friction(contact, 3.0, kSlip);
    f(k) = 1e-6;
    EXPECT_GT(rig(contact, 0.0, kSlip, 3.0, f).certificate().find("cone")->relative, kTolerance);
  }
  const Contact smooth = coefficients(0, 0, 0);
  EXPECT_LT(rig(smooth, 0.0, kSlip, 3.0, Vector5d::Zero()).certificate().worst, kRounding);
  EXPECT_GT(rig(smooth, 0.0, kSlip, 3.0, 1e-6 * kSlip).certificate().find("cone")->relative, kTolerance);
}

// Coefficients have no scale of their own to hide behind: right answers pass, and wrong ones do not, but for friction
// that is lost in the rounding of what the normal force does.
TEST(CertifyCone, MakesSenseAtTheEndsOfMu) {
  for (const double mu : {1e-12, 1e-6, 1e6, 1e20, 1e100}) {
    const Contact contact = coefficients(mu, 0, 0);
    const double f_n = 2.0 / mu;
    const Vector5d full = full_friction(contact, f_n, kSlip);
    EXPECT_LT(rig(contact, 0.0, kSlip, f_n, full).certificate().find("friction law")->relative, kRounding) << mu;
    EXPECT_LT(rig(contact, 0.0, kSlip, f_n, full).certificate().find("cone")->relative, kRounding) << mu;
    if (mu < 1.0) continue;
    EXPECT_GT(rig(contact, 0.0, kSlip, f_n, 1.001 * full).certificate().find("cone")->relative, 1e-6) << mu;
    EXPECT_GT(rig(contact, 0.0, kSlip, f_n, 0.999 * full).certificate().find("friction law")->relative, 1e-6) << mu;
    Vector5d turned = full;
    turned.head<2>() = Eigen::Rotation2Dd(1e-3) * full.head<2>();
    EXPECT_GT(rig(contact, 0.0, kSlip, f_n, turned).certificate().find("friction law")->relative, 1e-6) << mu;
  }
  // Sliding although friction could hold a million times the load.
  expect_refused_by(
      rig(coefficients(1e6, 0, 0), 0.0, kSlip, 2.0, full_friction(coefficients(1, 0, 0), 2.0, kSlip)).certificate(),
      {"friction law"});
}

// The law is written for the eased velocity: N v⁺ + b_N + compliance f_n, S v⁺ + tangential_compliance f_s.
TEST(CertifyCone, AcceptsCompliance) {
  for (const double softness : {1e-9, 1e-3, 1.0, 1e4}) {
    Contact contact = kAll;
    contact.compliance = softness;
    contact.tangential_compliance = 0.5 * softness;
    const double f_n = 3.0 / (1.0 + softness);
    const Vector5d full = full_friction(contact, f_n, kSlip);
    EXPECT_LT(rig(contact, 0.0, kSlip, f_n, full).certificate().worst, kRounding) << softness;
    EXPECT_LT(rig(contact, 0.0, Vector5d::Zero(), f_n, 0.5 * full).certificate().worst, kRounding) << softness;
    EXPECT_LT(rig(contact, 0.3, kSlip, 0.0, Vector5d::Zero()).certificate().worst, kRounding) << softness;
    // The eased velocity still approaches, or leaves although the spring pushes.
    EXPECT_GT(rig(contact, -1e-4, kSlip, f_n, full).certificate().find("normal")->relative, kTolerance) << softness;
    EXPECT_GT(rig(contact, 1e-4, kSlip, f_n, full).certificate().find("normal")->relative, kTolerance) << softness;
  }
}

// Springs that are stretched when the step begins: the law is one of S v⁺ + tangential_compliance (f_s − held_s).
TEST(CertifyCone, AcceptsWhatSpringsHold) {
  for (const double softness : {1e-9, 1e-3, 1.0}) {
    Contact contact = kAll;
    contact.tangential_compliance = softness;
    contact.held_s = 0.4;
    contact.held_t = -0.3;
    const Vector5d full = full_friction(contact, 3.0, kSlip);
    EXPECT_LT(rig(contact, 0.0, kSlip, 3.0, full).certificate().worst, kRounding) << softness;
    Rig stuck = rig(contact, 0.0, Vector5d::Zero(), 3.0, 0.5 * full);
    EXPECT_LT(stuck.certificate().worst, kRounding) << softness;
    EXPECT_LT(rig(contact, 0.3, kSlip, 0.0, Vector5d::Zero()).certificate().worst, kRounding) << softness;
    stuck.problem.contacts[0].held_t += 0.1 / softness;
    expect_refused_by(stuck.certificate(), {"friction law"});
  }
}

// An answer of the rigid problem is none of the soft one, and the other way round.
TEST(CertifyCone, TellsSoftFromRigid) {
  Contact soft = coefficients(0.5, 0, 0);
  soft.compliance = soft.tangential_compliance = 0.01;
  Rig rigid = rig(coefficients(0.5, 0, 0), 0.0, Vector5d::Zero(), 3.0, 0.5 * full_friction(soft, 3.0, kSlip));
  EXPECT_LT(rigid.certificate().worst, kRounding);
  rigid.problem.contacts[0].compliance = 0.01;
  expect_refused_by(rigid.certificate(), {"normal"});
  rigid.problem.contacts[0].compliance = 0.0;
  rigid.problem.contacts[0].tangential_compliance = 0.01;
  expect_refused_by(rigid.certificate(), {"friction law"});
  // Other models are rigid, whatever a contact says of its compliance.
  Rig sliding = rig(coefficients(0, 0, 0), 0.0, kSlip, 3.0, Vector5d::Zero());
  sliding.problem.contacts[0].compliance = 0.01;
  EXPECT_LT(certify(sliding.problem, Frictionless{}, sliding.answer).worst, kRounding);
}

// In the plane friction has one component.
TEST(CertifyCone, ChecksPlanarProblems) {
  ContactBuilder builder;
  const Index body = builder.add_planar_body(2.0, 0.1, {0.1, 0.3});
  Contact contact;
  contact.mu = 0.5;
  builder.add_planar_contact(body, ContactBuilder::kWorld, {0, 0}, {0, 1}, contact);
  Rig planar{builder.build(), {}};
  const auto certified = [&](double f_s) {
    planar.answer.v_next = Vector3d(1.0, 0.0, 0.0);
    planar.answer.f_n = VectorXd::Constant(1, 2.0);
    planar.answer.f_s = VectorXd::Constant(1, f_s);
    planar.answer.f_t = planar.answer.f_j = VectorXd::Zero(0);
    planar.balance();
    return planar.certificate();
  };
  EXPECT_LT(certified(-1.0).worst, kRounding);
  expect_refused_by(certified(-1.0 - 1e-6), {"cone", "friction law"});
  expect_refused_by(certified(-0.9), {"friction law"});
  expect_refused_by(certified(1.0), {"friction law", "dissipation"});
}

// Two plates squeeze a light block a million times harder than anything moves it: rounding of the forces is no
// violation, and what they do wrong is still seen.
TEST(CertifyCone, BearsHugeInternalForces) {
  ContactBuilder builder;
  const Index block = builder.add_body(1e-2, sphere_inertia(1e-2, 0.05), Vector3d::Zero());
  Contact contact;
  contact.mu = 1.0 / 3.0;
  builder.add_contact(block, ContactBuilder::kWorld, {-0.05, 0, 0}, Vector3d::UnitX(), Vector3d::UnitY(), contact);
  builder.add_contact(block, ContactBuilder::kWorld, {0.05, 0, 0}, -Vector3d::UnitX(), Vector3d::UnitY(), contact);
  Rig jammed{builder.build(), {}};
  const auto certified = [&](double share) {
    const double squeeze = 1e4 / 3.0, friction = share * squeeze / 3.0;
    ContactSolution& answer = jammed.answer;
    answer.v_next = VectorXd::Zero(6);
    answer.f_n = Eigen::Vector2d(squeeze, squeeze);
    answer.f_s = Eigen::Vector2d(friction, -friction);  // against one another
    answer.f_t = Eigen::Vector2d(0.5e-3, -0.5e-3);      // t is −z, then z: together they hold the block up
    answer.f_j = VectorXd::Zero(0);
    jammed.balance();
    return jammed.certificate();
  };
  EXPECT_LT(certified(0.99).worst, 1e-9);
  EXPECT_GT(certified(1.0 + 1e-6).find("cone")->relative, kTolerance);
}

// A particle of 1e-4 kg held between a floor and one of 1e4 kg that slides on it. On the scale of what the heavy one
// could do to the light one a slip of 1 m/s is 1e-4.
TEST(CertifyCone, BearsMassRatios) {
  ContactBuilder builder;
  const Index light = builder.add_tree(1e-4 * MatrixXd::Identity(3, 3));
  const Index heavy = builder.add_tree(1e4 * MatrixXd::Identity(3, 3));
  const auto row = [&](Index axis, bool upper) {
    const VectorXd along = Vector3d::Unit(axis);
    std::vector<ContactBuilder::Part> parts = {{upper ? heavy : light, along}};
    if (upper) parts.push_back({light, -along});
    return parts;
  };
  Contact contact;
  contact.mu = 0.5;
  builder.add_contact_rows({row(2, false), row(0, false), row(1, false)}, contact);
  contact.mu = 0.3;
  builder.add_contact_rows({row(2, true), row(0, true), row(1, true)}, contact);
  Rig stack{builder.build(), {}};
  const auto certified = [&](double angle, double share) {
    ContactSolution& answer = stack.answer;
    const Eigen::Vector2d slip(0.6, 0.8), friction = -0.3 * 900.0 * share * (Eigen::Rotation2Dd(angle) * slip);
    answer.v_next = VectorXd::Zero(6);
    answer.v_next.segment<2>(3) = slip;
    answer.f_n = Eigen::Vector2d(900.0, 900.0);
    answer.f_s = Eigen::Vector2d(friction.x(), friction.x());
    answer.f_t = Eigen::Vector2d(friction.y(), friction.y());
    answer.f_j = VectorXd::Zero(0);
    stack.balance();
    return stack.certificate();
  };
  EXPECT_LT(certified(0.0, 1.0).worst, 1e-12);
  EXPECT_GT(certified(1e-3, 1.0).find("friction law")->relative, kTolerance);
  EXPECT_GT(certified(0.0, 1.0 - 1e-6).find("friction law")->relative, kTolerance);
  EXPECT_GT(certified(0.0, 1.0 + 1e-6).find("cone")->relative, kTolerance);
}

// Millimetres, tons and minutes: every relative residual of a wrong answer stays what it was.
TEST(CertifyCone, IsFreeOfUnits) {
  const double length = 1e3, mass = 1e-3, time = 1.0 / 60.0;
  const double speed = length / time, impulse = mass * speed;
  Contact contact = kAll;
  contact.compliance = 0.02;
  contact.tangential_compliance = 0.01;
  const Vector5d wrong = 1.2 * full_friction(contact, 3.0, kSlip) + 0.003 * (Vector5d() << 1, 2, 1, 0, 3).finished();
  const Rig before = rig(contact, -0.1, kSlip, 3.0, wrong);
  Rig after = before;
  ContactProblem& problem = after.problem;
  const Vector6d linear_first = (Vector6d() << length, length, length, 1, 1, 1).finished();
  MatrixXd M = problem.mass.block(0) * mass;  // kg m² in the lower corner
  M.bottomRightCorner<3, 3>() *= length * length;
  problem.mass = BlockDiagonal({M});
  const auto in_units = [&](const BlockRows& rows, bool turning) {
    MatrixXd dense = rows.to_dense();  // m per rad in the last three columns of N, S, T
    if (!turning) dense.rightCols<3>() *= length;
    return BlockRows::from_dense(dense, problem.mass.layout()).value();
  };
  problem.N = in_units(problem.N, false);
  problem.S = in_units(problem.S, false);
  problem.T = in_units(problem.T, false);
  problem.spin = in_units(problem.spin, true);
  problem.roll_s = in_units(problem.roll_s, true);
  problem.roll_t = in_units(problem.roll_t, true);
  problem.J = BlockRows(problem.mass.layout());
  problem.v = linear_first.cwiseProduct(problem.v) / time;
  after.answer.v_next = linear_first.cwiseProduct(before.answer.v_next) / time;
  for (VectorXd* f : {&after.answer.f_n, &after.answer.f_s, &after.answer.f_t}) *f *= impulse;
  for (VectorXd* f : {&after.answer.f_spin, &after.answer.f_roll_s, &after.answer.f_roll_t}) *f *= impulse * length;
  Contact& scaled = problem.contacts[0];
  scaled.mu_spin *= length;
  scaled.mu_roll *= length;
  scaled.compliance *= speed / impulse;
  scaled.tangential_compliance *= speed / impulse;
  const Certificate first = before.certificate(), second = after.certificate();
  ASSERT_EQ(first.residuals.size(), second.residuals.size());
  for (std::size_t i = 0; i < first.residuals.size(); ++i) {
    EXPECT_NEAR(first.residuals[i].relative, second.residuals[i].relative, 1e-12) << first.residuals[i].name;
  }
  EXPECT_GT(first.find("cone")->relative, 1e-3);
  EXPECT_GT(first.find("friction law")->relative, 1e-4);
}

// Couples that have to vanish may be left out; those that the law asks for may not, and no other model has any.
TEST(CertifyCone, KnowsWhichCouplesBelongToAModel) {
  Rig sliding = rig(coefficients(0, 0.02, 0), 0.0, kSlip, 3.0, full_friction(coefficients(0, 0.02, 0), 3.0, kSlip));
  EXPECT_NE(certify(sliding.problem, Frictionless{}, sliding.answer).find("couples"), nullptr);
  EXPECT_NE(certify(sliding.problem, CoulombPyramid{}, sliding.answer).find("couples"), nullptr);
  sliding.answer.f_roll_s.resize(0);
  sliding.answer.f_roll_t.resize(0);
  EXPECT_LT(sliding.certificate().worst, kRounding);
  sliding.answer.f_spin.resize(0);
  EXPECT_NE(sliding.certificate().find("size"), nullptr);

  Rig free = rig(coefficients(0, 0.02, 0.01), 0.0, kSlip, 3.0, Vector5d::Zero());
  EXPECT_LT(certify(free.problem, Frictionless{}, free.answer).worst, kRounding);
  free.answer.f_spin.resize(0);
  free.answer.f_roll_s.resize(0);
  free.answer.f_roll_t.resize(0);
  EXPECT_LT(certify(free.problem, Frictionless{}, free.answer).worst, kRounding);
}

// A couple that is missing in the momentum is seen there.
TEST(CertifyCone, BalancesCouples) {
  Rig sliding = rig(kAll, 0.0, kSlip, 3.0, full_friction(kAll, 3.0, kSlip));
  sliding.answer.f_spin(0) += 1e-6;
  EXPECT_GT(sliding.certificate().find("momentum")->relative, kTolerance);
  sliding.answer.f_spin(0) = std::nan("");
  EXPECT_NE(sliding.certificate().find("finite"), nullptr);
  sliding.answer.f_spin = VectorXd::Zero(2);
  EXPECT_NE(sliding.certificate().find("size"), nullptr);
}

// Nothing moves, nothing pushes: zero over zero is an answer, and any force is none.
TEST(CertifyCone, JudgesRest) {
  Rig rest = rig(kAll, 0.0, Vector5d::Zero(), 0.0, Vector5d::Zero());
  EXPECT_EQ(rest.certificate().worst, 0.0);
  rest.answer.f_spin(0) = 1e-9;
  EXPECT_EQ(rest.certificate().worst, kInf);
}

// Two bodies that do not touch are judged apart, couples included.
TEST(CertifyCone, JudgesIslandsApart) {
  ContactBuilder builder;
  Contact contact = coefficients(0, 0.02, 0);
  for (const double x : {0.0, 10.0}) {
    const Index body = builder.add_body(1.0, sphere_inertia(1.0, 0.1), Vector3d(x, 0, 0.1));
    builder.add_contact(body, ContactBuilder::kWorld, Vector3d(x, 0, 0), Vector3d::UnitZ(), contact);
  }
  Rig two{builder.build(), {}};
  ContactSolution& answer = two.answer;
  answer.v_next = VectorXd::Zero(12);
  answer.v_next(5) = 1e-6;  // both spin on, one a million million times as fast
  answer.v_next(11) = -1e6;
  answer.f_n = Eigen::Vector2d(1e-6, 1e6);
  answer.f_s = answer.f_t = Eigen::Vector2d(0, 0);
  answer.f_spin = Eigen::Vector2d(-0.02 * 1e-6, 0.02 * 1e6);
  answer.f_j = VectorXd::Zero(0);
  two.balance();
  EXPECT_LT(two.certificate().worst, kRounding);
  answer.f_spin(0) = 0.0;
  two.balance();
  expect_refused_by(two.certificate(), {"friction law"});
}

}  // namespace
}  // namespace tribo
