// Complementarity problems and QPs without contacts: the arrays of --solution, in the order of the file.
#include <algorithm>
#include <sstream>

#include "arithmetic.hpp"
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

json solve_text(const std::string& name, const std::string& text, int code,
                const std::vector<std::string>& options = {}) {
  std::vector<std::string> words = {"solve", write_file(name, text), "--json", "--solution"};
  words.insert(words.end(), options.begin(), options.end());
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, code) << run.err;
  const auto lines = run.json_lines();
  return lines.size() == 1 ? lines.front() : json::object();
}

// A mixed LCP as Siconos writes it: one block per row, flag 0 for an equality row.
std::string mixed_text(const MatrixXd& M, const VectorXd& q, const std::vector<bool>& equality) {
  std::ostringstream out;
  out.precision(17);
  const Index n = q.size();
  const auto free = std::count(equality.begin(), equality.end(), true);
  out << "1 0 " << free << " " << n - free << "\n";
  for (Index i = 0; i <= n; ++i) out << i << " ";
  out << "\n";
  for (const bool row : equality) out << (row ? 0 : 1) << " ";
  out << "\n";
  out << "0 " << n << " " << n << "\n" << n << " " << n << "\n";
  for (Index j = 0; j < n; ++j) out << M.col(j).transpose() << "\n";
  out << q.transpose() << "\n";
  return out.str();
}

// An LCP with one answer that can be seen: 2z − 4 = 0 and w = 3 − … stays open.
TEST(PlainProblem, AnLcpPrintsZAndW) {
  const json line =
      solve_text("a.json", R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [[2, 0], [1, 1]], "q": [-4, 3]})", 0);
  EXPECT_EQ(line["kind"], "lcp");
  EXPECT_TRUE(line["model"].is_null());
  EXPECT_EQ(line["contacts"], 0);
  EXPECT_EQ(line["dof"], 2);
  EXPECT_EQ(line["z"], json::parse("[2.0, 0.0]"));
  EXPECT_EQ(line["w"], json::parse("[0.0, 5.0]"));
  EXPECT_FALSE(line.contains("u"));
}

// A double must come back as it was computed: one third and the smallest steps around it survive the text.
TEST(PlainProblem, NumbersRoundTrip) {
  const json line =
      solve_text("third.json", R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [[3]], "q": [-1]})", 0);
  EXPECT_EQ(line["z"][0].get<double>(), 1.0 / 3.0);
}

// Readers move equality rows to the front; the answer comes back as the file has its rows.
TEST(PlainProblem, AMixedLcpPrintsItsArraysInTheOrderOfTheFile) {
  const std::vector<bool> equality = {false, true, false, true, false};
  MatrixXd M(5, 5);
  M << 9, 1, 0, 2, 1,  //
      1, 7, 1, 0, -1,  //
      0, -1, 8, 1, 2,  //
      2, 0, 1, 6, 0,   //
      1, 1, 2, 0, 5;
  VectorXd q(5);
  q << -3, 11, 40, -13, -17;
  const json line = solve_text("mixed.dat", mixed_text(M, q, equality), 0, {"--kind", "mlcp"});
  EXPECT_EQ(line["kind"], "mlcp");
  EXPECT_EQ(line["dof"], 5);
  const VectorXd u = to_vector(line["u"]), z = to_vector(line["z"]), w = to_vector(line["w"]);
  ASSERT_EQ(u.size(), 2);
  ASSERT_EQ(z.size(), 3);
  ASSERT_EQ(w.size(), 3);
  EXPECT_LE(mixed_violation(M, q, equality, u, z, w), 1e-14);
  // The test can tell: with the unknowns exchanged the equations fail.
  EXPECT_GT(mixed_violation(M, q, equality, u.reverse(), z, w), 1e-3);
  EXPECT_GT(mixed_violation(M, q, equality, u, z.reverse(), w), 1e-3);
}

// A proof, too, speaks of the file's rows. Row 0 asks for w = −1 and nothing can change it; row 1 is an equality.
TEST(PlainProblem, EvidenceOfAMixedLcpIsInTheOrderOfTheFile) {
  MatrixXd M(2, 2);
  M << 0, 0, 0, 1;
  const VectorXd q = (VectorXd(2) << -1, 2).finished();
  const json line = solve_text("no_answer.dat", mixed_text(M, q, {false, true}), 1, {"--kind", "mlcp"});
  EXPECT_EQ(line["status"], "infeasible");
  EXPECT_EQ(line["evidence"]["verdict"], "infeasible");
  const json& vectors = line["evidence"]["vectors"];
  VectorXd y(2);
  if (line["evidence"]["kind"] == "farkas") {
    y = to_vector(vectors["y"]);
  } else {
    ASSERT_EQ(line["evidence"]["kind"], "ray");  // the direction of a ray that proves infeasibility is a Farkas vector
    y << vectors["dz"][0].get<double>(), vectors["du"][0].get<double>();
  }
  EXPECT_GT(y(0), 0.0);
  EXPECT_EQ(y(1), 0.0);  // Mᵀy vanishes on the free unknown
  EXPECT_LT(q.dot(y), 0.0);
}

