#include "sim/mean_forces.hpp"

#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/free_turn.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace tribo {

namespace {

constexpr int kMostPasses = 12;
// Of the speeds of a tree and of what the step adds to them: means that agree this well are the same.
constexpr double kFound = 1e-13;
constexpr double kNearlyFound = 1e-3;  // after kMostPasses: the passes converge, if slowly
// Of the energy that is measured: slower motion than this has nothing to correct that rounding does not hide.
constexpr double kLeastMotion = 1e-8;
constexpr double kMostCorrection = 0.1;    // of the motion, in one step
constexpr double kEnergyRounding = 1e-14;  // of the energy that is measured: changes below it are none
constexpr int kMostCorrections = 6;

constexpr double kAtRest = 1e-10;  // m/s, rad/s: a tree that begins at rest and gains no more stays there

template <typename Change, typename Mean>
bool is_found(const Change& change, const Mean& mean) {
  return !(change.cwiseAbs().maxCoeff() > kFound * mean.cwiseAbs().maxCoeff());
}

void copy_tree(const Model& model, Index tree, const State& from, State& to) {
  const Index at = model.trees().start(tree), size = model.trees().size(tree);
  to.v.segment(at, size) = from.v.segment(at, size);
  const Index first = model.q_start(model.first_joint(model.first_body(tree)));
  const Index end =
      tree + 1 < model.trees().blocks() ? model.q_start(model.first_joint(model.first_body(tree + 1))) : model.nq();
  to.q.segment(first, end - first) = from.q.segment(first, end - first);
}

}  // namespace

MeanForces::MeanForces(const StepSetup& setup) : setup_(setup), ends_(setup.model), end_(make_state(setup.model)) {
  const Model& model = setup.model;
  ends_.keeps_trees = true;
  if (setup.integrator == Integrator::kEuler) return;
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    Tree tree;
    tree.index = t;
    tree.start = model.trees().start(t);
    tree.size = model.trees().size(t);
    tree.single = turns_freely(model, t);
    tree.flies = !tree.single && model.joints()[model.first_joint(model.first_body(t))].type == JointType::kFree;
    if (tree.size == 1) continue;  // turns about an axis that stays, or slides
    linked_ = linked_ || !tree.single;
    trees_.push_back(tree);
  }
  forces_.setZero(model.nv());
  mean_ = bias_ = first_ = correction_ = way_ = force_ = forces_;
}

bool MeanForces::changes(const VectorXd& v) const {
  return std::any_of(trees_.begin(), trees_.end(), [&](const Tree& tree) {
    return !tree.single || !v.segment(tree.start, tree.size).tail<3>().isZero(0.0);
  });
}

void MeanForces::begin(const State& state) {
  if (!linked_) return;
  end_.kinematic = state.kinematic;
  for (const Tree& tree : trees_) {
    if (!tree.single) copy_tree(setup_.model, tree.index, state, end_);
  }
  calc_positions(setup_.model, end_, ends_);
  calc_velocities(setup_.model, end_, ends_);
  for (Tree& tree : trees_) {
    if (tree.single) continue;
    const Energy energy = calc_energy_of(setup_.model, tree.index, end_.v, ends_);
    tree.energy = energy.kinetic + energy.potential;
    tree.measure = energy.kinetic + std::abs(energy.potential);
  }
}

void MeanForces::place_ends(const State& state, const VectorXd& gain, const StepTimes& times) {
  const Model& model = setup_.model;
  for (const Tree& tree : trees_) {
    if (tree.single || tree.settled) continue;
    copy_tree(model, tree.index, state, end_);
    end_.v.segment(tree.start, tree.size) += gain.segment(tree.start, tree.size);
    integrate_tree(model, tree.index, end_.v, times.of(tree.index).rest(), end_.q);
  }
  calc_positions(model, end_, ends_);
  calc_velocities(model, end_, ends_);
}

void MeanForces::solve(const Tree& tree, const StepRows& rows, const VectorXd& push, VectorXd& gain) const {
  auto part = gain.segment(tree.start, tree.size);
  part = setup_.h * rows.problem.f.segment(tree.start, tree.size) + push.segment(tree.start, tree.size);
  const MatrixXd& L = rows.problem.mass.factor()->block(tree.index);
  L.triangularView<Eigen::Lower>().solveInPlace(part);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(part);
}

