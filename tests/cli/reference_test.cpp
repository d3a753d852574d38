// The project's own problems through the tool: status, fields, and the printed answer against the file's numbers.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "arithmetic.hpp"
#include "support/paths.hpp"
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

json read_json(const std::string& path) {
  std::ifstream in(path);
  return json::parse(in);
}

std::vector<std::string> words(const std::vector<std::string>& files, const std::vector<std::string>& options) {
  std::vector<std::string> all = {"solve"};
  all.insert(all.end(), files.begin(), files.end());
  all.insert(all.end(), options.begin(), options.end());
  return all;
}

std::string reference(const std::string& name) { return source_dir() + "/data/reference/" + name + ".json"; }

// Two of the files have no answer; the others must be certified. The order of the output is that of the arguments.
TEST(Reference, EveryFileEndsAsItSaysItShould) {
  const std::vector<std::string> files = reference_files();
  ASSERT_EQ(files.size(), 41u);
  const ToolRun run = run_tool(words(files, {"--json"}));
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "");
  const std::vector<json> lines = run.json_lines();
  ASSERT_EQ(lines.size(), files.size());
  for (std::size_t k = 0; k < files.size(); ++k) {
    const json file = read_json(files[k]);
    const std::string expected = file["expected"]["status"];
    EXPECT_EQ(lines[k]["file"], files[k]);
    EXPECT_EQ(lines[k]["status"], expected) << files[k];
    EXPECT_EQ(lines[k]["contacts"], file["n"]) << files[k];
    EXPECT_EQ(lines[k]["dof"], file["m"]) << files[k];
    if (expected == "solved") {
      EXPECT_LE(lines[k]["certificate"]["worst"].get<double>(), 1e-10) << files[k];
    }
  }
}

// The fields that programs rely on, with their types; nothing of --solution without asking.
TEST(Reference, ASolvedLineHasThePromisedFields) {
  const ToolRun run = run_tool({"solve", reference("st402_sphere_stick"), "--json"});
  EXPECT_EQ(run.code, 0);
  ASSERT_EQ(run.json_lines().size(), 1u);
  const json line = run.json_lines().front();
  EXPECT_EQ(line["kind"], "contact");
  EXPECT_EQ(line["model"], "coulomb-pyramid:4");
  EXPECT_EQ(line["solver"], "lemke/reduced");
  EXPECT_TRUE(line["iterations"].is_number_integer());
  EXPECT_TRUE(line["pivots"].is_number_integer());
  EXPECT_GT(line["pivots"].get<int>(), 0);
  EXPECT_GT(line["seconds"].get<double>(), 0.0);
  EXPECT_LT(line["seconds"].get<double>(), 10.0);
  double largest = 0.0;
  for (const auto& [name, value] : line["certificate"].items()) {
    if (name != "worst") largest = std::max(largest, value.get<double>());
  }
  EXPECT_EQ(line["certificate"]["worst"].get<double>(), largest);
  for (const char* name : {"momentum", "normal", "friction law", "cone"}) {
    EXPECT_TRUE(line["certificate"].contains(name)) << name;
  }
  for (const char* name : {"v_next", "a", "f_n", "detail", "evidence", "error", "warnings"}) {
    EXPECT_FALSE(line.contains(name)) << name;
  }
}

// What --solution prints is an answer of the file's equations: recomputed here from the file's numbers alone, and the
// velocity is the one found elsewhere where it is unique.
TEST(Reference, PrintedSolutionsSatisfyTheFilesEquations) {
  const std::vector<std::string> files = reference_files();
  const std::vector<json> lines = run_tool(words(files, {"--json", "--solution"})).json_lines();
  ASSERT_EQ(lines.size(), files.size());
  int checked = 0;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const json file = read_json(files[k]);
    if (lines[k]["status"] != "solved") continue;
    const std::string model = file["model"];
    EXPECT_EQ(lines[k].contains("a"), model == "viscous_acc") << files[k];
    EXPECT_EQ(lines[k].contains("v_next"), model != "viscous_acc") << files[k];
    EXPECT_LE(contact_violation(file, model, lines[k]), 1e-10) << files[k];
    const json& expected = file["expected"];
    if (expected["velocity_unique"].get<bool>()) {
      const VectorXd x = to_vector(lines[k][model == "viscous_acc" ? "a" : "v_next"]);
      const VectorXd found = to_vector(expected[model == "viscous_acc" ? "a" : "v_plus"]);
      EXPECT_LE((x - found).cwiseAbs().maxCoeff(), 1e-9 * std::max(1.0, found.cwiseAbs().maxCoeff())) << files[k];
    }
    ++checked;
  }
  EXPECT_EQ(checked, 39);
}

