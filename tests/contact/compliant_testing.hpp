// Random compliant steps for the tests of contact: a few bodies, rows of all kinds.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/io/problem_file.hpp"
#include "tribo/problem/compliant_problem.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include <Eigen/Geometry>

namespace tribo::testing {

inline VectorXd random_numbers(Index size, Random& random) {
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x(i) = random.uniform(-1.0, 1.0);
  return x;
}

inline double random_power(double low, double high, Random& random) {
  return std::pow(10.0, random.uniform(std::log10(low), std::log10(high)));
}

struct StepShape {
  bool planar = false;
  Index bodies = 1, bilateral = 0, unilateral = 0, contacts = 0;
  double softest = 1e3, stiffest = 1e7;  // N/m
};

// Bodies of 1 kg or so that move at 1 m/s, rows that press or part by as much as a step can change.
class RandomStep {
 public:
  RandomStep(const StepShape& shape, Random& random) : shape_(shape), random_(random) {}

  CompliantProblem make() {
    CompliantProblem problem;
    problem.name = "random";
    problem.h = random_power(1e-3, 1e-2, random_);
    const Index size = shape_.planar ? 3 : 6;
    for (Index b = 0; b < shape_.bodies; ++b) {
      VectorXd diagonal = VectorXd::Constant(size, random_power(0.3, 3.0, random_));
      diagonal.tail(shape_.planar ? 1 : 3) *= 0.05;
      problem.mass.append(diagonal.asDiagonal());
    }
    problem.v = random_numbers(problem.dof(), random_);
    problem.f = 10.0 * random_numbers(problem.dof(), random_);
    problem.product = VelocityProduct::kSpring;
    for (CompliantRows* rows : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
      rows->G = BlockRows(problem.mass.layout());
    }
    for (Index i = 0; i < shape_.bilateral; ++i) add_plain(problem, problem.bilateral);
    for (Index i = 0; i < shape_.unilateral; ++i) add_plain(problem, problem.unilateral);
    for (Index i = 0; i < shape_.contacts; ++i) add_contact(problem);
    for (CompliantRows* rows : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
      fill(problem, *rows, rows == &problem.r || rows == &problem.s);
    }
    if (!shape_.planar) problem.s.K = problem.r.K;
    if (!shape_.planar) problem.s.B = problem.r.B;
    problem.mu.resize(shape_.contacts);
    problem.rate_scale.resize(shape_.contacts);
    for (Index i = 0; i < shape_.contacts; ++i) {
      problem.mu(i) = random_.uniform(0.05, 0.9);
      problem.rate_scale(i) = random_.chance(0.5) ? 1.0 : random_power(0.3, 3.0, random_);
    }
    return problem;
  }

 private:
  // The row of a direction at a point, between two bodies or one and the ground.
  struct Place {
    Index a = 0, b = -1;
    Vector3d arm_a = Vector3d::Zero(), arm_b = Vector3d::Zero();
  };
  Place random_place() {
    Place place;
    place.a = random_.integer(0, shape_.bodies - 1);
    if (shape_.bodies > 1 && random_.chance(0.5)) place.b = (place.a + 1) % shape_.bodies;
    place.arm_a = 0.2 * random_numbers(3, random_);
    place.arm_b = 0.2 * random_numbers(3, random_);
    return place;
  }
  VectorXd row_of(const Vector3d& direction, const Vector3d& arm) const {
    if (shape_.planar) return Vector3d(direction.x(), direction.y(), arm.x() * direction.y() - arm.y() * direction.x());
    VectorXd row(6);
    row << direction, arm.cross(direction);
    return row;
  }
  void add_row(CompliantRows& rows, const Place& place, const Vector3d& direction) const {
    const VectorXd first = row_of(direction, place.arm_a), second = -row_of(direction, place.arm_b);
    const auto span = [](const VectorXd& x) {
      return std::span<const double>(x.data(), static_cast<std::size_t>(x.size()));
    };
    if (place.b < 0) {
      rows.G.add_row({place.a, span(first)});
    } else {
      rows.G.add_row({place.a, span(first)}, {place.b, span(second)});
    }
  }
  Vector3d random_direction() {
    Vector3d direction = random_numbers(3, random_);
    if (shape_.planar) direction.z() = 0.0;
    return direction.normalized();
  }
  void add_plain(CompliantProblem&, CompliantRows& rows) { add_row(rows, random_place(), random_direction()); }
  void add_contact(CompliantProblem& problem) {
    const Place place = random_place();
    const Vector3d n = random_direction();
    add_row(problem.normal, place, n);
    if (shape_.planar) {
      add_row(problem.r, place, Vector3d(-n.y(), n.x(), 0.0));
      return;
    }
    const Vector3d r = n.unitOrthogonal();
    add_row(problem.r, place, r);
    add_row(problem.s, place, n.cross(r));
  }
  void fill(const CompliantProblem& problem, CompliantRows& rows, bool tangent) {
    const Index m = rows.rows();
    rows.K.resize(m);
    rows.B.resize(m);
    for (Index i = 0; i < m; ++i) {
      rows.K(i) = tangent ? 0.0 : random_power(shape_.softest, shape_.stiffest, random_);
      rows.B(i) = tangent ? random_power(1e3, 1e5, random_) : random_power(1.0, 1e3, random_);
    }
    rows.phi = tangent ? VectorXd(VectorXd::Zero(m)) : VectorXd(problem.h * random_numbers(m, random_));
    rows.drift = random_numbers(m, random_);
  }

  StepShape shape_;
  Random& random_;
};

inline CompliantFile compliant_reference(const std::string& name) {
  return std::get<CompliantFile>(
      read_problem(source_dir() + "/data/reference-first-order/" + name + ".json").value().problem);
}

// All 22, sorted by name.
inline std::vector<CompliantFile> compliant_reference_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/data/reference-first-order")) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  std::vector<CompliantFile> files;
  for (const std::string& name : names) files.push_back(compliant_reference(name));
  return files;
}

// The problem and model that an answer of a reference file belongs to.
inline void choose_model(const std::string& answer, CompliantProblem& problem, Compliant& model) {
  if (answer == "none") problem.product = VelocityProduct::kNone;
  if (answer == "spring") problem.product = VelocityProduct::kSpring;
  if (answer == "paper") problem.product = VelocityProduct::kPaper;
  if (answer == "qp") model.unilateral = UnilateralLaw::kLeastNorm;
  if (answer == "convex_cone") model.friction = FrictionLaw::kConvexCone;
  if (answer == "paper_qcqp") model.friction = FrictionLaw::kWeighted;
}

}  // namespace tribo::testing
