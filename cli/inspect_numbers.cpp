// The numbers at a state as compact tables.
#include <algorithm>
#include <cmath>

#include "inspect_output.hpp"
#include "inspect_words.hpp"
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr Index kMaxEigenvalues = 300;  // rows of a tree's block; beyond, its condition takes longer than the rest

// Names of a table's first column, all as wide as the widest; long ones are cut.
void align(std::vector<std::string>& names) {
  constexpr std::size_t kWidest = 32;
  std::size_t width = 0;
  for (std::string& name : names) {
    name = shortened(name, kWidest);
    width = std::max(width, columns_of(name));
  }
  for (std::string& name : names) name = padded_to(name, width);
}

std::string poses_text(const Model& model, const StateNumbers& numbers) {
  std::vector<std::string> names = {"body"};
  for (Index b = 1; b < model.nb(); ++b)
    names.push_back(shown(model.bodies()[static_cast<std::size_t>(b)].name, "body", b));
  align(names);
  std::string text =
      names[0] + fmt::format("{:>10}{:>10}{:>10}  {:>9}{:>9}{:>9}{:>9}\n", "x/m", "y", "z", "qw", "qx", "qy", "qz");
  for (std::size_t b = 1; b < names.size(); ++b) {
    const Vector3d& p = numbers.data.p[b];
    const Quaterniond& q = numbers.data.quat[b];
    text += names[b] + fmt::format("{:>10.5g}{:>10.5g}{:>10.5g}  {:>9.5f}{:>9.5f}{:>9.5f}{:>9.5f}\n", p.x(), p.y(),
                                   p.z(), q.w(), q.x(), q.y(), q.z());
  }
  return text;
}

std::string dofs_text(const Model& model, const StateNumbers& numbers) {
  if (model.nv() == 0) return "";
  std::vector<std::string> names = {"dof"};
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    const std::string name = shown(joint.name, "joint", static_cast<Index>(j));
    const int count = calc_nv(joint.type);
    for (int k = 0; k < count; ++k) names.push_back(count == 1 ? name : fmt::format("{}[{}]", name, k));
  }
  align(names);
  std::string text = "\n" + names[0] + fmt::format("{:>14}{:>14}{:>14}{:>14}\n", "v", "M_ii", "bias", "passive");
  for (Index dof = 0; dof < model.nv(); ++dof) {
    const Index tree = model.trees().block_of(dof), at = dof - model.trees().start(tree);
    const double inertia = numbers.data.M[static_cast<std::size_t>(tree)](at, at);
    text += names[static_cast<std::size_t>(dof) + 1] +  // + 0.0: no negative zeros
            fmt::format("{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}\n", numbers.state.v(dof) + 0.0, inertia,
                        numbers.data.bias(dof) + 0.0, numbers.data.passive(dof) + 0.0);
  }
  return text;
}

// The largest eigenvalue of any tree's block over the smallest; 0: not computed.
double calc_condition(const std::vector<MatrixXd>& blocks) {
  double least = kUnlimited, largest = 0.0;
  for (const MatrixXd& block : blocks) {
    if (block.rows() > kMaxEigenvalues || !block.allFinite()) return 0.0;
    if (block.rows() == 0) continue;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(block, Eigen::EigenvaluesOnly);
    least = std::min(least, solver.eigenvalues().minCoeff());
    largest = std::max(largest, solver.eigenvalues().maxCoeff());
  }
  return largest / least;
}

std::string mass_text(const Model& model, const StateNumbers& numbers) {
  if (model.nv() == 0) return "";
  const double condition = calc_condition(numbers.data.M);
  return fmt::format("M               {} × {} in {} {}{}\n", model.nv(), model.nv(), model.trees().blocks(),
                     model.trees().blocks() == 1 ? "block" : "blocks",
                     condition == 0.0 ? "" : fmt::format(", condition {:.3g}", condition));
}

std::string loops_text(const ModelDescription& d, const StateNumbers& numbers) {
  double worst = -1.0;
  std::size_t at = 0;
  for (std::size_t e = 0; e < d.equalities.size(); ++e) {
    for (const double error : numbers.equality_errors[e]) {
      if (!(std::abs(error) <= worst)) {
        worst = std::abs(error);
        at = e;
      }
    }
  }
  if (worst < 0.0) return "";
  return fmt::format("loops           worst error {:.3g}, of {}\n", worst,
                     shown(d.equalities[at].name, "equality", static_cast<Index>(at)));
}

template <typename Part>
std::string lengths_text(const char* title, const char* kind, const std::vector<Part>& parts,
                         const std::vector<double>& lengths) {
  if (parts.empty()) return "";
  std::vector<std::string> phrases;
  for (std::size_t k = 0; k < parts.size(); ++k)
    phrases.push_back(fmt::format("{}: {:.6g}", shown(parts[k].name, kind, static_cast<Index>(k)), lengths[k]));
  return joined(title, phrases, 16);
}

}  // namespace

std::string inspect_numbers(const Model& model, const StateNumbers& numbers) {
  const ModelDescription& d = model.description();
  std::string text = fmt::format("\nat {}\n", shown(numbers.label, "", 0));
  text += poses_text(model, numbers) + dofs_text(model, numbers) + "\n";
  text +=
      fmt::format("centre of mass  ({:.6g}, {:.6g}, {:.6g}) m\n", numbers.com.x(), numbers.com.y(), numbers.com.z());
  text += fmt::format("energy          kinetic {:.9g} J, potential {:.9g} J\n", numbers.energy.kinetic,
                      numbers.energy.potential);
  text += mass_text(model, numbers) + loops_text(d, numbers);
  text += lengths_text("tendon lengths", "tendon", d.tendons, numbers.tendon_lengths);
  return text + lengths_text("drive lengths ", "actuator", d.actuators, numbers.actuator_lengths);
}

}  // namespace tribo
