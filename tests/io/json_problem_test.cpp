#include <cmath>
#include <cstring>
#include <limits>

#include "io/file_bytes.hpp"
#include "io/io_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::json_error;
using testing::same;
using testing::TemporaryFolder;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<AnyProblem> make_problems() {
  MatrixXd M(2, 2);
  M << 2, -1.0 / 3.0, 1e-300, 5e300;
  const Eigen::Vector2d q(-0.1, 4.9406564584124654e-324);
  LocalFriction local;
  local.dimension = 2;
  local.W = M.sparseView();
  local.q = q;
  local.mu = VectorXd::Constant(1, 0.1 + 0.2);
  local.title = "tab\tand \"quotes\"";
  GlobalFriction global;
  global.M = MatrixXd(MatrixXd::Identity(2, 2)).sparseView();
  global.H = MatrixXd(MatrixXd::Constant(2, 3, 0.1)).sparseView();
  global.f = q;
  global.w = Vector3d(1, 2, 3);
  global.mu = VectorXd::Constant(1, 0.7);
  global.G = MatrixXd(MatrixXd::Constant(2, 1, 1.0)).sparseView();
  global.b = VectorXd::Constant(1, -1e22);
  GlobalFriction free = global;
  free.G.resize(2, 0);
  free.b.resize(0);
  return {Lcp{M, q},
          Lcp{MatrixXd(0, 0), VectorXd(0)},
          MixedLcpFile{MixedLcp{M, q, 1}, {1, 0}},
          MixedLcpFile{MixedLcp{M, q, 2}, {0, 1}},
          BoxLcp{M, q, Eigen::Vector2d(-kInfinity, 0), Eigen::Vector2d(1, kInfinity)},
          Qp{MatrixXd::Identity(2, 2), q, MatrixXd::Ones(1, 2), VectorXd::Ones(1), MatrixXd(0, 2), VectorXd(0)},
          local,
          global,
          free};
}

// A saved problem is the same problem: every bit of every number comes back.
TEST(JsonProblem, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  for (const AnyProblem& problem : make_problems()) {
    const std::string path = folder.path("p.json");
    const Checked written = write_json(path, problem);
    ASSERT_TRUE(written.has_value()) << written.error().text();
    const Expected<ProblemFile> again = read_problem(path);
    ASSERT_TRUE(again.has_value()) << again.error().text() << to_json(problem);
    EXPECT_EQ(kind_of(again->problem), kind_of(problem));
    EXPECT_TRUE(same(problem, again->problem)) << to_json(problem);
    EXPECT_TRUE(again->warnings.empty());
  }
}

// Random bit patterns, not only pretty numbers, must survive the text.
TEST(JsonProblem, RoundTripsRandomDoubles) {
  Random random(11);
  Lcp lcp{MatrixXd::Zero(1000, 1000), VectorXd(1000)};
  for (Index i = 0; i < lcp.q.size();) {
    const std::uint64_t bits = random.bits();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) lcp.q(i++) = value;
  }
  lcp.q(0) = -0.0;
  lcp.q(1) = 9007199254740993.0;
  lcp.q(2) = 1e21;
  const Expected<AnyProblem> again = parse_json_problem(to_json(lcp));
  ASSERT_TRUE(again.has_value()) << again.error().text();
  const VectorXd& q = std::get<Lcp>(*again).q;
  EXPECT_EQ(std::memcmp(q.data(), lcp.q.data(), sizeof(double) * 1000), 0);
}

// An invalid problem is refused before the old file is touched.
TEST(JsonProblem, RefusesToWriteAnInvalidProblem) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_json(folder.path("p.json"), make_problems()[0]));
  const Lcp bad{MatrixXd::Identity(2, 2), Eigen::Vector2d(1, kInfinity)};
  EXPECT_FALSE(write_json(folder.path("p.json"), bad));
  EXPECT_TRUE(same(read_problem(folder.path("p.json")).value().problem, make_problems()[0]));
}

