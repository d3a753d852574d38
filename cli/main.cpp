// The command line of Tribo. docs/command-line.md is its manual.
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "bench_command.hpp"
#include "exit_code.hpp"
#include "inspect_command.hpp"
#include "list_command.hpp"
#include "run_command.hpp"
#include "solve_command.hpp"
#include "study_command.hpp"
#include "suggest.hpp"
#include "terminal.hpp"
#include "view_command.hpp"
#include "why_command.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  tribo solve data/reference/st402_sphere_stick.json\n"
    "  tribo solve data/reference/*.json --json\n"
    "  tribo solve problem.dat --solver lemke/standard --tol 1e-12 --solution --json\n"
    "  tribo solve block.json --model coulomb-pyramid:8 --repeat 100\n"
    "  tribo inspect data/robots/quadruped.xml --key home\n"
    "  tribo run box_stack --duration 10 --record stack.tribo --out stack.html\n"
    "  tribo view stack.tribo\n"
    "  tribo why stack.tribo --time 2 --contact 7\n"
    "  tribo list solvers\n"
    "  tribo study --quick\n"
    "  tribo bench --quick\n"
    "\n"
    "Exit status: 0 certified, 1 not certified, 2 bad input.";

void add_solve(CLI::App& app, SolveArguments& arguments) {
  CLI::App* solve = app.add_subcommand("solve", "solve problem files and certify every answer");
  solve->add_option("FILE", arguments.files, "Tribo JSON, Siconos .dat or FCLib .hdf5; found from the content")
      ->required();
  solve->add_option("--model", arguments.model, "contact model (tribo list models); default: the file's own");
  solve->add_option("--solver", arguments.solver, "solver (tribo list solvers); default: auto");
  solve->add_option("--tol", arguments.tolerance, "largest relative residual that counts as solved; default: 1e-8");
  solve->add_option("--repeat", arguments.repeat, "solve so many times and report the best time; default: 1");
  solve->add_option("--release", arguments.release,
                    "no-slip: contacts that may slip because they part: never, predicted, solved; default: never");
  solve->add_flag("--relax", arguments.relax, "ease normal rows that are proved to contradict one another");
  solve->add_flag("--strict", arguments.strict, "refuse contacts that move apart or together at acceleration level");
  solve->add_option("--kind", arguments.kind, "what a .dat file holds when it fits two layouts: lcp, mlcp, fc3d, ...");
  solve->add_flag("--solution", arguments.solution, "print the answer too, in the file's own order");
  solve->add_flag("--json", arguments.json, "one JSON object per line");
}

void add_inspect(CLI::App& app, InspectArguments& arguments) {
  CLI::App* inspect = app.add_subcommand("inspect", "what a robot or scene file says; at a state: its numbers");
  inspect->add_option("MODEL", arguments.model, "MJCF or URDF; found from the content")->required();
  inspect->add_option("--state", arguments.state, "JSON file with q and v (default: 0); -: standard input");
  inspect->add_option("--key", arguments.key, "the state of this keyframe of the file");
  inspect->add_flag("--json", arguments.json, "one JSON object");
}

void add_run(CLI::App& app, RunArguments& arguments) {
  CLI::App* run = app.add_subcommand("run", "a scene in time, every step certified");
  run->add_option("SCENE", arguments.scene, "MJCF or URDF file, or a name of tribo list scenes")->required();
  run->add_option("--model", arguments.model, "contact model (tribo list models), compliant among them; default: cone");
  run->add_option("--material", arguments.material,
                  "with --model compliant: of geoms that name none (steel, rubber, wood, ...); default: steel");
  run->add_option("--solver", arguments.solver, "solver (tribo list solvers); default: auto");
  run->add_option("--step", arguments.step, "s; default: the file's own");
  run->add_option("--integrator", arguments.integrator, "midpoint or euler; default: the file's own, else midpoint");
  run->add_option("--duration", arguments.duration, "simulated time, s; default: 1");
  run->add_option("--threads", arguments.threads, "the same motion for any number; default: 1");
  run->add_option("--restitution", arguments.restitution,
                  "0 to 1, of contacts whose solref does not ask to bounce; default: 0");
  run->add_option(
      "--margin", arguments.margin,
      "m; contacts up to this far apart are listed; default: 2 % of the smaller geom's radius, 1 cm at most");
  run->add_flag("--exact-meshes", arguments.exact_meshes,
                "meshes of bodies that cannot move collide by their triangles, not by their convex hulls");
  run->add_option("--key,--keyframe", arguments.key,
                  "keyframe to start from; default: start or home where there is one");
  run->add_option("--state", arguments.state,
                  "JSON file with q, v (default: 0) and control (0) to start from; -: standard input");
  run->add_option("--record", arguments.record, "write a recording: poses, contacts, certificates");
  run->add_option("--states", arguments.states, "write positions and velocities of all bodies as CSV");
  run->add_option("--sensors", arguments.sensors, "write the values of all sensors as CSV");
  run->add_option("--every", arguments.every, "record every so many steps; default: 1");
  run->add_option("--out", arguments.out, "write a replay page: one file that a browser plays, with no server");
  run->add_flag("--force", arguments.force, "overwrite files that exist");
  run->add_flag("--json", arguments.json, "one JSON object");
}

void add_view(CLI::App& app, ViewArguments& arguments) {
  CLI::App* view = app.add_subcommand("view", "the replay page in a browser on this machine, also while a run goes on");
  view->add_option("RECORDING", arguments.recording, "file of tribo run --record")->required();
  view->add_option("--port", arguments.port, "of 127.0.0.1; default: a free one");
  view->add_option("--seconds", arguments.seconds, "end after so long; default: Ctrl-C ends it");
}

