#include "io/io_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::siconos_samples;

MatrixXd matrix(Index rows, Index cols, std::initializer_list<double> by_rows) {
  MatrixXd result(rows, cols);
  auto value = by_rows.begin();
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) result(i, j) = *value++;
  }
  return result;
}

std::string error_of(const std::string& text, const std::string& kind = "") {
  const Expected<AnyProblem> result = parse_siconos(text, kind);
  return result ? "no error, read as " + kind_of(*result) : result.error().text();
}

// The text never says its kind; the sizes alone must tell.
TEST(Siconos, FindsTheKindOfEverySample) {
  for (const auto& [kind, text] : siconos_samples()) {
    const Expected<AnyProblem> problem = parse_siconos(text);
    ASSERT_TRUE(problem.has_value()) << text << problem.error().text();
    EXPECT_EQ(kind_of(*problem), kind) << text;
  }
}

// Dense sections go column by column.
TEST(Siconos, ReadsDenseByColumns) {
  const Lcp lcp = std::get<Lcp>(parse_siconos(siconos_samples()[0].second).value());
  EXPECT_EQ(lcp.M, matrix(2, 2, {1, 2, 3, 4}));
  EXPECT_EQ(lcp.q, Eigen::Vector2d(-5, -6));
}

// Blocks have cumulated boundaries, and each block goes column by column.
TEST(Siconos, ReadsBlocksOfDifferentSizes) {
  const Lcp lcp = std::get<Lcp>(parse_siconos(siconos_samples()[1].second).value());
  EXPECT_EQ(lcp.M, matrix(3, 3, {1, 3, 5, 2, 4, 6, 0, 0, 7}));
}

// filled1 may be short: the block rows after it are empty.
TEST(Siconos, LeavesBlockRowsWithoutStartEmpty) {
  const std::string text = "2\n1 2 2\n1\n2 2\n1 2\n1 2\n2 1\n0 1\n1\n0\n7\n-1 -2\n";
  const Expected<AnyProblem> problem = parse_siconos(text);
  ASSERT_TRUE(problem.has_value()) << problem.error().text();
  EXPECT_EQ(std::get<Lcp>(*problem).M, matrix(2, 2, {0, 7, 0, 0}));
}

// Repeated triplet positions add up.
TEST(Siconos, AddsRepeatedTriplets) {
  EXPECT_EQ(std::get<Lcp>(parse_siconos(siconos_samples()[2].second).value()).M, matrix(2, 2, {1.5, 0, 0, 2}));
}

// An empty column has its last location before its first.
TEST(Siconos, ReadsCompressedColumnsWithAnEmptyOne) {
  EXPECT_EQ(std::get<Lcp>(parse_siconos(siconos_samples()[3].second).value()).M, matrix(2, 2, {1.5, 0, 2.5, 0}));
}

// The form in parts is stored row by row, in the order A B C D a b.
TEST(Siconos, ReadsAMixedLcpInParts) {
  const auto file = std::get<MixedLcpFile>(parse_siconos(siconos_samples()[5].second).value());
  EXPECT_EQ(file.lcp.free, 1);
  EXPECT_EQ(file.lcp.M, matrix(3, 3, {1, 6, 7, 8, 2, 3, 9, 4, 5}));
  EXPECT_EQ(file.lcp.q, Eigen::Vector3d(10, 11, 12));
  EXPECT_EQ(file.order, (std::vector<Index>{0, 1, 2}));
}

// Equality rows may stand anywhere in the file; we keep them first and say where they came from.
TEST(Siconos, MovesEqualityRowsToTheFront) {
  const std::string text = "1 0 1 2\n0 1 2 3\n1 0 1\n0 3 3 3 3\n1 4 7 2 5 8 3 6 9\n10 11 12\n";
  const auto file = std::get<MixedLcpFile>(parse_siconos(text).value());
  EXPECT_EQ(file.order, (std::vector<Index>{1, 0, 2}));
  EXPECT_EQ(file.lcp.free, 1);
  EXPECT_EQ(file.lcp.M, matrix(3, 3, {5, 4, 6, 2, 1, 3, 8, 7, 9}));
  EXPECT_EQ(file.lcp.q, Eigen::Vector3d(11, 10, 12));
}

