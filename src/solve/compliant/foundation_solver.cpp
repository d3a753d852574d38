#include "tribo/solve/compliant/foundation_solver.hpp"

#include "tribo/core/assert.hpp"

#include <limits>

#include "solve/compliant/layer_tiles.hpp"
#include "solve/compliant/line_search.hpp"
#include "solve/compliant/step_tolerance.hpp"
#include <Eigen/LU>

namespace tribo {

using compliant::LayerLaw;
using compliant::LayerTiles;
using compliant::Plane;

namespace {

constexpr int kCorrections = 4;
constexpr double kBest = 1e-14;  // of (3), relative: no correction makes it better

}  // namespace

class FoundationSolver::Workspace {
 public:
  explicit Workspace(CompliantSettings settings) : settings_(settings), general_(settings) {}

  SolveReport solve(const FoundationProblem& problem, CompliantSolution& solution);

 private:
  struct Point {
    Plane rho;
    Vector3d p;    // (3) holds between them
    Vector3d off;  // p less what the law gives at ρ
  };

  struct Sums {  // (2), over the elements that are loaded
    Matrix3d E;
    Vector3d push;  // B̂ gap
    Vector3d calc_impulse(const Plane& rho) const { return push - E * rho; }
  };

  bool start(const FoundationProblem& problem);  // N, ρ*
  Plane to_tiles(const Plane& face) const;       // planes over (1, x, y) as planes over s
  Sums calc_sums() const;
  bool solve_plane();  // (4)
  Index look_around();
  void calc_off();
  void shorten_step(const Point& before);
  double calc_size() const { return (free_ - gap_).lpNorm<1>() + (here_.rho - gap_).lpNorm<1>(); }  // h times speeds
  Plane calc_apart() const;
  Plane calc_touching() const;
  bool write(const FoundationProblem& problem, CompliantSolution& solution);
  int find_answer(const FoundationProblem& problem, CompliantSolution& solution);
  SolveReport solve_rows(const FoundationProblem& problem, CompliantSolution& solution);

  std::shared_ptr<const ElasticLayer> layer_;  // that tiles_ are of
  LayerTiles tiles_;
  bool tiled_ = false;
  BlockCholesky mass_;
  VectorXd change_;                             // of the velocity, whitened: by f, in the end by the layer too
  Eigen::Matrix<double, Eigen::Dynamic, 3> g_;  // whitened rows of T
  Matrix3d N_;                                  // h N, like all planes over s
  Eigen::PartialPivLU<Matrix3d> system_;        // of (4)
  Plane gap_, free_;                            // gap, ρ*
  Point here_;
  double stiff_ = 0.0, damping_ = 0.0;  // h k, b
  CompliantSettings settings_;
  CompliantSolver general_;
  CompliantProblem rows_;
};

Plane FoundationSolver::Workspace::to_tiles(const Plane& face) const {
  return {face(0) + face(1) * tiles_.x0() + face(2) * tiles_.y0(), face(1) * tiles_.reach(), face(2) * tiles_.reach()};
}

bool FoundationSolver::Workspace::start(const FoundationProblem& problem) {
  if (!mass_.assign(problem.mass)) return false;
  const double h = problem.h;
  change_ = problem.f * h;
  mass_.whiten_force(change_);
  g_.setZero(problem.dof(), 3);
  Plane rate;  // T v
  for (Index i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) {
      const Index block = problem.T.block(i, k);
      if (block < 0) continue;
      const Index size = mass_.layout().size(block);
      g_.col(i).segment(mass_.layout().start(block), size) = VectorXd::Map(problem.T.values(i, k), size);
    }
    rate(i) = g_.col(i).dot(problem.v);
  }
  g_.col(0) += tiles_.x0() * g_.col(1) + tiles_.y0() * g_.col(2);
  g_.rightCols<2>() *= tiles_.reach();
  for (Index i = 0; i < 3; ++i) mass_.whiten_force(g_.col(i));
  N_.noalias() = h * (g_.transpose() * g_);
  gap_ = to_tiles(problem.gap);
  free_ = gap_ + h * (to_tiles(rate) + g_.transpose() * change_);
  stiff_ = h * problem.layer->stiffness;
  damping_ = problem.layer->damping;
  return N_.allFinite() && free_.allFinite();
}

FoundationSolver::Workspace::Sums FoundationSolver::Workspace::calc_sums() const {
  const Matrix3d damped = damping_ * tiles_.moments_touching();
  return {stiff_ * tiles_.moments() + damped, damped * gap_};
}

bool FoundationSolver::Workspace::solve_plane() {
  const Sums sums = calc_sums();
  system_.compute(Matrix3d::Identity() + N_ * sums.E);
  here_.rho = system_.solve(free_ + N_ * sums.push);
  for (int k = 0; k < kCorrections; ++k) {
    here_.p = sums.calc_impulse(here_.rho);
    const Plane off = (free_ - here_.rho) + N_ * here_.p;
    if (!(off.lpNorm<1>() > kBest * calc_size())) break;
    here_.rho += system_.solve(off);
  }
  return here_.rho.allFinite();
}

// How many elements change sides here.
Index FoundationSolver::Workspace::look_around() { return tiles_.find_loaded(calc_apart(), calc_touching()); }

