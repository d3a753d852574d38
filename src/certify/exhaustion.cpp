#include "certify/exhaustion.hpp"

#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <utility>

namespace tribo {

namespace {

using Patterns = std::vector<const std::string*>;

// The undecided index that most patterns fix; n when some pattern fixes none, which then matches every word
// left.
std::size_t choose_split(const Patterns& patterns, const std::vector<bool>& decided) {
  const std::size_t n = decided.size();
  std::vector<std::size_t> fixed(n, 0);
  for (const std::string* pattern : patterns) {
    bool fixes = false;
    for (std::size_t k = 0; k < n; ++k) {
      if (decided[k] || (*pattern)[k] == '*') continue;
      ++fixed[k];
      fixes = true;
    }
    if (!fixes) return n;
  }
  return static_cast<std::size_t>(std::max_element(fixed.begin(), fixed.end()) - fixed.begin());
}

bool covers(const Patterns& patterns, std::vector<bool>& decided, std::size_t& budget) {
  if (patterns.empty() || budget == 0) return false;
  --budget;
  const std::size_t k = choose_split(patterns, decided);
  if (k == decided.size()) return true;
  decided[k] = true;
  bool covered = true;
  for (const char choice : {'z', 'w'}) {
    Patterns matching;
    for (const std::string* pattern : patterns) {
      if ((*pattern)[k] == choice || (*pattern)[k] == '*') matching.push_back(pattern);
    }
    covered = covered && covers(matching, decided, budget);
  }
  decided[k] = false;
  return covered;
}

// (1) for one family: the largest wrong-signed column product and the margin at q.
std::pair<double, double> separate(const MatrixXd& M, const VectorXd& q, Index free, const std::string& pattern,
                                   const VectorXd& s) {
  Worst columns;
  for (Index k = 0; k < q.size(); ++k) {
    const char choice = k < free ? 'u' : pattern[static_cast<std::size_t>(k - free)];
    if (choice == 'w') continue;
    const double product = accurate_dot(M.col(k), s);
    const double wrong = k < free ? product : std::min(product, 0.0);
    columns.consider(wrong, M.col(k).cwiseAbs().dot(s.cwiseAbs()));
  }
  const double margin = accurate_dot(q, s);
  return {columns.relative(), margin > 0.0 ? ratio(margin, q.cwiseAbs().dot(s.cwiseAbs())) : 0.0};
}

bool well_formed(const Evidence& evidence, Index rows, std::size_t n) {
  if (evidence.separators.rows() != rows || evidence.separators.cols() != static_cast<Index>(evidence.pattern.size())) {
    return false;
  }
  return std::all_of(evidence.pattern.begin(), evidence.pattern.end(), [n](const std::string& pattern) {
    return pattern.size() == n && pattern.find_first_not_of("zw*") == std::string::npos;
  });
}

}  // namespace

bool covers_all(const std::vector<std::string>& patterns, std::size_t n, std::size_t budget) {
  Patterns all;
  for (const std::string& pattern : patterns) {
    if (pattern.size() != n) return false;
    all.push_back(&pattern);
  }
  std::vector<bool> decided(n, false);
  return covers(all, decided, budget);
}

Certificate check_exhaustion(const MatrixXd& M, const VectorXd& q, Index free, const Evidence& evidence) {
  const std::size_t n = static_cast<std::size_t>(q.size() - free);
  if (!well_formed(evidence, q.size(), n)) return refused("size");
  if (!evidence.separators.allFinite()) return refused("finite");
  if (!covers_all(evidence.pattern, n)) return refused("coverage");

  Worst sign;
  Certificate checks, weakest;
  for (std::size_t i = 0; i < evidence.pattern.size(); ++i) {
    VectorXd s = evidence.separators.col(static_cast<Index>(i));
    const double largest_s = largest(s);
    for (Index k = free; k < q.size(); ++k) {
      if (evidence.pattern[i][static_cast<std::size_t>(k - free)] == 'z' || s(k) <= 0.0) continue;
      sign.consider(s(k), kRoundingOfSign * largest_s);
      s(k) = 0.0;
    }
    const auto [epsilon, delta] = separate(M, q, free, evidence.pattern[i], s);
    Certificate family;
    add_functional(family, epsilon, delta);
    if (i == 0 || family.worst > weakest.worst) weakest = family;
  }
  checks.add(sign.residual("sign", "1"));
  for (const Residual& residual : weakest.residuals) checks.add(residual);
  return checks;
}

}  // namespace tribo