// The arithmetic above must be able to refuse: an answer that is off by a millionth is noticed in every model.
TEST(Reference, TheArithmeticOfThisTestSeesSmallErrors) {
  const std::vector<std::string> files = reference_files();
  const std::vector<json> lines = run_tool(words(files, {"--json", "--solution"})).json_lines();
  ASSERT_EQ(lines.size(), files.size());
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (lines[k]["status"] != "solved") continue;
    const json file = read_json(files[k]);
    const std::string model = file["model"];
    for (const char* array : {model == "viscous_acc" ? "a" : "v_next", "f_n"}) {
      json wrong = lines[k];
      const double size = std::max(1.0, to_vector(wrong[array]).cwiseAbs().maxCoeff());
      wrong[array][0] = wrong[array][0].get<double>() + 1e-6 * size;
      EXPECT_GT(contact_violation(file, model, wrong), 1e-10) << files[k] << " " << array;
    }
  }
}

// "Infeasible" is a claim that a reader can check: y ≥ 0, Nᵀy_n + Jᵀy_e = 0 and y·b < 0 for the offsets of the rows.
TEST(Reference, InfeasibleFilesComeWithAProof) {
  for (const std::string name : {"fr06_jam_infeasible", "fr08_inconsistent_bilateral"}) {
    const ToolRun run = run_tool({"solve", reference(name), "--json"});
    EXPECT_EQ(run.code, 1);
    const json line = run.json_lines().at(0);
    EXPECT_FALSE(line["detail"].get<std::string>().empty());
    EXPECT_EQ(line["evidence"]["kind"], "farkas");
    EXPECT_EQ(line["evidence"]["verdict"], "infeasible");
    EXPECT_LE(line["evidence"]["checks"]["worst"].get<double>(), 1.0);
    const json file = read_json(reference(name));
    const VectorXd y_n = to_vector(line["evidence"]["vectors"]["y_n"]);
    const VectorXd y_e = to_vector(line["evidence"]["vectors"]["y_e"]);
    ASSERT_EQ(static_cast<std::size_t>(y_n.size()), file["N"].size());
    ASSERT_EQ(static_cast<std::size_t>(y_e.size()), file["J"].size());
    VectorXd balance = VectorXd::Zero(file["m"].get<Index>());
    double offset = 0.0;
    for (Index i = 0; i < y_n.size(); ++i) {
      EXPECT_GE(y_n(i), 0.0);
      balance += y_n(i) * to_vector(file["N"][static_cast<std::size_t>(i)]);
      offset += y_n(i) * file["b_N"][static_cast<std::size_t>(i)].get<double>();
    }
    for (Index i = 0; i < y_e.size(); ++i) {
      balance += y_e(i) * to_vector(file["J"][static_cast<std::size_t>(i)]);
      offset += y_e(i) * file["b_J"][static_cast<std::size_t>(i)].get<double>();
    }
    const double size = y_n.lpNorm<1>() + y_e.lpNorm<1>();
    EXPECT_LE(balance.cwiseAbs().maxCoeff(), 1e-12 * size) << name;
    EXPECT_LT(offset, -1e-6 * size) << name;
  }
}

// A model named on the command line replaces the file's own, and the answer obeys the one that was named.
TEST(Reference, ANamedModelReplacesTheFilesOwn) {
  const std::string path = reference("st404_block_slide");
  const json file = read_json(path);
  const std::vector<std::pair<std::string, std::string>> spellings = {{"frictionless", "frictionless"},
                                                                      {"no-slip", "no_slip"},
                                                                      {"viscous", "viscous_vel_implicit"},
                                                                      {"viscous/explicit", "viscous_vel_explicit"},
                                                                      {"coulomb-pyramid", "st_d8"},
                                                                      {"coulomb-pyramid:16", "st_d16"},
                                                                      {"cone", "cone"}};
  for (const auto& [name, key] : spellings) {
    const ToolRun run = run_tool({"solve", path, "--model", name, "--json", "--solution"});
    EXPECT_EQ(run.code, 0) << name << run.err;
    const json line = run.json_lines().at(0);
    EXPECT_EQ(line["model"], name == "coulomb-pyramid" ? "coulomb-pyramid:8" : name);
    EXPECT_LE(contact_violation(file, key, line), 1e-10) << name;
  }
}

