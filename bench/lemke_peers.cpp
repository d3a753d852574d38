// `bench lemke`, beside other people's Lemke on the same problems. They get the LCP in its equilibrated form (rows of unit
// length, no units: PyramidLcp), made beforehand, and are timed on their solver call alone; ours are timed from the contact
// rows to all impulses and v⁺. Every answer is lifted back and judged as an answer to the contact problem.
//     Siconos              lexicographic Lemke; called solved when its own check passes at its default, 1e-6
//     Siconos + Tikhonov   where that finds no answer, again with M + ε I, ε = 1e-12 … 1e-6
//     certified            called solved, certificate at most 1e-9
//     wrong                called solved, certificate above 1e-6
//     time                 of all tries;   last: of the try that was called solved, as if its ε had been known
// Promised against the last try of Siconos: 300 times as fast on the peg with 32 contacts, 50 times on the stack of five
// blocks with 32, and a residual not larger.
#include "tribo/certify/certify.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/problem/pyramid.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "lemke_parts.hpp"
#include "lemke_problems.hpp"
#include "other_lemke.hpp"
#include "siconos.hpp"
#include "timed_solve.hpp"

namespace tribo {
namespace {

constexpr double kWrong = 1e-6;
constexpr double kSiconosTolerance = 1e-6;  // its default
constexpr double kBudget = 20e-3;           // s per problem and solver, or one call
constexpr std::array<double, 7> kTikhonov = {1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6};

struct Row {
  std::string solver;
  long problems = 0, claimed = 0, certified = 0, wrong = 0;
  double seconds = 0.0;       // sum over all problems
  double last_seconds = 0.0;  // sum over those called solved
  double worst = 0.0;         // of those called solved

  double mean_seconds() const { return seconds / static_cast<double>(problems); }
  double mean_last() const { return last_seconds / static_cast<double>(claimed); }
  void add(bool claims, double certificate, double spent, double last) {
    ++problems;
    seconds += spent;
    if (!claims) return;
    ++claimed;
    last_seconds += last;
    certified += certificate <= kLemkeCertified ? 1 : 0;
    wrong += certificate <= kWrong ? 0 : 1;
    worst = std::max(worst, certificate);
  }
};

// One contact problem and its LCP.
class Case {
 public:
  explicit Case(ContactProblem problem) : problem_(std::make_unique<ContactProblem>(std::move(problem))) {
    TRIBO_REQUIRE(formulation_.update(*problem_, model_).has_value(), "the model does not fit the problem");
    dense_ = std::make_unique<PyramidLcp>(formulation_.problem());
  }
  const ContactProblem& problem() const { return *problem_; }
  const Lcp& lcp() const { return dense_->lcp(); }
  double judge(const VectorXd& z) {
    PyramidSolution pyramid;
    ContactSolution solution;
    if (!z.allFinite()) return std::numeric_limits<double>::infinity();
    dense_->lift(z, pyramid);
    formulation_.lift(pyramid, solution);
    return certify(*problem_, model_, solution).worst;
  }

 private:
  CoulombPyramid model_{8};
  std::unique_ptr<ContactProblem> problem_;
  PyramidFormulation formulation_;
  std::unique_ptr<PyramidLcp> dense_;
};

void measure_ours(Case& one, const char* solver, Row& row) {
  ContactPipeline pipeline(CoulombPyramid{8}, {.solver = solver, .tolerance = kLemkeCertified});
  const ContactAnswer& answer = pipeline.solve(one.problem());
  const bool solved = is_solved(answer.status);
  const double worst = solved ? answer.certificate.worst : 0.0;
  const double seconds = least_phases(pipeline, one.problem(), kBudget).method();
  row.add(solved, worst, seconds, seconds);
}

// Both rows at once: the first try is the bare method.
void measure_siconos(Case& one, Row& bare, Row& retried) {
  const Silence silence;
  double spent = 0.0;
  for (std::size_t k = 0; k <= kTikhonov.size(); ++k) {
    Lcp lcp = one.lcp();
    if (k > 0) lcp.M.diagonal().array() += kTikhonov[k - 1];
    SiconosLcp solver(lcp, SiconosMethod::kLemke, kSiconosTolerance);
    const double seconds = least_seconds([&] { solver.solve_checked(); }, kBudget);
    spent += seconds;
    const double worst = solver.solved() ? one.judge(solver.solution().z) : 0.0;
    if (k == 0) bare.add(solver.solved(), worst, seconds, seconds);
    if (!solver.solved() && k < kTikhonov.size()) continue;
    retried.add(solver.solved(), worst, spent, seconds);
    return;
  }
}

void measure_other(Case& one, OtherAnswer (*solve)(const Lcp&), Row& row) {
  OtherAnswer answer;
  const double seconds = least_seconds([&] { answer = solve(one.lcp()); }, kBudget);
  row.add(answer.claimed, answer.claimed ? one.judge(answer.z) : 0.0, seconds, seconds);
}

void print(Output& output, const std::string& family, const Row& row, double ours) {
  const double ratio = row.mean_seconds() / ours;
  Json fields = {{"kind", "peer"},
                 {"problem", family},
                 {"solver", row.solver},
                 {"problems_count", row.problems},
                 {"claimed_count", row.claimed},
                 {"certified_count", row.certified},
                 {"wrong_count", row.wrong},
                 {"time_us", 1e6 * row.mean_seconds()},
                 {"time_over_reduced_ratio", ratio},
                 {"last_us", nullptr},
                 {"worst_relative", nullptr}};
  std::string answers = "           -        -";
  if (row.claimed > 0) {
    answers = format("%12.1f  %.1e", 1e6 * row.mean_last(), row.worst);
    fields["last_us"] = 1e6 * row.mean_last();
    fields["worst_relative"] = row.worst;
  }
  output.line(format("  %-20s %8ld %7ld %9ld %6ld %12.1f %9.1f ", row.solver.c_str(), row.problems, row.claimed,
                     row.certified, row.wrong, 1e6 * row.mean_seconds(), ratio) +
              answers);
  output.object(std::move(fields));
}

void leave_out(Output& output, const std::string& what, const char* package) {
  output.line("left out: " + what + " (not found; Debian: " + package + ", before configuring)");
  output.object({{"kind", "left-out"}, {"what", what}});
}

struct Family {
  std::string name;
  std::function<ContactProblem(Random&)> make;
  std::uint64_t problems = 0;  // of ours
  std::uint64_t siconos = 0;   // of them for Siconos, whose failures take seconds
  std::uint64_t others = 0;    // of them for Bullet and DART, whose failures take a second each
  double promised = 0.0;       // times as fast as Siconos with retries; 0: reported only