void add_why(CLI::App& app, WhyArguments& arguments) {
  CLI::App* why = app.add_subcommand("why", "what the contacts of a recorded step do, in sentences with numbers");
  why->add_option("RECORDING", arguments.recording, "file of tribo run --record")->required();
  why->add_option("--time", arguments.time, "s; the recorded moment nearest to it; default: the last");
  why->add_option("--contact", arguments.contact, "number of a contact, from 0; default: the whole step");
  why->add_flag("--json", arguments.json, "one JSON object");
}

void add_list(CLI::App& app, ListArguments& arguments) {
  CLI::App* list = app.add_subcommand("list", "what there is: models, solvers, scenes, studies, benches");
  list->add_option("WHAT", arguments.what, "models, solvers, scenes, studies or benches")->required();
  list->add_flag("--json", arguments.json, "one JSON object per line");
  list->add_flag("--markdown", arguments.markdown, "the solvers as a table for the documentation");
}

void add_bench(CLI::App& app, BenchArguments& arguments) {
  CLI::App* bench = app.add_subcommand("bench", "measure speed, with the residual beside it");
  bench->add_option("NAME", arguments.names, "benchmarks (tribo list benches); default: all");
  bench->add_option("--seed", arguments.seed, "of the generated problems; default: 1");
  bench->add_flag("--quick", arguments.quick, "smaller problems and fewer repeats");
  bench->add_flag("--json", arguments.json, "one JSON object per line");
}

void add_study(CLI::App& app, StudyArguments& arguments) {
  CLI::App* study =
      app.add_subcommand("study", "what the papers claim, what we measure, and a verdict for every claim");
  study->add_option("NAME", arguments.names, "studies (tribo list studies); default: all");
  study->add_option("--record", arguments.record, "write the study's problems as JSON files into this folder");
  study->add_option("--report", arguments.report, "write a page with every claim, verdict, table and plot");
  study->add_flag("--force", arguments.force, "overwrite the page if it exists");
  study->add_flag("--quick", arguments.quick, "fewer trials and steps");
  study->add_flag("--json", arguments.json, "one JSON object per line");
}

// An unknown first word deserves a better answer than "unexpected argument".
bool is_known_command(int argc, char** argv) {
  const std::vector<std::string> commands = {"solve", "list", "study", "bench", "inspect", "run", "view", "why"};
  const std::vector<std::string> to_come = {"plan"};
  if (argc < 2) {
    write_error("no command; " + suggest("", commands) + ", or see tribo --help");
    return false;
  }
  const std::string word = argv[1];
  const std::vector<std::string> options = {"-h", "--help", "--version"};
  if (std::find(commands.begin(), commands.end(), word) != commands.end()) return true;
  if (std::find(options.begin(), options.end(), word) != options.end()) return true;
  if (std::find(to_come.begin(), to_come.end(), word) != to_come.end()) {
    write_error(fmt::format("the command {} is not in this version; {}", word, suggest("", commands)));
  } else if (word.starts_with("-")) {
    write_error(fmt::format("there is no option \"{}\" before a command; {}", word, suggest(word, options)));
  } else {
    write_error(fmt::format("there is no command \"{}\"; {}", word, suggest(word, commands)));
  }
  return false;
}

// The message of a wrong command line, with the help to look at.
void explain(const CLI::ParseError& error, const CLI::App& app) {
  std::string command = "tribo";
  for (const CLI::App* sub : app.get_subcommands()) command += " " + sub->get_name();
  write_error(fmt::format("{}; see {} --help", error.what(), command));
}

int run_tool(int argc, char** argv) {
  if (!is_known_command(argc, argv)) return kBadInput;
  CLI::App app("Forces between rigid bodies in contact, with a certificate beside every answer.", "tribo");
  app.set_version_flag("--version", "tribo " TRIBO_VERSION);
  app.require_subcommand(1);
  app.footer(kExamples);
  SolveArguments solve;
  InspectArguments inspect;
  RunArguments run;
  ViewArguments view;
  WhyArguments why;
  ListArguments list;
  StudyArguments study;
  BenchArguments bench;
  add_solve(app, solve);
  add_inspect(app, inspect);
  add_run(app, run);
  add_view(app, view);
  add_why(app, why);
  add_list(app, list);
  add_study(app, study);
  add_bench(app, bench);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    app.exit(request, std::cout, std::cerr);
    return write_output("") ? kCertified : kBadInput;
  } catch (const CLI::ParseError& error) {
    explain(error, app);
    return kBadInput;
  }
  if (app.got_subcommand("solve")) return run_solve(solve);
  if (app.got_subcommand("inspect")) return run_inspect(inspect);
  if (app.got_subcommand("run")) return run_run(run);
  if (app.got_subcommand("view")) return run_view(view);
  if (app.got_subcommand("why")) return run_why(why);
  if (app.got_subcommand("list")) return run_list(list);
  if (app.got_subcommand("study")) return run_study(study);
  return run_bench(bench);
}

}  // namespace
}  // namespace tribo

int main(int argc, char** argv) {
  using namespace tribo;
  int code = kBadInput;
  try {
    secure_standard_streams();
    code = run_tool(argc, argv);
    if (!std::cout && !output_failure().empty()) write_error("standard output: " + output_failure());
  } catch (const std::bad_alloc&) {
    write_error("out of memory");
  } catch (const std::exception& exception) {
    write_error(exception.what());
  } catch (...) {
    write_error("an error without a description");
  }
  return code;
}