// Every solver that takes the problem gives the same motion; the others are refused by name, not tried.
TEST(Reference, EverySolverThatIsNamedIsUsedOrRefused) {
  const std::string path = reference("fr05_wedge");
  for (const std::string solver :
       {"auto", "lemke/standard", "dual-active-set", "ppm", "dantzig", "pgs", "pgs-sm", "enumerate"}) {
    const ToolRun run = run_tool({"solve", path, "--solver", solver, "--json", "--solution"});
    EXPECT_EQ(run.code, 0) << solver << run.err;
    const json line = run.json_lines().at(0);
    EXPECT_EQ(line["solver"], solver == "auto" ? "dual-active-set" : solver);
    // Sweeps stop at a tolerance of their own; the certificate of 1e-8 still holds.
    EXPECT_LE(contact_violation(read_json(path), "frictionless", line), 1e-8) << solver;
  }
  for (const std::string solver : {"dual-active-set", "ppm", "dantzig", "pgs", "pgs-sm"}) {
    const ToolRun run = run_tool({"solve", reference("st402_sphere_stick"), "--solver", solver});
    EXPECT_EQ(run.code, 2) << solver;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("'" + solver + "' cannot solve the model"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("lemke/standard"), std::string::npos) << run.err;
  }
}

// A tolerance that no double can meet turns "solved" into "not certified", never into a lie.
TEST(Reference, AnUnreachableToleranceIsNotCertified) {
  const ToolRun run = run_tool({"solve", reference("ns05_random_redundant"), "--tol", "1e-300", "--json"});
  EXPECT_EQ(run.code, 1);
  const json line = run.json_lines().at(0);
  EXPECT_EQ(line["status"], "breakdown");
  EXPECT_NE(line["detail"].get<std::string>().find("does not pass its certificate"), std::string::npos);
  EXPECT_EQ(line["evidence"]["kind"], "none");
  EXPECT_TRUE(line["evidence"]["vectors"].empty());
  ASSERT_EQ(line["history"].size(), 1u);
  EXPECT_EQ(line["history"][0]["status"], "breakdown");
}

// Repeating measures the same solve: the answer and the counts are those of one.
TEST(Reference, RepeatsChangeNothingButTheTime) {
  json once = run_tool({"solve", reference("st407_grasp_mu1000"), "--json", "--solution"}).json_lines().at(0);
  json often =
      run_tool({"solve", reference("st407_grasp_mu1000"), "--json", "--solution", "--repeat", "50"}).json_lines().at(0);
  EXPECT_GT(often["seconds"].get<double>(), 0.0);
  for (json* line : {&once, &often}) {
    line->erase("seconds");
    for (json& attempt : (*line)["history"]) attempt.erase("seconds");
  }
  EXPECT_EQ(once, often);
}

// The table has a header, one line per file and one reason for each that is not solved.
TEST(Reference, TheTableHasOneLinePerFileAndAReason) {
  const ToolRun run = run_tool({"solve", reference("fr05_wedge"), reference("fr06_jam_infeasible")});
  EXPECT_EQ(run.code, 1);
  std::vector<std::string> lines;
  std::istringstream in(run.out);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 4u) << run.out;
  for (const char* column : {"file", "kind", "contacts", "dof", "model", "solver", "status", "time", "worst"}) {
    EXPECT_NE(lines[0].find(column), std::string::npos) << column;
  }
  EXPECT_NE(lines[1].find(" solved "), std::string::npos);
  EXPECT_TRUE(lines[1].find(" us ") != std::string::npos || lines[1].find(" ms ") != std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find(" infeasible "), std::string::npos);
  EXPECT_NE(lines[3].find("not solved: "), std::string::npos);
  EXPECT_NE(lines[3].find("proved (farkas"), std::string::npos);
}

}  // namespace
}  // namespace tribo::testing