// (1), into correction_. False: it is as it was.
bool MeanForces::correct(Tree& tree, const Data& data, const StepRows& rows, const VectorXd& gain) {
  const auto mean = mean_.segment(tree.start, tree.size);
  auto force = force_.segment(tree.start, tree.size), way = way_.segment(tree.start, tree.size);
  const MatrixXd& M = data.M[tree.index];
  force.noalias() = M * mean;
  const double worked =
      force.dot(gain.segment(tree.start, tree.size)) + rows.problem.h * mean.dot(bias_.segment(tree.start, tree.size));
  const Energy energy = calc_energy_of(setup_.model, tree.index, end_.v, ends_);
  const double excess = energy.kinetic + energy.potential - tree.energy - worked;
  if (!(std::abs(excess - tree.excess) > kEnergyRounding * tree.measure)) return false;
  way = mean;
  if (tree.flies) {
    way.head<6>() -= M.topLeftCorner<6, 6>().llt().solve(force.head<6>());
    force.noalias() = M * way;
  }
  const double motion = mean.dot(force), share = excess / motion;
  if (!(motion > kLeastMotion * tree.measure && std::abs(share) < kMostCorrection)) return false;
  tree.excess = excess;
  correction_.segment(tree.start, tree.size) = -share / rows.problem.h * force;
  return true;
}

// The forces with the means at hand, and what they lead to.
void MeanForces::apply(const Tree& tree, const Data& data, const VectorXd& push, StepRows& rows, VectorXd& gain) {
  auto force = rows.problem.f.segment(tree.start, tree.size);
  force = forces_.segment(tree.start, tree.size) + data.bias.segment(tree.start, tree.size) -
          bias_.segment(tree.start, tree.size) + correction_.segment(tree.start, tree.size);
  if (!force.allFinite()) force = forces_.segment(tree.start, tree.size);
  solve(tree, rows, push, gain);
}

// The fixed point of the bias alone. Where there is none (a step that turns far), the bias stays that of v.
bool MeanForces::settle(Tree& tree, Data& data, const VectorXd& push, StepRows& rows, VectorXd& gain) {
  const auto v = rows.problem.v.segment(tree.start, tree.size);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const auto added = gain.segment(tree.start, tree.size);
    auto mean = mean_.segment(tree.start, tree.size);
    const bool found = is_found(v + 0.5 * added - mean, mean);
    mean = v + 0.5 * added;
    if (found) return true;
    calc_bias_of(setup_.model, tree.index, mean_, data, bias_);
    apply(tree, data, push, rows, gain);
  }
  const auto added = gain.segment(tree.start, tree.size);
  const auto mean = mean_.segment(tree.start, tree.size);
  if ((v + 0.5 * added - mean).cwiseAbs().maxCoeff() <= kNearlyFound * mean.cwiseAbs().maxCoeff()) return true;
  bias_.segment(tree.start, tree.size) = first_.segment(tree.start, tree.size);
  correction_.segment(tree.start, tree.size).setZero();
  apply(tree, data, push, rows, gain);
  return false;
}

void MeanForces::run(const State& state, const VectorXd& push, Data& data, StepRows& rows, VectorXd& gain) {
  const Model& model = setup_.model;
  ContactProblem& problem = rows.problem;
  forces_ = problem.f.head(model.nv());
  correction_.setZero();
  for (Tree& tree : trees_) {
    const auto v = problem.v.segment(tree.start, tree.size);
    tree.settled = tree.single ? v.tail<3>().isZero(0.0)
                               : v.isZero(0.0) && gain.segment(tree.start, tree.size).cwiseAbs().maxCoeff() < kAtRest;
    if (tree.settled) continue;
    auto mean = mean_.segment(tree.start, tree.size);
    mean = v;
    bias_.segment(tree.start, tree.size) = data.bias.segment(tree.start, tree.size);
    tree.excess = 0.0;
    if (tree.single) {
      // Its bias is that of its motion without forces already.
      auto change = way_.segment(tree.start, tree.size);
      calc_free_change(data.M[tree.index], data.R[model.dof_body(tree.start)], v, problem.h,
                       rows.times.of(tree.index).lead, change);
      mean += 0.5 * change;
      tree.settled = is_found(v + 0.5 * gain.segment(tree.start, tree.size) - mean, mean);
      if (tree.settled) continue;
      calc_bias_of(model, tree.index, mean_, data, bias_);
      forces_.segment(tree.start, tree.size) +=
          bias_.segment(tree.start, tree.size) - data.bias.segment(tree.start, tree.size);
    }
    first_.segment(tree.start, tree.size) = bias_.segment(tree.start, tree.size);
    tree.settled = !settle(tree, data, push, rows, gain) || tree.single;
  }
  for (int pass = 0; linked_ && pass < kMostCorrections; ++pass) {
    if (std::all_of(trees_.begin(), trees_.end(), [](const Tree& tree) { return tree.settled; })) return;
    place_ends(state, gain, rows.times);
    for (Tree& tree : trees_) {
      if (tree.settled) continue;
      tree.settled = !correct(tree, data, rows, gain);
      if (tree.settled) continue;
      apply(tree, data, push, rows, gain);
      tree.settled = !settle(tree, data, push, rows, gain);
    }
  }
}

}  // namespace tribo
