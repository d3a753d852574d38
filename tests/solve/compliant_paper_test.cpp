// The two programs of the compliant paper: references, their known differences from the laws, random problems, samples.
#include "tribo/certify/compliant.hpp"
#include "tribo/core/random.hpp"
#include "tribo/io/problem_file.hpp"
#include "tribo/problem/compliant_name.hpp"
#include "tribo/problem/compliant_problem.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "certify/compliant_program.hpp"
#include "solve/compliant/least_norm.hpp"
#include "solve/compliant/weighted.hpp"
#include "support/paths.hpp"
#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace tribo {
namespace {

using compliant::solve_least_norm;
using compliant::solve_weighted;

const Compliant kProgramOfRows{UnilateralLaw::kLeastNorm, FrictionLaw::kCoulomb};
const Compliant kProgramOfContacts{UnilateralLaw::kComplementarity, FrictionLaw::kWeighted};

CompliantFile read_step(const std::string& name) {
  const auto file = read_problem(testing::source_dir() + "/data/reference-first-order/" + name + ".json");
  return std::get<CompliantFile>(file.value().problem);
}

const CompliantReference& answer_of(const CompliantFile& file, const std::string& model) {
  for (const CompliantReference& reference : file.solutions) {
    if (reference.model == model) return reference;
  }
  throw std::runtime_error("no answer " + model);
}

double largest_of(const CompliantSolution& answer) {
  double largest = 0.0;
  for (const VectorXd* forces :
       {&answer.lambda_b, &answer.lambda_u, &answer.lambda_n, &answer.lambda_r, &answer.lambda_s}) {
    if (forces->size() > 0) largest = std::max(largest, forces->cwiseAbs().maxCoeff());
  }
  return largest;
}

double force_difference(const CompliantSolution& a, const CompliantSolution& b) {
  double worst = 0.0;
  const auto compare = [&](const VectorXd& x, const VectorXd& y) {
    if (x.size() > 0 && y.size() > 0) worst = std::max(worst, (x - y).cwiseAbs().maxCoeff());
  };
  compare(a.lambda_b, b.lambda_b);
  compare(a.lambda_u, b.lambda_u);
  compare(a.lambda_n, b.lambda_n);
  compare(a.lambda_r, b.lambda_r);
  compare(a.lambda_s, b.lambda_s);
  return worst;
}

void expect_reference(const CompliantSolution& answer, const CompliantReference& reference) {
  EXPECT_LE(force_difference(answer, reference.solution), 1e-8 * largest_of(reference.solution));
  EXPECT_LE((answer.v1 - reference.solution.v1).cwiseAbs().maxCoeff(), 1e-10);
}

const std::vector<std::string> kRowFiles = {
    "u1_particle", "u2_open_spring_qp_differs", "u3_squeezed",      "u4_tilted_plate",
    "u5_all_open", "u6_uniform_ray_infeasible", "u7_with_bilateral"};
const std::vector<std::string> kContactFiles = {"f1_2d_particle_stick",   "f2_2d_particle_slide",
                                                "f3_2d_frictionless",     "f4_2d_block_slide",
                                                "f5_3d_particle_slide",   "f6_3d_anisotropic",
                                                "f7_3d_stick_slide_open", "f8_3d_full_system",
                                                "f9_3d_hertz_three_feet", "f10_3d_separating_while_sliding"};

// The files were solved with fifty digits: there is one right answer.
TEST(CompliantLeastNorm, ReachesTheReferenceAnswers) {
  for (const std::string& name : kRowFiles) {
    SCOPED_TRACE(name);
    const CompliantFile file = read_step(name);
    const CompliantReference& reference = answer_of(file, "qp");
    CompliantSolution answer;
    EXPECT_EQ(solve_least_norm(file.problem, {}, answer).status, Status::kSolved);
    expect_reference(answer, reference);
    ASSERT_EQ(reference.row_multipliers.size(), answer.row_multipliers.size());
    EXPECT_LE((answer.row_multipliers - reference.row_multipliers).cwiseAbs().maxCoeff(),
              1e-8 * std::max(1.0, reference.row_multipliers.maxCoeff()));
    EXPECT_TRUE(certify_program(file.problem, kProgramOfRows, answer).passes(1e-12));
  }
}

// The program is not the law λ = max(0, law): spec B.3 says where they part.
TEST(CompliantLeastNorm, DiffersFromTheLawWhereListed) {
  const auto distance = [](const std::string& name) {
    const CompliantFile file = read_step(name);
    CompliantSolution answer;
    EXPECT_EQ(solve_least_norm(file.problem, {}, answer).status, Status::kSolved);
    const CompliantSolution& law = answer_of(file, "lcp").solution;
    return force_difference(answer, law) / largest_of(law);
  };
  for (const char* name : {"u2_open_spring_qp_differs", "u4_tilted_plate", "u7_with_bilateral"}) {
    EXPECT_GT(distance(name), 1e-2) << name;
  }
  for (const char* name : {"u3_squeezed", "u6_uniform_ray_infeasible"}) EXPECT_LT(distance(name), 1e-8) << name;
}

MatrixXd random_normals(Index rows, Index cols, Random& random) {
  MatrixXd result(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i) result(i, j) = random.normal();
  }
  return result;
}