// JSON keeps its rows as they are; `order` speaks of the file it was converted from.
TEST(PlainProblem, AConvertedMixedLcpKeepsTheOrderOfTheJson) {
  const json line = solve_text("converted.json",
                               R"({"schema": "tribo-problem/1", "kind": "mlcp", "free": 2, "order": [2, 0, 1],
                                   "M": [[1, 0, 0], [0, 2, 0], [0, 0, 4]], "q": [-1, -4, -12]})",
                               0);
  EXPECT_EQ(line["u"], json::parse("[1.0, 2.0]"));
  EXPECT_EQ(line["z"], json::parse("[3.0]"));
}

// Bounds on both sides: z sits at its upper bound with w < 0, and at its lower with w > 0.
TEST(PlainProblem, ABoxLcpPrintsZAndW) {
  const json line =
      solve_text("box.json",
                 R"({"schema": "tribo-problem/1", "kind": "box-lcp", "M": [[2, 0, 0], [0, 1, 0], [0, 0, 1]],
                                   "q": [-8, 5, -2], "lo": [0, -1, "-inf"], "hi": [1, 1, "inf"]})",
                 0);
  EXPECT_EQ(line["kind"], "box-lcp");
  EXPECT_EQ(line["z"], json::parse("[1.0, -1.0, 2.0]"));
  EXPECT_EQ(line["w"], json::parse("[-6.0, 4.0, 0.0]"));
}

// min ½|x|² − x₀ subject to x₀ = x₁ and x₀ ≥ 2: x = (2, 2), and the multipliers balance H x + g = Eᵀν + Gᵀλ.
TEST(PlainProblem, AQpPrintsXNuAndLambda) {
  const json line = solve_text("qp.json",
                               R"({"schema": "tribo-problem/1", "kind": "qp", "H": [[1, 0], [0, 1]], "g": [-1, 0],
                                   "E": [[1, -1]], "b": [0], "G": [[1, 0]], "d": [2]})",
                               0);
  const VectorXd x = to_vector(line["x"]), nu = to_vector(line["nu"]), lambda = to_vector(line["lambda"]);
  ASSERT_EQ(x.size(), 2);
  ASSERT_EQ(nu.size(), 1);
  ASSERT_EQ(lambda.size(), 1);
  EXPECT_NEAR(x(0), 2.0, 1e-14);
  EXPECT_NEAR(x(1), 2.0, 1e-14);
  EXPECT_NEAR(x(0) - 1.0, nu(0) + lambda(0), 1e-14);
  EXPECT_NEAR(x(1), -nu(0), 1e-14);
}

// A QP whose constraints exclude one another ends with a proof: y over G, then E.
TEST(PlainProblem, AnInfeasibleQpIsProved) {
  const json line = solve_text("qp_infeasible.json",
                               R"({"schema": "tribo-problem/1", "kind": "qp", "H": [[1]], "g": [0],
                                   "G": [[1], [-1]], "d": [1, 1]})",
                               1);
  EXPECT_EQ(line["status"], "infeasible");
  EXPECT_EQ(line["evidence"]["kind"], "farkas");
  const VectorXd y = to_vector(line["evidence"]["vectors"]["y"]);
  EXPECT_GT(y.minCoeff(), 0.0);
  EXPECT_NEAR(y(0), y(1), 1e-14 * y(0));
}

// A problem without unknowns has an answer without numbers.
TEST(PlainProblem, AnEmptyLcpIsSolved) {
  const json line = solve_text("nothing.json", R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [], "q": []})", 0);
  EXPECT_EQ(line["status"], "solved");
  EXPECT_EQ(line["z"], json::array());
}

// Answers that are not finite are strings, because JSON has no such numbers. The one row −1 ≥ 0 has no answer.
TEST(PlainProblem, EveryLineIsValidJsonAlsoWithoutAnAnswer) {
  const json line =
      solve_text("none.json", R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [[0]], "q": [-1]})", 1);
  EXPECT_EQ(line["status"], "infeasible");
  EXPECT_TRUE(line["certificate"]["worst"].is_number() || line["certificate"]["worst"] == "inf");
}

// A text that fits two layouts is not guessed at; the message names the option that settles it.
TEST(PlainProblem, AnAmbiguousTextAsksForItsKind) {
  const std::string text = "0 1 0 0 0 0 0 0 0\n";
  const ToolRun run = run_tool({"solve", write_file("two.dat", text)});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("--kind"), std::string::npos) << run.err;
}

// A kind that the file is not is refused for every format.
TEST(PlainProblem, AKindThatDoesNotFitIsRefused) {
  const ToolRun run = run_tool({"solve", "data/reference/fr05_wedge.json", "--kind", "lcp"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("is a problem of kind contact, not lcp"), std::string::npos) << run.err;
}

// A contact model says nothing about bare equations.
TEST(PlainProblem, AModelIsRefused) {
  const std::string path =
      write_file("b.json", R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [[1]], "q": [1]})");
  const ToolRun run = run_tool({"solve", path, "--model", "no-slip"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("leave --model out"), std::string::npos) << run.err;
}

// Solvers for symmetric matrices must not be let loose on others.
TEST(PlainProblem, ASolverThatCannotTakeTheMatrixIsRefused) {
  const std::string path =
      write_file("c.json", R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [[1, 1], [-1, 1]], "q": [-1, -1]})");
  EXPECT_EQ(run_tool({"solve", path}).code, 0);
  const ToolRun run = run_tool({"solve", path, "--solver", "dantzig"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("not symmetric"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace tribo::testing
