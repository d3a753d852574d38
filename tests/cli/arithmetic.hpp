// Answers checked against their files with long double sums written here: nothing of certify/ is used.
#pragma once

#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/lcp.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace tribo::testing {

// Largest violation of 0 ≤ z ⟂ w ≥ 0, w = M z + q, relative to |q| + |M||z| row by row (min(z, w) to max(1, |q|)).
double lcp_violation(const MatrixXd& M, const VectorXd& q, const VectorXd& z, const VectorXd& w);

// The same with u in the equality rows; `equality` marks them, all rows in the file's order.
double mixed_violation(const MatrixXd& M, const VectorXd& q, const std::vector<bool>& equality, const VectorXd& u,
                       const VectorXd& z, const VectorXd& w);

// Largest violation of the model's equations (data/reference/README.md), relative to the sizes of the terms.
// `model` is the file's or one of its spellings: frictionless, no_slip, viscous_*, st_d<k>, friction_box, cone.
double contact_violation(const nlohmann::json& file, const std::string& model, const nlohmann::json& answer);

// The natural map of the true cone at r, over the largest q of a contact, and u against W r + q row by row.
double friction_violation(const LocalFriction& problem, const VectorXd& r, const VectorXd& u);

VectorXd to_vector(const nlohmann::json& list);

}  // namespace tribo::testing