CompliantRows make_rows(const MatrixXd& G, const BlockLayout& layout, double softest, double stiffest, Random& random) {
  CompliantRows rows;
  const Index m = G.rows();
  rows.G = BlockRows::from_dense(G, layout).value();
  rows.K.resize(m);
  rows.B.resize(m);
  rows.phi.resize(m);
  rows.drift.resize(m);
  for (Index i = 0; i < m; ++i) {
    rows.K(i) = std::pow(10.0, random.uniform(softest, stiffest));
    rows.B(i) = random.chance(0.5) ? 0.0 : std::pow(10.0, random.uniform(0.0, 3.0));
    rows.phi(i) = 1e-2 * random.normal();
    rows.drift(i) = random.normal();
  }
  return rows;
}

// Bodies of one block each; rows between any two of them or of one alone.
struct PaperShape {
  bool planar = false;
  Index bodies = 1, bilateral = 0, unilateral = 0, contacts = 0;
  double stiffest = 7.0;  // powers of ten
  double friction = 4.0;  // of B of the tangents
};

MatrixXd random_block_rows(Index rows, const BlockLayout& layout, Random& random) {
  MatrixXd G = MatrixXd::Zero(rows, layout.size());
  for (Index i = 0; i < rows; ++i) {
    for (int side = 0; side < 2; ++side) {
      const Index block = random.integer(0, layout.blocks() - 1);
      for (Index k = 0; k < layout.size(block); ++k) G(i, layout.start(block) + k) = random.normal();
    }
  }
  return G;
}

CompliantProblem random_step(const PaperShape& shape, Random& random) {
  CompliantProblem problem;
  problem.h = 0.01;
  const Index size = shape.planar ? 3 : 6;
  for (Index b = 0; b < shape.bodies; ++b) {
    const MatrixXd root = random_normals(size, size, random);
    problem.mass.append(std::pow(10.0, random.uniform(-1.0, 1.0)) *
                        (root * root.transpose() / 6.0 + 0.1 * MatrixXd::Identity(size, size)));
  }
  const BlockLayout& layout = problem.mass.layout();
  problem.v = random_normals(layout.size(), 1, random);
  problem.f = 10.0 * random_normals(layout.size(), 1, random);
  problem.product = random.chance(0.5) ? VelocityProduct::kNone : VelocityProduct::kSpring;
  const auto rows = [&](Index m, double softest, double stiffest) {
    return make_rows(random_block_rows(m, layout, random), layout, softest, stiffest, random);
  };
  problem.bilateral = rows(shape.bilateral, 3.0, shape.stiffest);
  problem.unilateral = rows(shape.unilateral, 3.0, shape.stiffest);
  problem.normal = rows(shape.contacts, 3.0, shape.stiffest);
  problem.r = rows(shape.contacts, 3.0, 5.0);
  problem.s = rows(shape.planar ? 0 : shape.contacts, 3.0, 5.0);
  for (CompliantRows* tangents : {&problem.r, &problem.s}) {
    for (Index i = 0; i < tangents->rows(); ++i) {
      if (random.chance(0.7)) tangents->K(i) = 0.0;
      tangents->B(i) = std::pow(10.0, random.uniform(1.0, shape.friction));
    }
  }
  problem.mu.resize(shape.contacts);
  problem.rate_scale.resize(shape.contacts);
  for (Index i = 0; i < shape.contacts; ++i) {
    problem.mu(i) = random.chance(0.1) ? 0.0 : random.uniform(0.05, 1.5);
    problem.rate_scale(i) = random.chance(0.7) ? 1.0 : random.uniform(1e-3, 2.0);
  }
  if (!random.chance(0.5)) problem.zeta = std::pow(10.0, random.uniform(0.0, 6.0));
  return problem;
}

