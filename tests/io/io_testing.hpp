// Shared by the tests of io: comparing problems, a temporary folder, small files of every kind.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/io/problem_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace tribo::testing {

inline bool same(const SparseMatrix& a, const SparseMatrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  for (Index j = 0; j < a.outerSize(); ++j) {
    SparseMatrix::InnerIterator x(a, j);
    SparseMatrix::InnerIterator y(b, j);
    for (; x && y; ++x, ++y) {
      if (x.row() != y.row() || x.value() != y.value()) return false;
    }
    if (x || y) return false;
  }
  return true;
}

inline bool same(const Lcp& a, const Lcp& b) { return a == b; }
inline bool same(const MixedLcpFile& a, const MixedLcpFile& b) { return a == b; }
inline bool same(const BoxLcp& a, const BoxLcp& b) { return a == b; }
inline bool same(const Qp& a, const Qp& b) { return a == b; }

inline bool same(const LocalFriction& a, const LocalFriction& b) {
  return a.dimension == b.dimension && same(a.W, b.W) && a.q == b.q && a.mu == b.mu && a.title == b.title;
}

inline bool same(const GlobalFriction& a, const GlobalFriction& b) {
  return a.dimension == b.dimension && same(a.M, b.M) && same(a.H, b.H) && same(a.G, b.G) && a.f == b.f && a.w == b.w &&
         a.b == b.b && a.mu == b.mu && a.title == b.title;
}

inline bool same(const ExpectedAnswer& a, const ExpectedAnswer& b) {
  const ContactSolution& x = a.solution;
  const ContactSolution& y = b.solution;
  return a.status == b.status && a.velocity_unique == b.velocity_unique && a.forces_unique == b.forces_unique &&
         x.v_next == y.v_next && x.f_n == y.f_n && x.f_s == y.f_s && x.f_t == y.f_t && x.f_spin == y.f_spin &&
         x.f_roll_s == y.f_roll_s && x.f_roll_t == y.f_roll_t && x.f_j == y.f_j && x.f_d == y.f_d && a.w == b.w &&
         a.beta == b.beta && a.lambda_cone == b.lambda_cone && a.farkas_y == b.farkas_y;
}

inline bool same(const ContactFile& a, const ContactFile& b) {
  if (a.expected.has_value() != b.expected.has_value()) return false;
  return equal(a.problem, b.problem) && a.problem.name == b.problem.name && a.problem.level == b.problem.level &&
         a.problem.mass.layout() == b.problem.mass.layout() && a.problem.contacts == b.problem.contacts &&
         a.model == b.model && a.description == b.description && (!a.expected || same(*a.expected, *b.expected));
}

inline bool same(const CompliantRows& a, const CompliantRows& b) {
  return a.rows() == b.rows() && a.G.layout() == b.G.layout() && a.G.to_dense() == b.G.to_dense() && a.K == b.K &&
         a.B == b.B && a.phi == b.phi && a.drift == b.drift;
}

inline bool same(const CompliantReference& a, const CompliantReference& b) {
  const CompliantSolution &x = a.solution, &y = b.solution;
  return a.model == b.model && x.v1 == y.v1 && x.lambda_b == y.lambda_b && x.lambda_u == y.lambda_u &&
         x.lambda_n == y.lambda_n && x.lambda_r == y.lambda_r && x.lambda_s == y.lambda_s && x.states == y.states &&
         a.row_multipliers == b.row_multipliers;
}

inline bool same(const CompliantFile& a, const CompliantFile& b) {
  const CompliantProblem &p = a.problem, &q = b.problem;
  if (a.solutions.size() != b.solutions.size()) return false;
  for (std::size_t k = 0; k < a.solutions.size(); ++k) {
    if (!same(a.solutions[k], b.solutions[k])) return false;
  }
  return p.name == q.name && p.h == q.h && p.mass.layout() == q.mass.layout() &&
         p.mass.to_dense() == q.mass.to_dense() && p.v == q.v && p.f == q.f && p.product == q.product &&
         same(p.bilateral, q.bilateral) && same(p.unilateral, q.unilateral) && same(p.normal, q.normal) &&
         same(p.r, q.r) && same(p.s, q.s) && p.mu == q.mu && p.rate_scale == q.rate_scale && p.zeta == q.zeta &&
         a.model == b.model && a.note == b.note;
}

