// After reserve() a solver does not allocate. Proved by standing between the program and the C library's allocator, which
// Eigen and operator new both end in: while a guard is armed, every call is counted.
#include "tribo/contact/one_body.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/cone/cone_solver.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/pivot/principal_pivoting.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"
#include "tribo/solve/registry.hpp"

#include <cerrno>
#include <cstdlib>

#include "guard.hpp"
#include <gtest/gtest.h>

namespace {
void note() {
  using namespace tribo::testing;
  if (armed.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  note();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  note();
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
}

namespace tribo {
namespace {

using testing::count_allocations;

// A guard that sees nothing would make every test below pass.
TEST(AllocationGuard, SeesAllocations) {
  EXPECT_GT(count_allocations([] { VectorXd::Zero(100).eval(); }), 0);
  EXPECT_GT(count_allocations([] { std::vector<int>(100).at(5) = 1; }), 0);
  EXPECT_EQ(count_allocations([] {}), 0);
}

class AllocationFree : public ::testing::TestWithParam<const Capability*> {};

std::vector<const Capability*> promising() {
  std::vector<const Capability*> solvers;
  for (const Capability& row : capabilities()) {
    if (row.allocation_free && row.lcp) solvers.push_back(&row);
  }
  return solvers;
}

std::string test_name(const ::testing::TestParamInfo<const Capability*>& parameter) {
  std::string name(parameter.param->name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, AllocationFree, ::testing::ValuesIn(promising()), test_name);

constexpr Index kLargest = 60;

// Any size up to the one reserved, cold and warm, as in a step loop.
TEST_P(AllocationFree, MatrixForm) {
  const auto solver = GetParam()->make();
  solver->reserve(kLargest);
  Random random(3);
  for (int k = 0; k < 40; ++k) {
    const Index n = k == 0 ? kLargest : random.integer(1, kLargest);
    const Lcp lcp = solvable_lcp(k % 2 == 0 ? MatrixClass::kSpd : MatrixClass::kPsd, n, random);
    LcpSolution solution{VectorXd::Zero(lcp.size()), VectorXd::Zero(lcp.size()), {}};
    const WarmStart cold;
    SolveReport report;
    EXPECT_EQ(count_allocations([&] { report = solver->solve(lcp, cold, solution); }), 0) << "n = " << n;
    if (report.status != Status::kSolved) continue;
    const WarmStart warm = warm_start_at(solution);
    EXPECT_EQ(count_allocations([&] { report = solver->solve(lcp, warm, solution); }), 0) << "warm, n = " << n;
  }
}

TEST_P(AllocationFree, BoxForm) {
  if (!GetParam()->box) return;
  const auto solver = GetParam()->make();
  solver->reserve(kLargest);
  Random random(5);
  for (int k = 0; k < 30; ++k) {
    const BoxLcp lcp = solvable_box_lcp(random.integer(1, kLargest), random);
    BoxLcpSolution solution{VectorXd::Zero(lcp.size()), VectorXd::Zero(lcp.size()), {}};
    const WarmStart cold;
    SolveReport report;
    EXPECT_EQ(count_allocations([&] { report = solver->solve(lcp, cold, solution); }), 0) << k;
  }
}

TEST_P(AllocationFree, MixedForm) {
  if (!GetParam()->mixed) return;
  const auto solver = GetParam()->make();
  solver->reserve(kLargest);
  Random random(7);
  for (int k = 0; k < 30; ++k) {
    const Index free = random.integer(0, 20), rows = random.integer(1, 40);
    const MixedLcp lcp = solvable_mixed_lcp(free, rows, random);
    MixedLcpSolution solution{VectorXd::Zero(free), VectorXd::Zero(rows), VectorXd::Zero(rows), {}};
    const WarmStart cold;
    SolveReport report;
    EXPECT_EQ(count_allocations([&] { report = solver->solve(lcp, cold, solution); }), 0) << k;
  }
}

TEST_P(AllocationFree, FactoredForm) {
  if (!GetParam()->factored) return;
  const auto solver = GetParam()->make();
  constexpr Index kDimension = 6;
  solver->reserve_factored(kLargest, kDimension);
  Random random(9);
  for (int k = 0; k < 30; ++k) {
    const Index n = random.integer(1, kLargest), m = random.integer(1, kDimension);
    MatrixXd G(n, m);
    for (Index i = 0; i < G.size(); ++i) G(i) = random.normal();
    const VectorXd q = G * VectorXd::LinSpaced(m, -1.0, 1.0);
    const FactoredLcp lcp = make_factored(G, q);
    LcpSolution solution{VectorXd::Zero(n), VectorXd::Zero(n), {}};
    const WarmStart cold;
    SolveReport report;
    EXPECT_EQ(count_allocations([&] { report = solver->solve(lcp, cold, solution); }), 0) << k;
    EXPECT_EQ(report.status, Status::kSolved);
  }
}

// From a contact problem to v⁺ and all impulses nothing is allocated once the largest problem has been seen, whatever its
// number of bodies and contacts (blocks up to 32 degrees of freedom). Implicit viscous friction, which couples the bodies,
// makes one exception: its dense mass matrix is allocated anew when the degrees of freedom change.
TEST(NormalContact, DoesNotAllocateAfterTheLargestProblem) {
  for (const ContactModel& model :
       {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{true})}) {
    NormalFormulation formulation;
    DualActiveSetSolver dual;
    PrincipalPivotingSolver ppm;
    Random random(4);
    std::vector<ContactProblem> problems{box_stack(4, 12, random), grasp_row(2, 12), block_on_face(200, 0.3, random)};
    for (Index n = 1; n <= 10; ++n) problems.push_back(block_on_face(n, 0.2, random));
    for (int round = 0; round < 2; ++round) {
      for (const ContactProblem& problem : problems) {
        const Index n = problem.size();
        LcpSolution answer{VectorXd::Zero(n), VectorXd::Zero(n), {}};
        ContactSolution solution;
        solution.v_next = VectorXd::Zero(problem.dof());
        solution.f_n = solution.f_s = solution.f_t = VectorXd::Zero(n);
        solution.f_j = VectorXd::Zero(problem.bilateral());
        SolveReport first, second;
        const WarmStart cold;
        const bool couples = std::holds_alternative<Viscous>(model);
        if (couples) static_cast<void>(formulation.update(problem, model));
        const int allocated = count_allocations([&] {
          static_cast<void>(formulation.update(problem, model));
          first = dual.solve(formulation.problem(), cold, answer);
          second = ppm.solve(formulation.problem(), cold, answer);
          formulation.lift(answer.z, solution);
        });
        EXPECT_EQ(first.status, Status::kSolved);
        EXPECT_EQ(second.status, Status::kSolved);
        if (round == 1) {
          EXPECT_EQ(allocated, 0) << to_string(model) << " " << problem.name << " " << n;
        }
      }
    }
  }
}

// Coulomb friction the same way: structural and reduced, on one body, on two and on more.
TEST(PyramidContact, DoesNotAllocateAfterTheLargestProblem) {
  for (const LemkeForm form : {LemkeForm::kReduced, LemkeForm::kStructural}) {
    PyramidFormulation formulation;
    StructuredLemkeSolver solver({.form = form});
    Random random(8);
    std::vector<ContactProblem> problems{box_stack(4, 8, random), peg_in_hole(64, random), box_stack(2, 8, random)};
    for (Index n = 2; n <= 16; n += 2) problems.push_back(peg_in_hole(n, random));
    for (int round = 0; round < 2; ++round) {
      for (const ContactProblem& problem : problems) {
        PyramidSolution answer;
        answer.loaded.reserve(static_cast<std::size_t>(problem.size()));
        answer.theta = answer.phi_s = answer.phi_t = VectorXd::Zero(problem.size());
        ContactSolution solution;
        solution.v_next = VectorXd::Zero(problem.dof());
        solution.f_n = solution.f_s = solution.f_t = VectorXd::Zero(problem.size());
        solution.f_j = VectorXd::Zero(problem.bilateral());
        SolveReport cold, warm;
        const int allocated = count_allocations([&] {
          static_cast<void>(formulation.update(problem, CoulombPyramid{}));
          cold = solver.solve(formulation.problem(), {}, answer);
          warm = solver.solve(formulation.problem(), answer.loaded, answer);
          formulation.lift(answer, solution);
        });
        EXPECT_EQ(cold.status, Status::kSolved);
        EXPECT_EQ(warm.status, Status::kSolved);
        if (round == 1) {
          EXPECT_EQ(allocated, 0) << problem.name << " " << problem.size();
        }
      }
    }
  }
}

// The true cone the same way: few contacts, many by contacts and by bodies, other right sides and warm starts on the same shape.
TEST(ConeContact, DoesNotAllocateAfterTheFirstProblemOfItsShape) {
  for (const ConeForm form : {ConeForm::kContacts, ConeForm::kBodies}) {
    Random random(7);
    for (ContactProblem problem : {sphere_on_plane(), block_on_face(4, 0.2, random), block_on_face(40, 0.2, random),
                                   box_stack(5, 4, random), peg_in_hole(24, random)}) {
      ConeFormulation formulation;
      ConeSolver solver;
      ConeSolution answer;
      ConeWarmStart warm;
      ContactSolution lifted;
      const auto step = [&] {
        static_cast<void>(formulation.update(problem, form));
        const SolveReport report = solver.solve(formulation.problem(), warm, answer);
        formulation.lift(answer, lifted);
        return report.status;
      };
      const VectorXd v = problem.v;
      for (const double speed : {1.0, 1.3, 0.2}) {  // states differ, and with them the structure of the factors
        problem.v = speed * v;
        ASSERT_EQ(step(), Status::kSolved);
      }
      warm.r = answer.r;
      ASSERT_EQ(step(), Status::kSolved);
      warm.r.setZero();
      problem.v = 1.1 * v;
      Status status = Status::kBreakdown;
      EXPECT_EQ(count_allocations([&] { status = step(); }), 0)
          << problem.size() << " contacts, form " << static_cast<int>(form);
      EXPECT_EQ(status, Status::kSolved);
    }
  }
}

// reserve() alone, on a problem where nothing is to do, makes room for every method on that shape.
TEST(ConeContact, ReserveMakesRoomForEveryMethod) {
  Random random(9);
  for (const ConeForm form : {ConeForm::kContacts, ConeForm::kBodies}) {
    const ContactProblem problem = box_stack(4, 4, random);
    ConeFormulation formulation;
    static_cast<void>(formulation.update(problem, form));
    ConeProblem open = formulation.problem();
    open.q = open.q.cwiseAbs();
    for (const ConeMethod method : {ConeMethod::kAuto, ConeMethod::kProximal, ConeMethod::kGaussSeidel}) {
      ConeSolver solver({.method = method});
      solver.reserve(open);
      ConeSolution answer;
      answer.r = answer.u = VectorXd::Zero(open.q.size());
      answer.states.resize(static_cast<std::size_t>(open.contacts()));
      ConeWarmStart warm;
      Status status = Status::kBreakdown;
      EXPECT_EQ(count_allocations([&] { status = solver.solve(formulation.problem(), warm, answer).status; }), 0)
          << static_cast<int>(form) << " " << static_cast<int>(method);
      EXPECT_EQ(status, Status::kSolved);
      warm.states = answer.states;
      EXPECT_EQ(count_allocations([&] { status = solver.solve(formulation.problem(), warm, answer).status; }), 0);
      EXPECT_EQ(status, Status::kSolved);
    }
  }
}

// The short way for one body has its workspace on the stack: nothing is allocated even the first time, once the vectors of
// the answer have their size.
TEST(OneBody, NeverAllocates) {
  Random random(6);
  for (Index n = 1; n <= OneBody::kContacts; ++n) {
    const ContactProblem problem = block_on_face(n, 0.3, random);
    for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(NoSlip{})}) {
      ContactSolution solution;
      solution.v_next = VectorXd::Zero(problem.dof());
      solution.f_n = solution.f_s = solution.f_t = VectorXd::Zero(n);
      SolveReport report;
      bool answered = false;
      EXPECT_EQ(count_allocations([&] { answered = OneBody().solve(problem, model, solution, report); }), 0) << n;
      EXPECT_TRUE(answered) << n;
    }
  }
}

}  // namespace
}  // namespace tribo