// The program written out plainly in doubles: for soft rows on few bodies, where nothing is lost by it.
struct PlainProgram {
  explicit PlainProgram(const CompliantProblem& problem) : planar(problem.s.rows() == 0), mu(problem.mu) {
    const double h = problem.h;
    const MatrixXd M = problem.mass.to_dense();
    const auto laws = [&](const CompliantRows& rows, const VectorXd& scale, VectorXd& slope, VectorXd& offset) {
      slope.resize(rows.rows());
      offset.resize(rows.rows());
      for (Index i = 0; i < rows.rows(); ++i) {
        const CompliantRow row = calc_row(rows, i, h, problem.product, scale.size() > 0 ? scale(i) : 1.0);
        slope(i) = row.D;
        offset(i) = row.offset;
      }
    };
    VectorXd D_b, offset_b;
    laws(problem.bilateral, VectorXd(), D_b, offset_b);
    const MatrixXd G_b = problem.bilateral.G.to_dense();
    MatrixXd stiff = M;
    VectorXd momentum = M * problem.v + h * problem.f;
    if (D_b.size() > 0) {
      stiff += h * G_b.transpose() * D_b.asDiagonal() * G_b;
      momentum -= h * G_b.transpose() * D_b.cwiseProduct(offset_b);
    }
    const Eigen::LLT<MatrixXd> factor(stiff);
    const Index k = problem.contacts(), u = problem.unilateral.rows(), sides = planar ? 1 : 2;
    MatrixXd G(u + k * (1 + sides), problem.dof());
    D.resize(G.rows());
    c.resize(G.rows());
    weight.setOnes(G.rows());
    Index at = 0;
    const auto add = [&](const CompliantRows& rows, const VectorXd& scale, double w) {
      VectorXd D_rows, offset;
      laws(rows, scale, D_rows, offset);
      if (rows.rows() == 0) return;
      G.middleRows(at, rows.rows()) = rows.G.to_dense();
      D.segment(at, rows.rows()) = D_rows;
      c.segment(at, rows.rows()) = offset;
      weight.segment(at, rows.rows()).setConstant(w);
      at += rows.rows();
    };
    const double zeta = problem.normal_weight();
    add(problem.unilateral, VectorXd(), zeta);
    add(problem.normal, problem.rate_scale, zeta);
    pushing = at;
    add(problem.r, VectorXd(), 1.0);
    add(problem.s, VectorXd(), 1.0);
    W = h * G * factor.solve(MatrixXd(G.transpose()));
    c += G * factor.solve(momentum);
  }

  VectorXd pack(const CompliantSolution& answer) const {
    VectorXd x(c.size());
    x << answer.lambda_u, answer.lambda_n, answer.lambda_r, answer.lambda_s;
    return x;
  }
  bool is_allowed(const VectorXd& x) const {
    const VectorXd slack = x + D.cwiseProduct(W * x + c);
    const Index k = mu.size(), first = pushing - k;
    for (Index i = 0; i < pushing; ++i) {
      if (!(slack(i) >= 0.0) || !(x(i) >= 0.0)) return false;
    }
    for (Index i = 0; i < k; ++i) {
      const double sideways = planar ? std::abs(x(pushing + i)) : std::hypot(x(pushing + i), x(pushing + k + i));
      if (sideways > mu(i) * x(first + i)) return false;
    }
    return true;
  }
  double cost(const VectorXd& x) const {
    const VectorXd beta = (x + D.cwiseProduct(W * x + c)).tail(c.size() - pushing);
    return 0.5 * x.dot(weight.cwiseProduct(x)) + 0.5 * beta.squaredNorm();
  }

  bool planar;
  VectorXd mu, D, c, weight;
  MatrixXd W;
  Index pushing = 0;  // unilateral rows and normals come first
};

