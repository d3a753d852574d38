#include "io/fclib.hpp"

#include "io/hdf5_image.hpp"
#include "io/io_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::same;
using testing::TemporaryFolder;

SparseMatrix sparse(Index rows, Index cols, const std::vector<Eigen::Triplet<double>>& entries) {
  SparseMatrix matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

LocalFriction make_local() {
  LocalFriction problem;
  problem.dimension = 2;
  problem.W = sparse(4, 4, {{0, 0, 2.0}, {1, 1, 0.1}, {2, 2, 3.0}, {3, 3, 1.0 / 3.0}, {0, 3, -1e-300}});
  problem.q = Eigen::Vector4d(-1, 0, 0.1, -0.0);
  problem.mu = Eigen::Vector2d(0.5, 0.7);
  problem.title = "two planar contacts";
  return problem;
}

GlobalFriction make_global(bool bilateral) {
  GlobalFriction problem;
  problem.M = sparse(2, 2, {{0, 0, 2.0}, {1, 1, 3.0}});
  problem.H = sparse(2, 3, {{0, 0, 1.0}, {1, 2, -1.0}});
  problem.f = Eigen::Vector2d(1, 2);
  problem.w = Eigen::Vector3d(3, 4, 5);
  problem.mu = VectorXd::Constant(1, 0.3);
  problem.G = bilateral ? sparse(2, 1, {{1, 0, 1.0}}) : SparseMatrix(2, 0);
  problem.b = VectorXd::Constant(bilateral ? 1 : 0, 0.25);
  return problem;
}

// A 2 x 2 local problem whose W = [1 2; 0 3] is written as asked; `damage` may change one array.
struct Arrays {
  std::vector<std::int32_t> dimension{2}, m{2}, n{2}, nz, p, i;
  std::vector<double> x, q{-1, 0}, mu{0.5};
};

std::string encode(const Arrays& arrays) {
  Hdf5Writer out;
  out.group("fclib_local");
  out.integers("fclib_local/spacedim", arrays.dimension);
  out.group("fclib_local/W");
  out.integers("fclib_local/W/m", arrays.m);
  out.integers("fclib_local/W/n", arrays.n);
  out.integers("fclib_local/W/nz", arrays.nz);
  out.integers("fclib_local/W/p", arrays.p);
  out.integers("fclib_local/W/i", arrays.i);
  out.numbers("fclib_local/W/x", arrays.x.data(), arrays.x.size());
  out.group("fclib_local/vectors");
  out.numbers("fclib_local/vectors/q", arrays.q.data(), arrays.q.size());
  out.numbers("fclib_local/vectors/mu", arrays.mu.data(), arrays.mu.size());
  return out.finish().value();
}

Arrays triplet() {
  return {.nz = {4}, .p = {0, 1, 1, 1}, .i = {0, 0, 1, 0}, .x = {1, 1, 3, 1}};  // (0, 1) twice: adds up
}
Arrays columns() { return {.nz = {-1}, .p = {0, 1, 3}, .i = {0, 0, 1}, .x = {1, 2, 3}}; }
Arrays rows() { return {.nz = {-2}, .p = {0, 2, 3}, .i = {0, 1, 1}, .x = {1, 2, 3}}; }

std::string error_of(const Arrays& arrays) {
  const Expected<AnyProblem> result = parse_fclib(encode(arrays));
  return result ? "no error" : result.error().text();
}

// The three storages are three ways to write one matrix.
TEST(Fclib, ReadsTripletColumnsAndRowsAlike) {
  MatrixXd W(2, 2);
  W << 1, 2, 0, 3;
  for (const Arrays& arrays : {triplet(), columns(), rows()}) {
    const Expected<AnyProblem> problem = parse_fclib(encode(arrays));
    ASSERT_TRUE(problem.has_value()) << problem.error().text();
    EXPECT_EQ(MatrixXd(std::get<LocalFriction>(*problem).W), W) << "nz = " << arrays.nz[0];
  }
}

// Writing and reading changes no bit, with and without bilateral rows.
TEST(Fclib, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  const std::string path = folder.path("problem.hdf5");
  ASSERT_TRUE(write_fclib(path, make_local()));
  const ProblemFile local = read_problem(path).value();
  EXPECT_EQ(local.format, "fclib");
  EXPECT_TRUE(same(local.problem, make_local()));
  for (const bool bilateral : {false, true}) {
    ASSERT_TRUE(write_fclib(path, make_global(bilateral)));
    EXPECT_TRUE(same(read_problem(path).value().problem, make_global(bilateral)));
  }
  EXPECT_EQ(folder.files(), 1u);
}

// A problem without contacts is a problem.
TEST(Fclib, KeepsAProblemWithoutContacts) {
  LocalFriction none;
  none.W.resize(0, 0);
  EXPECT_TRUE(same(parse_fclib(encode_fclib(none).value()).value(), none));
}

// Same problem, same bytes: files can be compared and cached.
TEST(Fclib, WritesTheSameBytesTwice) {
  EXPECT_EQ(encode_fclib(make_local()).value(), encode_fclib(make_local()).value());
}

// What cannot be read must not be written.
TEST(Fclib, RefusesToWriteAnInvalidProblem) {
  const TemporaryFolder folder;
  LocalFriction problem = make_local();
  problem.mu(1) = -0.1;
  const Checked written = write_fclib(folder.path("x.hdf5"), problem);
  ASSERT_FALSE(written.has_value());
  EXPECT_NE(written.error().text().find("mu"), std::string::npos);
  EXPECT_EQ(folder.files(), 0u);
}

// Every array is checked against the others; the message names the one that is wrong.
TEST(Fclib, NamesTheArrayThatIsWrong) {
  const auto expect = [](Arrays arrays, auto change, const std::string& part) {
    change(arrays);
    EXPECT_NE(error_of(arrays).find(part), std::string::npos) << part << " | " << error_of(arrays);
  };
  expect(
      triplet(), [](Arrays& a) { a.dimension = {4}; }, "/fclib_local/spacedim: is 4");
  expect(
      triplet(),
      [](Arrays& a) {
        a.dimension = {2, 2};
      },
      "/fclib_local/spacedim: has 2 entries");
  expect(
      triplet(), [](Arrays& a) { a.m = {3}; }, "/fclib_local/W/m: is 3, expected 2");
  expect(
      triplet(), [](Arrays& a) { a.n = {2000000000}; }, "/fclib_local/W/n: is 2000000000");
  expect(
      triplet(), [](Arrays& a) { a.nz = {5}; }, "shorter than nz = 5");
  expect(
      triplet(), [](Arrays& a) { a.nz = {2147483647}; }, "shorter than nz");
  expect(
      triplet(), [](Arrays& a) { a.nz = {-3}; }, "/fclib_local/W/nz: is -3");
  expect(
      triplet(), [](Arrays& a) { a.i[2] = 2; }, "/fclib_local/W/i: entry 2 is 2, outside of 0 ... 1");
  expect(
      triplet(), [](Arrays& a) { a.p[3] = -1; }, "/fclib_local/W/p: entry 3 is -1");
  expect(
      columns(),
      [](Arrays& a) {
        a.p = {0, 3};
      },
      "/fclib_local/W/p: has 2 entries, expected 3");
  expect(
      columns(),
      [](Arrays& a) {
        a.p = {0, 2, 1};
      },
      "/fclib_local/W/p: entry 2 is 1");
  expect(
      columns(),
      [](Arrays& a) {
        a.p = {0, 1, 4};
      },
      "/fclib_local/W/p: entry 2 is 4");
  expect(
      rows(), [](Arrays& a) { a.i[0] = 7; }, "/fclib_local/W/i: entry 0 is 7");
  expect(
      rows(), [](Arrays& a) { a.x[1] = std::numeric_limits<double>::quiet_NaN(); }, "entry 1 is not finite");
  expect(
      rows(), [](Arrays& a) { a.q = {1}; }, "/fclib_local/vectors/q: has 1 entries, expected 2");
  expect(
      rows(), [](Arrays& a) { a.mu = {-1}; }, "mu");
}

// The bilateral part of a local problem changes its answer; dropping it would solve another problem.
TEST(Fclib, RefusesTheBilateralPartOfALocalProblem) {
  Hdf5Writer out;
  out.group("fclib_local");
  out.group("fclib_local/V");
  const Expected<AnyProblem> problem = parse_fclib(out.finish().value());
  ASSERT_FALSE(problem.has_value());
  EXPECT_NE(problem.error().text().find("bilateral part"), std::string::npos);
}

// Wrong types and missing or doubled groups are bad data, not crashes.
TEST(Fclib, RefusesOtherHdf5Files) {
  const auto error = [](auto fill) {
    Hdf5Writer out;
    fill(out);
    const Expected<AnyProblem> problem = parse_fclib(out.finish().value());
    return problem ? "no error" : problem.error().text();
  };
  const double half = 0.5;
  EXPECT_NE(error([](Hdf5Writer&) {}).find("neither"), std::string::npos);
  EXPECT_NE(error([](Hdf5Writer& out) {
              out.group("fclib_local");
              out.group("fclib_global");
            }).find("both"),
            std::string::npos);
  EXPECT_NE(error([&](Hdf5Writer& out) {
              out.group("fclib_global");
              out.numbers("fclib_global/spacedim", &half, 1);
            }).find("does not hold integers"),
            std::string::npos);
  EXPECT_NE(error([](Hdf5Writer& out) {
              out.group("fclib_global");
              out.integers("fclib_global/spacedim", {3});
              out.group("fclib_global/vectors");
              out.integers("fclib_global/vectors/mu", {1});
            }).find("/fclib_global/vectors/mu: does not hold floating-point"),
            std::string::npos);
  EXPECT_NE(error([](Hdf5Writer& out) {
              out.group("fclib_local");
              out.group("fclib_local/spacedim");
            }).find("not a readable array"),
            std::string::npos);
}

// A file cut short is refused by its own size record.
TEST(Fclib, RefusesTruncatedFiles) {
  const std::string bytes = encode_fclib(make_global(true)).value();
  ASSERT_TRUE(looks_like_hdf5(bytes));
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    EXPECT_FALSE(parse_fclib(bytes.substr(0, size)).has_value()) << size;
  }
}

}  // namespace
}  // namespace tribo