inline bool same(const AnyProblem& a, const AnyProblem& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

// What is said against the text of a JSON problem.
inline std::string json_error(const std::string& text) {
  const Expected<AnyProblem> result = parse_json_problem(text);
  return result ? "no error" : result.error().text();
}

// A folder that lives as long as the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int counter = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("tribo-io-test-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
    std::filesystem::create_directory(folder_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_;
};

// The text up to each of its tokens, the whole excluded.
inline std::vector<std::string> truncations(const std::string& text) {
  std::vector<std::string> parts;
  bool in_token = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool space = text[i] == ' ' || text[i] == '\n';
    if (!space && !in_token) parts.push_back(text.substr(0, i));
    in_token = !space;
  }
  return parts;
}

// A few bytes changed, removed, doubled or made into digits that could be sizes.
inline std::string mutated(std::string text, Random& random) {
  const auto edits = random.integer(1, 4);
  for (std::int64_t k = 0; k < edits && !text.empty(); ++k) {
    const auto at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()) - 1));
    switch (random.integer(0, 4)) {
      case 0:
        text[at] = static_cast<char>(random.integer(0, 255));
        break;
      case 1:
        text[at] = static_cast<char>('0' + random.integer(0, 9));
        break;
      case 2:
        text.erase(at, static_cast<std::size_t>(random.integer(1, 12)));
        break;
      case 3:
        text.insert(at, std::string(static_cast<std::size_t>(random.integer(1, 20)), '9'));
        break;
      default:
        text.insert(at, random.chance(0.5) ? " -1 " : " nan ");
    }
  }
  return text;
}

// Siconos text, one sample per layout and storage, none with anything after the last number.
inline const std::vector<std::pair<std::string, std::string>>& siconos_samples() {
  static const std::vector<std::pair<std::string, std::string>> samples = {
      {"lcp", "2\n0 2 2\n2 2\n1 3\n2 4\n-5 -6\n"},
      {"lcp", "3\n1 3 3\n3\n2 2\n2 3\n2 3\n3 3\n0 2 3\n0 1 1\n0\n1 2 3 4\n1\n5 6\n2\n7\n-1 -2 -3\n"},
      {"lcp",
       "2\n2 2 2\n1\nCSparse Version 3.1.9, some text\ntriplet: 2-by-2, nzmax: 4 nnz: 3\n    0 0 : 1\n    1 "
       "1 : 2\n"
       "    0 0 : 0.5\n-1 -2\n"},
      {"lcp",
       "2\n2 2 2\n2\nCSparse Version 3.1.9, some text\n2-by-2, nzmax: 4 nnz: 2, 1-norm: 3\n    col 0 : "
       "locations 0 to "
       "1\n      0 : 1.5\n      1 : 2.5\n    col 1 : locations 2 to 1\n-1 -2\n"},
      {"mlcp", "1 0 1 1\n0 1 2\n0 1\n0 2 2 2 2\n1 3\n2 4\n5 6\n"},
      {"mlcp", "0 1 1 2\n1\n2 3 4 5\n6 7\n8 9\n10\n11 12\n"},
      {"fc3d", "3 1\n0 3 3\n3 3\n15 -1 -2 -1 14 1 -2 1 16\n-1 2 3\n0.1\n"},
      {"fc2d", "2 2\n1 4 4\n2\n2 2\n2 4\n2 4\n3 2\n0 1 2\n0 1\n0\n1 2 3 4\n1\n5 6 7 8\n-1 0 -2 0\n0.5 0.6\n"},
      {"gfc3d", "3 1\n0 2 2\n2 2\n2 0 0 3\n0 2 3\n2 3\n1 2 3 4 5 6\n7 8\n9 10 11\n0.3\n"},
      {"gfc2d", "2 1\n0 2 2\n2 2\n2 0 0 3\n0 2 2\n2 2\n1 2 3 4\n7 8\n9 10\n0.3\n"},
      {"mlcp", "1 3 3\n4\n2 2\n2 3\n2 3\n3 4\n0 2 4\n0 1 0 1\n0\n1 2 3 4\n1\n5 6\n2\n7 8\n3\n9\n-1 -2 -3\n2\n0\n"},
      {"fc3d", "1 3 3\n1\n1 1\n3\n3\n2 1\n0 1\n0\n0\n1 2 3 4 5 6 7 8 9\n-1 -2 -3\n4\n0.1\n"},
  };
  return samples;
}

}  // namespace tribo::testing