// λ of the complementarity law over all sets of loaded rows; the slack of the others in `slack`. Empty: none found.
VectorXd enumerate_law(const MatrixXd& A, const VectorXd& r, VectorXd& slack) {
  const Index n = r.size();
  for (int set = 0; set < (1 << n); ++set) {
    MatrixXd K = MatrixXd::Identity(n, n);
    VectorXd right = VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i) {
      if ((set >> i & 1) == 0) continue;
      K.row(i) = A.row(i);
      right(i) = r(i);
    }
    const VectorXd x = (K.transpose() * K).ldlt().solve(K.transpose() * right);
    slack = A * x - r;
    if ((K * x - right).norm() > 1e-9 * (1.0 + right.norm()) || x.minCoeff() < -1e-9) continue;
    if (slack.minCoeff() >= -1e-9 * (1.0 + r.norm())) return x;
  }
  return {};
}

// Spec (B4) decides from the law's answer alone whether the program has the same one.
TEST(CompliantLeastNorm, AgreesWithTheLawExactlyWhereB4Says) {
  int agreed = 0, differed = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const CompliantProblem problem = random_step({.planar = true, .unilateral = 4, .stiffest = 4.0}, random);
    const PlainProgram plain(problem);
    const MatrixXd A = MatrixXd::Identity(4, 4) + plain.D.asDiagonal() * plain.W;
    const VectorXd r = -plain.D.cwiseProduct(plain.c);
    VectorXd slack;
    const VectorXd law = enumerate_law(A, r, slack);
    ASSERT_EQ(law.size(), 4) << seed;
    IndexList loaded, open;
    double margin = 1.0;
    for (Index i = 0; i < 4; ++i) {
      (law(i) > 1e-7 ? loaded : open).push_back(i);
      if (law(i) <= 1e-7) margin = std::min(margin, slack(i));
    }
    if (margin < 1e-6 || loaded.empty()) continue;  // (B4) asks for strict slack
    const MatrixXd A_PP = A(loaded, loaded);
    const VectorXd m = (A_PP * A_PP.transpose()).ldlt().solve(A_PP * law(loaded));
    const VectorXd pull = open.empty() ? VectorXd(VectorXd::Zero(1)) : VectorXd(A(loaded, open).transpose() * m);
    const double tightest = std::min(m.minCoeff() / m.cwiseAbs().maxCoeff(), -pull.maxCoeff());
    if (std::abs(tightest) < 1e-6 && !open.empty()) continue;
    const bool predicted = m.minCoeff() >= 0.0 && pull.maxCoeff() <= 0.0;
    CompliantSolution answer;
    ASSERT_EQ(solve_least_norm(problem, {}, answer).status, Status::kSolved) << seed;
    const bool same = (answer.lambda_u - law).cwiseAbs().maxCoeff() < 1e-6 * law.maxCoeff();
    EXPECT_EQ(predicted, same) << seed;
    (same ? agreed : differed) += 1;
  }
  EXPECT_GT(agreed, 10);
  EXPECT_GT(differed, 50);
}

// A hundred springs under one plate, some lifted: the path for many rows must prove itself as the dense one does.
TEST(CompliantLeastNorm, SolvesManyRowsOnOneBodyColdAndWarm) {
  Random random(7);
  CompliantProblem problem = random_step({.unilateral = 1}, random);
  MatrixXd G(100, 6);
  for (Index i = 0; i < 100; ++i) {
    const double x = 0.1 * static_cast<double>(i / 10) - 0.45, y = 0.1 * static_cast<double>(i % 10) - 0.45;
    G.row(i) << 0.0, 0.0, 1.0, y, -x, 0.0;
  }
  problem.unilateral = make_rows(G, problem.mass.layout(), 6.0, 6.0, random);
  problem.v.setZero();
  problem.f << 0.0, 0.0, -80.0, 15.0, 10.0, 0.0;
  problem.unilateral.phi = 1e-5 * VectorXd::LinSpaced(100, -1.0, 1.0);
  problem.unilateral.drift.setZero();
  CompliantSolution answer;
  EXPECT_EQ(solve_least_norm(problem, {}, answer).status, Status::kSolved);
  EXPECT_TRUE(certify_program(problem, kProgramOfRows, answer).passes(1e-12));
  problem.f(3) = 5.0;
  const SolveReport warm = solve_least_norm(problem, {}, answer);
  EXPECT_EQ(warm.status, Status::kSolved);
  EXPECT_EQ(warm.methods, MethodSet{Method::kLastActiveSet});
  EXPECT_TRUE(certify_program(problem, kProgramOfRows, answer).passes(1e-12));
}