// Messages name the key and what was expected.
TEST(JsonProblem, SaysWhatIsWrong) {
  const auto expect = [](const std::string& body, const std::string& part) {
    const std::string error = json_error("{\"schema\": \"tribo-problem/1\", " + body + "}");
    EXPECT_NE(error.find(part), std::string::npos) << body << " | " << error;
  };
  expect(R"("q": [1])", "kind: the key is missing");
  expect(R"("kind": "nlp")", "kind: 'nlp' is not a known kind");
  expect(R"("kind": "lcp", "q": [1])", "M: the key is missing");
  expect(R"("kind": "lcp", "q": [1], "M": [[1, 2]])", "M: row 0 has 2 numbers, expected the length of q = 1");
  expect(R"("kind": "lcp", "q": [null], "M": [[1]])", "q: entry 0 is a null, not a number");
  expect(R"("kind": "lcp", "q": [1e999], "M": [[1]])", "not valid JSON");
  expect(R"("kind": "mlcp", "q": [1], "M": [[1]], "free": 2)", "free: is 2, more than");
  expect(R"("kind": "mlcp", "q": [1, 2], "M": [[1, 0], [0, 1]], "free": 1, "order": [0, 0])", "not a permutation");
  expect(R"("kind": "box-lcp", "q": [1], "M": [[1]], "lo": ["inf"], "hi": [0])", "lo");
  expect(R"("kind": "box-lcp", "q": [1], "M": [[1]], "lo": ["big"], "hi": [0])", "lo: entry 0 is a string");
  expect(R"("kind": "qp", "g": [1], "H": [[-1]])", "H");
  expect(R"("kind": "qp", "g": [1], "H": [[1]], "b": [1])", "E: the key is missing");
  expect(R"("kind": "fc", "dimension": 4, "mu": [], "q": [], "W": {})", "dimension: is neither 2 nor 3");
  expect(R"("kind": "fc", "dimension": 2, "mu": [0.1], "q": [1], "W": {})", "q: has 1 entries");
  const std::string fc = R"("kind": "fc", "dimension": 2, "mu": [0.1], "q": [1, 2], "W": )";
  expect(fc + R"([[1, 0], [0, 1]])", "W: is not an object");
  expect(fc + R"({"size": [2, 2000000000], "triplets": []})", "W.size: is not [2, 2]");
  expect(fc + R"({"size": [2, 2], "triplets": [[0, 2, 1]]})", "W.triplets: entry 0 has an index outside");
  expect(fc + R"({"size": [2, 2], "triplets": [[0.5, 1, 1]]})", "W.triplets: entry 0 has an index outside");
  expect(fc + R"({"size": [2, 2], "triplets": [[0, 1]]})", "W.triplets: row 0 has 2 numbers, expected 3");
}

// Text that is not the JSON of a problem at all.
TEST(JsonProblem, RefusesOtherJson) {
  EXPECT_NE(json_error("{").find("not valid JSON: parse error at line 1"), std::string::npos) << json_error("{");
  EXPECT_NE(json_error("[1, 2]").find("not an object"), std::string::npos);
  EXPECT_NE(json_error("{}").find("schema: the key is missing"), std::string::npos);
  EXPECT_NE(json_error(R"({"schema": 3})").find("schema: is a number, not a string"), std::string::npos);
  EXPECT_NE(json_error("{\"schema\": \"\xff\"}").find("not valid JSON"), std::string::npos);
}

// Of two values under one key one would be lost in silence.
TEST(JsonProblem, RefusesRepeatedKeys) {
  const std::string text = R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [[1]], "q": [1], "q": [2]})";
  EXPECT_NE(json_error(text).find("q: the key appears twice"), std::string::npos) << json_error(text);
}

// Depth costs stack and memory; a million brackets must end in an error, also unbalanced and inside strings.
TEST(JsonProblem, RefusesDeepNesting) {
  const std::string deep(1000000, '[');
  EXPECT_NE(json_error(deep).find("deeper than 32"), std::string::npos);
  EXPECT_NE(json_error(deep + std::string(1000000, ']')).find("deeper than 32"), std::string::npos);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_NE(json_error(objects).find("deeper than 32"), std::string::npos);
  const std::string quoted = R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [], "q": [], "name": ")" +
                             std::string(1000, '[') + "\\\"[\"}";
  EXPECT_EQ(json_error(quoted), "no error");
}

// The format is found from the content; names and leading space or byte order marks do not matter.
TEST(JsonProblem, IsRecognisedByContent) {
  const TemporaryFolder folder;
  const std::string path = folder.path("problem.hdf5.dat");
  ASSERT_TRUE(write_json(path, make_problems()[0]));
  EXPECT_EQ(read_problem(path).value().format, "json");
  EXPECT_EQ(read_problem(path).value().path, path);
  ASSERT_TRUE(write_bytes(path, "\xEF\xBB\xBF \n" + to_json(make_problems()[0])));
  EXPECT_TRUE(same(read_problem(path).value().problem, make_problems()[0]));
  ASSERT_TRUE(write_bytes(path, "solid cube\n"));
  EXPECT_FALSE(read_problem(path).has_value());
}

// Messages from read_problem begin with the path.
TEST(JsonProblem, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  const Expected<ProblemFile> missing = read_problem(folder.path("none.json"));
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().text().find(folder.path("none.json")), 0u);
}

}  // namespace
}  // namespace tribo
