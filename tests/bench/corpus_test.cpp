#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

class CorpusBench : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tribo_corpus_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::create_directories(folder_ / "contact-problems/lcp");
  }
  void TearDown() override { fs::remove_all(folder_); }

  // w = z + q with one row: an answer always exists.
  void write_lcp(const std::string& name, double q) {
    std::ofstream(folder_ / "contact-problems/lcp" / name) << "1\n0\n1\n1\n1 1\n1.0\n" << q << "\n";
  }
  void write_catalogue(const std::string& solvable) {
    std::ofstream(folder_ / "contact-problems/catalogue.csv") << "file,solvable\nlcp/one.dat," << solvable << "\n";
  }
  int run() { return run_corpus_bench({.quick = true, .data_dir = folder_.string(), .out = &out_}); }

  fs::path folder_;
  std::ostringstream out_;
};

// Data of others is never committed: where it is missing, the bench says so and does not fail.
TEST_F(CorpusBench, SaysWhatWasLeftOutWithoutData) {
  EXPECT_EQ(run_corpus_bench({.data_dir = (folder_ / "nowhere").string(), .out = &out_}), 0);
  EXPECT_EQ(out_.str().rfind("left out:", 0), 0U);
}

// The baseline's time stands beside ours for orientation; the time in the file is in milliseconds, ours in microseconds.
TEST_F(CorpusBench, PrintsTheBaselineBesideOurTime) {
  write_lcp("one.dat", -2.0);
  write_catalogue("yes");
  std::ofstream(folder_ / "contact-problems/siconos-baseline.csv")
      << "file,form,target,solver,cpu_ms,res\nlcp/one.dat,direct,1e-08,murty,0.125,0\n";
  EXPECT_EQ(run(), 0);
  EXPECT_NE(out_.str().find("125  murty"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("1 of 1"), std::string::npos) << out_.str();
}

// A catalogue that calls a solvable problem unsolvable contradicts our answer, and that must not pass in silence.
TEST_F(CorpusBench, FailsWhenTheCatalogueDisagrees) {
  write_lcp("one.dat", -2.0);
  write_catalogue("no");
  EXPECT_EQ(run(), 1);
}

// A file that cannot be read is a failure with its reason, not a file less.
TEST_F(CorpusBench, FailsOnAFileThatCannotBeRead) {
  std::ofstream(folder_ / "contact-problems/lcp/one.dat") << "not a problem\n";
  EXPECT_EQ(run(), 1);
  EXPECT_NE(out_.str().find("one.dat"), std::string::npos);
}

}  // namespace
}  // namespace tribo