// Both forms may follow; the first is the problem.
TEST(Siconos, IgnoresTheSecondFormOfAMixedLcp) {
  const std::string first = "1 1 1 1\n0 1 2\n0 1\n0 2 2 2 2\n1 3\n2 4\n5 6\n";
  const auto file = std::get<MixedLcpFile>(parse_siconos(first + "1 4 2 3 5 6 0.0 remark").value());
  EXPECT_EQ(file.lcp.M, matrix(2, 2, {1, 2, 3, 4}));
}

// H maps reactions to generalised forces, so it has one column per contact component.
TEST(Siconos, ReadsAGlobalProblem) {
  const auto problem = std::get<GlobalFriction>(parse_siconos(siconos_samples()[8].second).value());
  EXPECT_EQ(MatrixXd(problem.H), matrix(2, 3, {1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(problem.f, Eigen::Vector2d(7, 8));
  EXPECT_EQ(problem.w, Eigen::Vector3d(9, 10, 11));
  EXPECT_EQ(problem.G.cols(), 0);
}

// Joints and LCP rows together are a mixed LCP; contacts alone are a friction problem.
TEST(Siconos, ReadsJointsWithLcpRowsAsMixedLcp) {
  const auto file = std::get<MixedLcpFile>(parse_siconos(siconos_samples()[10].second).value());
  EXPECT_EQ(file.lcp.free, 2);
  EXPECT_EQ(file.lcp.M, matrix(3, 3, {1, 3, 5, 2, 4, 6, 7, 8, 9}));
  EXPECT_EQ(std::get<LocalFriction>(parse_siconos(siconos_samples()[11].second).value()).mu(0), 0.1);
}

// A joint tied to a Coulomb contact is a problem that we have no form for; it must not lose its joint in
// silence.
TEST(Siconos, RefusesJointsTogetherWithContacts) {
  const std::string text =
      "1 4 4\n2\n2 2\n1 4\n1 4\n3 2\n0 1 2\n0 1\n0\n1\n1\n1 0 0 0 1 0 0 0 1\n-1 -2 -3 -4\n2\n4\n0.1\n";
  EXPECT_NE(error_of(text).find("mixes 3D contacts with joints"), std::string::npos) << error_of(text);
}

// Remarks, flags and old answers follow the last number in real files.
TEST(Siconos, IgnoresWhatFollowsTheLastNumber) {
  for (const auto& [kind, text] : siconos_samples()) {
    const Expected<AnyProblem> plain = parse_siconos(text);
    const Expected<AnyProblem> followed = parse_siconos(text + " 1 \n\nremark 4.1 z_1 + z_2 = 1");
    ASSERT_TRUE(followed.has_value()) << text << followed.error().text();
    EXPECT_TRUE(testing::same(*plain, *followed)) << text;
  }
}

// A file cut short at any token is refused, never read as another or a smaller problem.
TEST(Siconos, RefusesEveryTruncation) {
  for (const auto& [kind, text] : siconos_samples()) {
    for (const std::string& part : testing::truncations(text)) {
      const Expected<AnyProblem> problem = parse_siconos(part);
      EXPECT_FALSE(problem.has_value()) << kind << " read as " << kind_of(*problem) << ":\n" << part;
    }
  }
}

// A global problem cut off inside H begins like a local one when M has the size of the contact vector; the
// header of H must betray it.
TEST(Siconos, DoesNotTakeACutGlobalProblemForALocalOne) {
  const std::string text = "2 1\n0 2 2\n2 2\n2 0 0 3\n0 2 2\n2 2\n1 2 3 4\n7 8\n9 10\n0.3\n";
  EXPECT_EQ(kind_of(parse_siconos(text).value()), "gfc2d");
  const std::string cut = "2 1\n0 2 2\n2 2\n2 0 0 3\n0 2 2\n2 2\n1 2 3";
  EXPECT_NE(error_of(cut).find("second matrix"), std::string::npos) << error_of(cut);
  EXPECT_EQ(kind_of(parse_siconos(cut, "fc2d").value()), "fc2d");  // the caller may insist
}

// Two layouts that fit are the caller's to choose between.
TEST(Siconos, AsksForTheKindWhenTwoLayoutsFit) {
  const std::string text = "0 1 0 0 0 0 0 0 0";
  EXPECT_NE(error_of(text).find("can be read as lcp and mlcp"), std::string::npos) << error_of(text);
  EXPECT_EQ(kind_of(parse_siconos(text, "mlcp").value()), "mlcp");
}

// A named kind is a promise that is checked.
TEST(Siconos, RefusesAKindThatDoesNotFit) {
  const std::string& planar = siconos_samples()[7].second;
  EXPECT_NE(error_of(planar, "fc3d").find("fc2d, not fc3d"), std::string::npos);
  EXPECT_NE(error_of(planar, "lcp").find("as lcp"), std::string::npos);
  EXPECT_NE(error_of(planar, "banana").find("unknown kind"), std::string::npos);
}

// Messages name line, field and remedy.
TEST(Siconos, SaysWhereAndWhatIsWrong) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(error_of(text).find(part), std::string::npos) << text << error_of(text);
  };
  expect("3 1\n0 3 3\n3 3\n15 -1 nan -1 14 1 -2 1 16\n-1 2 3\n0.1\n", "line 4: as fc: found 'nan' in W");
  expect("3 1\n0 3 3\n3 3\n15 -1 -2 -1 14 1 -2 1 16\n-1 2 1e999\n0.1\n", "line 5");
  expect("3 1\n0 3 3\n3 3\n15 -1 -2 -1 14 1 -2 1 16\n-1 2 3\n-0.1\n", "mu");
  expect("2\n0 2 2\n2 3\n1 3\n2 4\n-5 -6\n", "repeated columns of M is 3, expected 2");
  expect("2\n1 2 2\n1\n1 1\n2\n2\n2 1\n0 1\n5\n0\n1 2 3 4\n1 2\n", "M block column is 5, outside of 0 ... 0");
  expect("2\n1 2 2\n1\n1 1\n1\n2\n2 1\n0 1\n0\n0\n1 2 3 4\n1 2\n", "expected 2");
  expect("2\n1 2 2\n2\n1 1\n2\n2\n2 2\n0 2\n0 0\n0\n1 2 3 4\n1\n1 2 3 4\n1 2\n", "is there twice");
  expect("2\n2 2 2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n2 0 : 1\n1 2\n", "M row index is 2");
  expect("2\n2 2 2\n1\nCSparse\ntriplet: 3-by-2, nzmax: 1 nnz: 1\n1 0 : 1\n1 2\n", "'3-by-2,', expected '2-by-2,'");
  expect("2\n2 2 2\n3\nCSparse\n1 2\n", "origin of M is 3");
  expect("2\n2 2 2\n2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 9\n0 : 1\n1 2\n",
         "ends at location 9");
  expect(
      "2\n2 2 2\n2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to -1\ncol 1 : "
      "locations 0 to "
      "-1\n1 2\n",
      "hold 0 entries, the header says 1");
  expect("", "the text ends");
  expect("hello", "not an integer");
}

// Sizes are claims of whoever wrote the file; no claim may make us reserve memory that the file does not
// back.
TEST(Siconos, SurvivesHostileSizes) {
  for (const char* huge : {"2000000000", "9223372036854775807", "99999999999999999999", "-1", "1e9", "4294967298"}) {
    for (const auto& [kind, text] : siconos_samples()) {
      const std::vector<std::string> starts = testing::truncations(text);
      for (std::size_t k = 0; k < starts.size(); ++k) {
        const std::size_t token_end = text.find_first_of(" \n", starts[k].size());
        const Expected<AnyProblem> problem = parse_siconos(starts[k] + huge + text.substr(token_end));
        if (problem) {
          EXPECT_TRUE(validate(*problem).has_value());
        }
      }
    }
  }
  // n = 200000 sparse rows: small in the file, 320 GB as a dense matrix.
  std::string text = "200000\n2 200000 200000\n1\nCSparse\ntriplet: 200000-by-200000, nzmax: 1 nnz: 0\n";
  for (int i = 0; i < 200000; ++i) text += "1 ";
  EXPECT_NE(error_of(text).find("limit of 16384"), std::string::npos) << error_of(text);
}

// Damaged bytes give an error or a problem that is consistent, never a crash.
TEST(Siconos, SurvivesMutatedBytes) {
  Random random(20240611);
  int read = 0;
  for (const auto& [kind, text] : siconos_samples()) {
    for (int k = 0; k < 1500; ++k) {
      const Expected<AnyProblem> problem = parse_siconos(testing::mutated(text, random));
      if (!problem) continue;
      ++read;
      ASSERT_TRUE(validate(*problem).has_value());
    }
  }
  EXPECT_GT(read, 100);  // some mutations only change a number
}

}  // namespace
}  // namespace tribo
