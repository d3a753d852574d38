// Compliant problems on the command line: every model on the files it is for, the numbers of --solution, and refusals.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "support/paths.hpp"
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

const std::string kFolder = "data/reference-first-order/";

std::vector<std::string> compliant_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/" + kFolder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

json reference_json(const std::string& name) {
  std::ifstream in(source_dir() + "/" + kFolder + name + ".json");
  return json::parse(in);
}

double largest_difference(const json& a, const json& b) {
  double result = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i)
    result = std::max(result, std::abs(a.at(i).get<double>() - b[i].get<double>()));
  return result;
}

const std::map<std::string, std::string> kNameOfAnswer = {{"none", "compliant/none"},
                                                          {"spring", "compliant/spring"},
                                                          {"paper", "compliant/paper"},
                                                          {"lcp", "compliant/lcp"},
                                                          {"qp", "compliant/qp"},
                                                          {"coulomb", "compliant/coulomb"},
                                                          {"convex_cone", "compliant/convex-cone"},
                                                          {"paper_qcqp", "compliant/paper-qcqp"}};

// Without --model a file is solved by its own: the bias mode, max(0, law), or Coulomb's law.
TEST(CompliantCommand, FilesHaveTheirOwnModel) {
  const ToolRun run = run_script("tribo solve " + kFolder + "*.json --json");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto lines = run.json_lines();
  ASSERT_EQ(lines.size(), 22u);
  for (const json& line : lines) {
    const char kind = line["file"].get<std::string>()[kFolder.size()];
    const std::string expected = kind == 'b' ? "compliant/spring" : kind == 'u' ? "compliant/lcp" : "compliant/coulomb";
    EXPECT_EQ(line["kind"], "compliant");
    EXPECT_EQ(line["model"], expected) << line;
    EXPECT_EQ(line["solver"], "compliant");
    EXPECT_EQ(line["status"], "solved");
    EXPECT_LE(line["certificate"]["worst"].get<double>(), 1e-8) << line;
  }
}

// A velocity product that is asked for is what the line names, not the law of the rows beside it.
TEST(CompliantCommand, NamesTheProductThatWasAskedFor) {
  for (const char* product : {"compliant/none", "compliant/spring"}) {
    const ToolRun run = run_tool({"solve", kFolder + "u7_with_bilateral.json", "--model", product, "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json_lines().front()["model"], product);
  }
}

// --solution prints the answers of the files, to the bar of their README, for every model they have one of.
TEST(CompliantCommand, PrintsTheReferenceAnswers) {
  int seen = 0;
  for (const std::string& name : compliant_names()) {
    const json file = reference_json(name);
    for (const auto& [model, answer] : file["solutions"].items()) {
      const ToolRun run =
          run_tool({"solve", kFolder + name + ".json", "--model", kNameOfAnswer.at(model), "--solution", "--json"});
      ASSERT_EQ(run.code, 0) << name << " " << model << run.err;
      const json line = run.json_lines().at(0);
      EXPECT_EQ(line["model"], kNameOfAnswer.at(model));
      double largest = 0.0;
      for (const char* key : {"lambda_b", "lambda_u", "lambda_n", "lambda_r", "lambda_s"}) {
        ASSERT_TRUE(line.contains(key)) << name;
        if (!answer.contains(key)) continue;
        for (const json& force : answer[key]) largest = std::max(largest, std::abs(force.get<double>()));
      }
      for (const char* key : {"lambda_b", "lambda_u", "lambda_n", "lambda_r", "lambda_s"}) {
        if (!answer.contains(key)) continue;
        EXPECT_LE(largest_difference(line[key], answer[key]), 1e-8 * largest) << name << " " << model << " " << key;
      }
      EXPECT_LE(largest_difference(line["v1"], answer["v1"]), 1e-10) << name << " " << model;
      if (model == "coulomb") {
        EXPECT_EQ(line["states"], answer["states"]) << name;
      }
      ++seen;
    }
  }
  EXPECT_EQ(seen, 55);
}

// The text form names the same arrays.
TEST(CompliantCommand, PrintsText) {
  const ToolRun run = run_tool({"solve", kFolder + "f7_3d_stick_slide_open.json", "--solution"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* word : {"v1 =", "lambda_n =", "lambda_s =", "states = slide slide open", "compliant/coulomb"}) {
    EXPECT_NE(run.out.find(word), std::string::npos) << word << "\n" << run.out;
  }
}

struct CompliantRefusal {
  std::vector<std::string> arguments;
  std::string reason;
};

// Models that do not fit a file are refused by what is missing, with exit code 2.
TEST(CompliantCommand, RefusesModelsThatDoNotFit) {
  for (const CompliantRefusal& refusal : std::vector<CompliantRefusal>{
           {{"solve", kFolder + "b1_particle.json", "--model", "compliant/lcp"}, "no unilateral rows"},
           {{"solve", kFolder + "b1_particle.json", "--model", "compliant/coulomb"}, "no contacts"},
           {{"solve", kFolder + "u1_particle.json", "--model", "compliant/paper-qcqp"}, "no contacts"},
           {{"solve", kFolder + "f1_2d_particle_stick.json", "--model", "compliant/lcp"}, "no unilateral rows"},
           {{"solve", kFolder + "f8_3d_full_system.json", "--model", "compliant/qp"}, "no place for contacts"},
           {{"solve", kFolder + "f1_2d_particle_stick.json", "--model", "cone"}, "cannot be applied"},
           {{"solve", kFolder + "f1_2d_particle_stick.json", "--solver", "pgs"}, "does not take compliant problems"},
           {{"solve", "data/reference/fr05_wedge.json", "--model", "compliant"}, "stiffness and damping"}}) {
    const ToolRun run = run_tool(refusal.arguments);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_NE(run.err.find(refusal.reason), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(refusal.arguments[1]), std::string::npos) << run.err;
  }
}

// Bad numbers are named by file, place and remedy, with exit code 2.
TEST(CompliantCommand, RefusesBadNumbers) {
  const json good = reference_json("f8_3d_full_system");
  const auto refused = [&](const std::string& pointer, const json& value, const std::string& reason) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    const std::string path = write_file("bad.json", bad.dump());
    const ToolRun run = run_tool({"solve", path});
    EXPECT_EQ(run.code, 2) << pointer << run.out;
    EXPECT_NE(run.err.find(path), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(reason), std::string::npos) << pointer << ": " << run.err;
  };
  refused("/h", 0.0, "step > 0");
  refused("/h", -0.01, "step > 0");
  refused("/M/0/0", -1.0, "M");
  refused("/M/0/1", 3.0, "M");
  refused("/v0", json::array({1.0}), "v0");
  refused("/bilateral/K/0", -1.0, "bilateral.K");
  refused("/unilateral/B/0", -1.0, "unilateral.B");
  refused("/contacts/mu/1", -0.5, "mu");
  refused("/contacts/Kn", json::array({1.0}), "contacts.Kn");
  refused("/contacts/rate_scale/0", 0.0, "rate_scale");
  refused("/contacts/Gn/0/2", "NaN", "contacts.Gn");
}

}  // namespace
}  // namespace tribo::testing