// The program has no place for contacts; model, solver and certificate say the same, with friction and without.
TEST(CompliantLeastNorm, RefusesContacts) {
  for (const char* name : {"f1_2d_particle_stick", "f3_2d_frictionless"}) {
    const CompliantFile file = read_step(name);
    CompliantSolution answer;
    EXPECT_FALSE(check_model(file.problem, kProgramOfRows));
    EXPECT_EQ(CompliantSolver().solve(file.problem, kProgramOfRows, answer).status, Status::kBreakdown);
    EXPECT_FALSE(certify(file.problem, kProgramOfRows, file.solutions.front().solution).passes(1e-3));
  }
}

// As above, with states and multipliers: what is active is part of the reference.
TEST(CompliantWeighted, ReachesTheReferenceAnswers) {
  for (const std::string& name : kContactFiles) {
    SCOPED_TRACE(name);
    const CompliantFile file = read_step(name);
    const CompliantReference& reference = answer_of(file, "paper_qcqp");
    CompliantSolution answer;
    EXPECT_EQ(solve_weighted(file.problem, {}, answer).status, Status::kSolved);
    expect_reference(answer, reference);
    if (file.problem.mu.maxCoeff() > 0.0) {  // without friction ours slides where the file says "inside"
      EXPECT_EQ(answer.states, reference.solution.states);
    }
    std::vector<double> active;
    for (const double m : answer.row_multipliers) {
      if (m > 0.0) active.push_back(m);
    }
    ASSERT_EQ(static_cast<Index>(active.size()), reference.row_multipliers.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
      const double expected = reference.row_multipliers(static_cast<Index>(i));
      EXPECT_NEAR(active[i], expected, 1e-8 * expected);
    }
    EXPECT_TRUE(certify_program(file.problem, kProgramOfContacts, answer).passes(1e-12));
  }
}

// At the answer the active set is right at once: no interior point run, the same forces.
TEST(CompliantWeighted, StartsFromTheLastAnswer) {
  for (const std::string& name : kContactFiles) {
    const CompliantFile file = read_step(name);
    CompliantSolution first;
    EXPECT_EQ(solve_weighted(file.problem, {}, first).status, Status::kSolved);
    CompliantSolution second = first;
    const SolveReport report = solve_weighted(file.problem, {}, second);
    EXPECT_EQ(report.iterations, 0) << name;
    EXPECT_LE(report.pivots, 4) << name;
    EXPECT_LE(force_difference(first, second), 1e-14 * largest_of(first)) << name;
  }
}

// A start that fits nothing, or is wrong in everything, may cost time but not the answer.
TEST(CompliantWeighted, AWrongStartDoesNotChangeTheAnswer) {
  for (const std::string& name : kContactFiles) {
    const CompliantFile file = read_step(name);
    CompliantSolution cold;
    EXPECT_EQ(solve_weighted(file.problem, {}, cold).status, Status::kSolved);
    for (const ContactState state : {ContactState::kOpen, ContactState::kSlide, ContactState::kStick}) {
      CompliantSolution start = cold;
      start.states.assign(cold.states.size(), state);
      start.row_multipliers = VectorXd::Ones(cold.row_multipliers.size()) - cold.row_multipliers;
      EXPECT_EQ(solve_weighted(file.problem, {}, start).status, Status::kSolved);
      EXPECT_LE(force_difference(cold, start), 1e-12 * largest_of(cold)) << name;
    }
    CompliantSolution start = cold;
    start.lambda_r.setConstant(std::nan(""));
    EXPECT_EQ(solve_weighted(file.problem, {}, start).status, Status::kSolved);
    EXPECT_LE(force_difference(cold, start), 1e-12 * largest_of(cold)) << name;
  }
}

// Every answer must stand before the certificate, which knows nothing of the solver.
TEST(CompliantWeighted, RandomProblemsAreCertified) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    const bool hard = seed % 3 == 0;
    const PaperShape shape{.planar = random.chance(0.4),
                           .bodies = random.integer(1, 3),
                           .bilateral = random.integer(0, 2),
                           .unilateral = random.integer(0, 2),
                           .contacts = random.integer(1, 5),
                           .stiffest = hard ? 12.0 : 8.0,
                           .friction = hard ? 8.0 : 4.0};
    CompliantProblem problem = random_step(shape, random);
    if (seed % 5 == 0) problem.product = VelocityProduct::kPaper;
    ASSERT_TRUE(validate(problem));
    CompliantSolution answer;
    EXPECT_EQ(solve_weighted(problem, {}, answer).status, Status::kSolved) << seed;
    EXPECT_LT(certify_program(problem, kProgramOfContacts, answer).worst, 1e-8) << seed;
  }
}