  Case make_case(std::uint64_t seed, std::uint64_t k) const {
    Random random(derive_seed(seed, 402, k));
    return Case(make(random));
  }
};

std::vector<Row> measure_family(Output& output, const Family& family, std::uint64_t seed) {
  std::vector<Row> rows;
  const auto measure = [&](const std::string& solver, std::uint64_t count, const auto& work) {
    if (count == 0) return;
    output.progress("lemke: peers, " + family.name + ", " + solver);
    Row row;
    row.solver = solver;
    for (std::uint64_t k = 0; k < count; ++k) {
      Case one = family.make_case(seed, k);
      work(one, row);
    }
    rows.push_back(row);
  };
  for (const char* solver : {"lemke/reduced", "lemke/structural", "lemke/standard"}) {
    measure(solver, family.problems, [&](Case& one, Row& row) { measure_ours(one, solver, row); });
  }
  if (has_siconos()) {
    Row bare;
    bare.solver = "Siconos";
    measure("Siconos + Tikhonov", family.siconos, [&](Case& one, Row& row) { measure_siconos(one, bare, row); });
    if (bare.problems > 0) rows.insert(rows.end() - 1, bare);
  }
  if (has_bullet()) {
    measure("Bullet", family.others, [](Case& one, Row& row) { measure_other(one, solve_with_bullet, row); });
  }
  if (has_dart()) {
    measure("DART", family.others, [](Case& one, Row& row) { measure_other(one, solve_with_dart, row); });
  }
  output.progress("");
  return rows;
}

void check(Output& output, const Family& family, const std::vector<Row>& rows) {
  const Row& ours = rows.front();
  output.promise("solved and certified to 1e-9 beside the peers, " + family.name, ours.certified == ours.problems,
                 format("%ld of %ld, worst %.1e", ours.certified, ours.problems, ours.worst));
  const auto theirs =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.solver == "Siconos + Tikhonov"; });
  if (theirs == rows.end() || theirs->claimed == 0 || family.promised == 0.0) return;
  const double speed = theirs->mean_last() / ours.mean_seconds();
  output.promise(format("time of Siconos at least %.0f times ours, ", family.promised) + family.name,
                 speed >= family.promised,
                 format("%.0f times: %.2f us against %.0f us for its last try alone", speed, 1e6 * ours.mean_seconds(),
                        1e6 * theirs->mean_last()));
  output.promise("residual not larger than that of Siconos, " + family.name, ours.worst <= theirs->worst,
                 format("%.1e against %.1e", ours.worst, theirs->worst));
}

}  // namespace

void measure_lemke_peers(Output& output, const BenchOptions& options) {
  const auto face = [](Random& random) { return block_on_face(5, 0.3, random); };
  const auto peg_16 = [](Random& random) { return peg_in_hole(16, random); };
  const auto peg_32 = [](Random& random) { return peg_in_hole(32, random); };
  std::vector<Family> families = {{"block on a face, 5 contacts", face, 20, 20, 20},
                                  {"peg, 16 contacts", peg_16, 20, 20, 10},
                                  {"peg, 32 contacts", peg_32, 20, 10, 5, 300.0},
                                  {"stack of 5, 32 contacts", stack_of_five, 20, 10, 5, 50.0}};
  if (options.quick) {
    families = {{"block on a face, 5 contacts", face, 3, 3, 2},
                {"peg, 16 contacts", peg_16, 2, 2, 1},
                {"peg, 32 contacts", peg_32, 2, 1, 0, 300.0},
                {"stack of 5, 32 contacts", stack_of_five, 2, 0, 0, 50.0}};
  }
  output.line("beside others on the same problems, d = 8; ours from the contact rows, theirs from the LCP; us, means");
  if (!has_siconos()) leave_out(output, "Siconos", "libsiconos-numerics-dev");
  if (!has_bullet()) leave_out(output, "Bullet", "libbullet-dev");
  if (!has_dart()) leave_out(output, "DART", "libdart-dev");
  for (const Family& family : families) {
    const std::vector<Row> rows = measure_family(output, family, options.seed);
    output.line("  " + family.name);
    output.line("  solver               problems  called certified  wrong         time  /reduced          last  worst");
    for (const Row& row : rows) print(output, family.name, row, rows.front().mean_seconds());
    check(output, family, rows);
  }
}

}  // namespace tribo