void FoundationSolver::Workspace::calc_off() { here_.off = here_.p - calc_sums().calc_impulse(here_.rho); }

void FoundationSolver::Workspace::shorten_step(const Point& before) {
  const Plane d = here_.rho - before.rho;
  const Vector3d dp = here_.p - before.p;
  if (d.lpNorm<1>() <= compliant::kAccepted * calc_size()) return;  // rounding decides
  const double slope = d.dot(before.off), right = d.dot(here_.off);
  if (!(slope < 0.0) || !(right > -compliant::kFlat * slope)) return;
  const auto slope_at = [&](double t) {
    here_.rho = before.rho + t * d;
    here_.p = before.p + t * dp;
    look_around();
    calc_off();
    return d.dot(here_.off);
  };
  slope_at(compliant::find_step(slope, right, slope_at));
}

// (1), over (1, x, y); pressed is negative.
Plane FoundationSolver::Workspace::calc_apart() const { return tiles_.to_face(stiff_ * here_.rho); }
Plane FoundationSolver::Workspace::calc_touching() const {
  return tiles_.to_face(stiff_ * here_.rho + damping_ * (here_.rho - gap_));
}

// (5). False: forces and ρ do not come together.
bool FoundationSolver::Workspace::write(const FoundationProblem& problem, CompliantSolution& solution) {
  const double h = problem.h, size = calc_size();
  const Plane& rho = here_.rho;
  LayerLaw law;
  law.stiffness = problem.layer->stiffness;
  law.damping = damping_ / h;
  law.gap = problem.gap;
  law.change = tiles_.to_face(rho - gap_);
  law.correction.setZero();
  Vector3d p = h * tiles_.write_forces(law, solution.lambda_u);
  if ((N_ * (p - here_.p)).lpNorm<1>() <= settings_.tolerance * size) {
    p = here_.p;
  } else {
    Plane more = Plane::Zero(), off = (free_ - rho) + N_ * p;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kCorrections && off.lpNorm<1>() > kBest * size && off.lpNorm<1>() < 0.1 * last; ++k) {
      last = off.lpNorm<1>();
      more += system_.solve(off);
      law.corrected = true;
      law.correction = tiles_.to_face(more);
      p = h * tiles_.write_forces(law, solution.lambda_u);
      off = ((free_ - rho) + N_ * p) - more;
    }
    if (!(off.lpNorm<1>() <= settings_.tolerance * size)) return false;
  }
  change_.noalias() += g_ * p;
  mass_.unwhiten_velocity(change_);
  solution.v1 = problem.v + change_;
  for (VectorXd* none : {&solution.lambda_b, &solution.lambda_n, &solution.lambda_r, &solution.lambda_s}) {
    none->resize(0);
  }
  solution.states.clear();
  solution.row_multipliers.resize(0);
  return true;
}

SolveReport FoundationSolver::Workspace::solve_rows(const FoundationProblem& problem, CompliantSolution& solution) {
  to_rows(problem, rows_);
  SolveReport report = general_.solve(rows_, {}, solution);
  report.fallback = true;
  return report;
}

// From the elements that are marked as loaded. The number of systems it took; 0: no answer.
int FoundationSolver::Workspace::find_answer(const FoundationProblem& problem, CompliantSolution& solution) {
  tiles_.find_touching(problem.gap);
  Point before;
  for (int k = 1; k <= settings_.max_iterations && solve_plane(); ++k) {
    if (look_around() == 0) return write(problem, solution) ? k : 0;
    calc_off();
    if (k > 1) shorten_step(before);  // the start was a guess, not a point worth defending
    before = here_;
  }
  return 0;
}

SolveReport FoundationSolver::Workspace::solve(const FoundationProblem& problem, CompliantSolution& solution) {
  if (layer_ != problem.layer) {
    layer_.reset();
    tiled_ = tiles_.assign(*problem.layer);
    layer_ = problem.layer;
  }
  if (!tiled_ || !start(problem)) return solve_rows(problem, solution);
  int systems = find_answer(problem, solution);
  if (systems == 0) {  // elements that are marked as loaded by mistake may hold a face that has left
    tiles_.release();
    systems = find_answer(problem, solution);
  }
  if (systems == 0) {
    tiles_.release();
    return solve_rows(problem, solution);
  }
  SolveReport report;
  report.status = Status::kSolved;
  report.pivots = report.iterations = systems;
  report.methods.add(Method::kNormals);
  return report;
}

FoundationSolver::FoundationSolver(CompliantSettings settings) : workspace_(std::make_unique<Workspace>(settings)) {}
FoundationSolver::~FoundationSolver() = default;
FoundationSolver::FoundationSolver(FoundationSolver&&) noexcept = default;
FoundationSolver& FoundationSolver::operator=(FoundationSolver&&) noexcept = default;

SolveReport FoundationSolver::solve(const FoundationProblem& problem, CompliantSolution& solution) {
  TRIBO_REQUIRE(problem.layer != nullptr && problem.T.rows() == 3, "the problem has no layer, or T not three rows");
  return workspace_->solve(problem, solution);
}

}  // namespace tribo