// Brute force: of all forces that are allowed, near and far, none may cost less.
TEST(CompliantWeighted, NoSampleCostsLess) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const PaperShape shape{.planar = seed % 2 == 0,
                           .bodies = 1,
                           .bilateral = random.integer(0, 1),
                           .unilateral = random.integer(0, 1),
                           .contacts = random.integer(1, 2),
                           .stiffest = 5.0,
                           .friction = 2.0};
    CompliantProblem problem = random_step(shape, random);
    problem.mu = problem.mu.cwiseMax(0.05);  // PlainProgram has no special case for mu = 0
    CompliantSolution answer;
    ASSERT_EQ(solve_weighted(problem, {}, answer).status, Status::kSolved);
    const PlainProgram plain(problem);
    const VectorXd x = plain.pack(answer);
    const double cost = plain.cost(x), size = std::max(1.0, x.cwiseAbs().maxCoeff());
    for (int sample = 0; sample < 2000; ++sample) {
      const double length = size * std::pow(10.0, random.uniform(-4.0, 1.0));
      const VectorXd other = x + length * random_normals(x.size(), 1, random);
      if (!plain.is_allowed(other)) continue;
      ++tried;
      EXPECT_GE(plain.cost(other), cost * (1.0 - 1e-12)) << seed;
    }
  }
  EXPECT_GT(tried, 1000);
}

// Erratum 24: without friction neither tangential forces nor their residuals exist, so a contact is a unilateral row.
TEST(CompliantWeighted, WithoutFrictionAContactIsARow) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    CompliantProblem contacts = random_step({.bilateral = 1, .contacts = 3}, random);
    contacts.mu.setZero();
    contacts.rate_scale.resize(0);
    CompliantProblem rows = contacts;
    rows.unilateral = contacts.normal;
    rows.normal = rows.r = rows.s = make_rows(MatrixXd(0, 6), rows.mass.layout(), 3.0, 3.0, random);
    rows.mu.resize(0);
    CompliantSolution a, b;
    ASSERT_EQ(solve_weighted(contacts, {}, a).status, Status::kSolved);
    ASSERT_EQ(solve_least_norm(rows, {}, b).status, Status::kSolved);
    EXPECT_LE((a.lambda_n - b.lambda_u).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, b.lambda_u.maxCoeff()));
    EXPECT_EQ(a.lambda_r, VectorXd::Zero(3));
    EXPECT_EQ(a.lambda_s, VectorXd::Zero(3));
  }
}

// K = B = 0: such rows carry nothing (table F), and what is left is the program without them.
TEST(CompliantWeighted, IdleRowsCarryNothing) {
  Random random(3);
  CompliantProblem problem = random_step({.bilateral = 1, .unilateral = 1, .contacts = 3}, random);
  problem.mu.setConstant(0.5);
  for (CompliantRows* rows : {&problem.bilateral, &problem.unilateral}) rows->K(0) = rows->B(0) = 0.0;
  problem.normal.K(0) = problem.normal.B(0) = 0.0;
  problem.s.K(1) = problem.s.B(1) = 0.0;
  CompliantSolution answer;
  EXPECT_EQ(solve_weighted(problem, {}, answer).status, Status::kSolved);
  EXPECT_EQ(answer.lambda_b(0), 0.0);
  EXPECT_EQ(answer.lambda_u(0), 0.0);
  EXPECT_EQ(answer.lambda_n(0), 0.0);
  EXPECT_EQ(answer.lambda_r(0), 0.0);
  EXPECT_EQ(answer.lambda_s(1), 0.0);
  EXPECT_TRUE(certify_program(problem, kProgramOfContacts, answer).passes(1e-10));
}

// Without rows the bodies go where they would by themselves.
TEST(CompliantWeighted, WithoutRowsThereIsNothingToDo) {
  Random random(5);
  const CompliantProblem problem = random_step({}, random);
  CompliantSolution answer;
  EXPECT_EQ(solve_weighted(problem, {}, answer).status, Status::kSolved);
  const VectorXd expected = problem.v + problem.h * Eigen::LLT<MatrixXd>(problem.mass.to_dense()).solve(problem.f);
  EXPECT_LE((answer.v1 - expected).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace tribo
