#include "tribo/problem/friction_problem.hpp"

#include "problem/checks.hpp"

namespace tribo {

namespace {

Checked check_dimension(int dimension) {
  if (dimension == 2 || dimension == 3) return ok();
  return fail("is " + std::to_string(dimension), "dimension",
              "give 2 (planar: normal and one tangent) or 3 (normal and two tangents)");
}

Checked check_mu(const VectorXd& mu) { return check_non_negative(mu, "mu", "give a friction coefficient >= 0"); }

}  // namespace

Checked validate(const LocalFriction& problem) {
  TRIBO_CHECK(check_dimension(problem.dimension));
  TRIBO_CHECK(check_mu(problem.mu));
  const Index size = problem.dimension * problem.contacts();
  const char* meaning = "`dimension` entries per contact (the length of mu)";
  TRIBO_CHECK(check_size(problem.W.rows(), problem.W.cols(), "W", size, size, meaning));
  TRIBO_CHECK(check_size(problem.q, "q", size, meaning));
  TRIBO_CHECK(check_finite(problem.W, "W"));
  return check_finite(problem.q, "q");
}

Checked validate(const GlobalFriction& problem) {
  TRIBO_CHECK(check_dimension(problem.dimension));
  TRIBO_CHECK(check_mu(problem.mu));
  const Index m = problem.f.size();
  const Index size = problem.dimension * problem.contacts();
  TRIBO_CHECK(check_size(problem.M.rows(), problem.M.cols(), "M", m, m, "a square matrix as long as f"));
  TRIBO_CHECK(check_size(problem.H.rows(), problem.H.cols(), "H", m, size,
                         "one row per entry of f and `dimension` columns per contact"));
  TRIBO_CHECK(check_size(problem.w, "w", size, "`dimension` entries per contact (the length of mu)"));
  if (problem.G.cols() > 0 || problem.b.size() > 0) {
    TRIBO_CHECK(check_size(problem.G.rows(), problem.G.cols(), "G", m, problem.G.cols(), "one row per entry of f"));
  }
  TRIBO_CHECK(check_size(problem.b, "b", problem.G.cols(), "one entry per column of G"));
  TRIBO_CHECK(check_finite(problem.M, "M"));
  TRIBO_CHECK(check_finite(problem.H, "H"));
  TRIBO_CHECK(check_finite(problem.f, "f"));
  TRIBO_CHECK(check_finite(problem.w, "w"));
  TRIBO_CHECK(check_finite(problem.G, "G"));
  return check_finite(problem.b, "b");
}

}  // namespace tribo
