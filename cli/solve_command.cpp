#include "solve_command.hpp"

#include "exit_code.hpp"
#include "option_value.hpp"
#include "record_text.hpp"
#include "solve_file.hpp"
#include "terminal.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

Expected<SolveRequest> make_request(const SolveArguments& arguments) {
  SolveRequest request;
  if (arguments.model) {
    if (is_compliant_name(*arguments.model)) {
      const auto name = parse_compliant_option(*arguments.model);
      if (!name) return Unexpected<Error>{name.error()};
      request.compliant = *name;
      request.model_name = *arguments.model;
    } else {
      const auto model = parse_model_option(*arguments.model);
      if (!model) return Unexpected<Error>{model.error()};
      request.model = *model;
      request.model_name = *arguments.model;
    }
  }
  if (const auto checked = check_solver_option(arguments.solver); !checked) return Unexpected<Error>{checked.error()};
  request.solver = arguments.solver;
  if (arguments.kind) {
    // An empty --kind is a mistake of the caller's script, not "find out".
    const auto checked = check_kind_option(arguments.kind->empty() ? "(empty)" : *arguments.kind);
    if (!checked) return Unexpected<Error>{checked.error()};
    request.kind = *arguments.kind;
  }
  const auto tolerance = parse_tolerance(arguments.tolerance);
  if (!tolerance) return Unexpected<Error>{tolerance.error()};
  request.tolerance = *tolerance;
  const auto repeat = parse_repeat(arguments.repeat);
  if (!repeat) return Unexpected<Error>{repeat.error()};
  request.repeat = *repeat;
  const auto release = parse_release(arguments.release);
  if (!release) return Unexpected<Error>{release.error()};
  request.release = *release;
  request.relax = arguments.relax;
  request.strict = arguments.strict;
  return request;
}

}  // namespace

int run_solve(const SolveArguments& arguments) {
  const auto request = make_request(arguments);
  if (!request) {
    write_error(request.error().text());
    return kBadInput;
  }
  const RecordTable table(arguments.files);
  bool header_due = !arguments.json;
  int code = kCertified;
  Progress progress;
  for (std::size_t k = 0; k < arguments.files.size(); ++k) {
    const std::string& file = arguments.files[k];
    progress.show(fmt::format("solving {}/{} {}", k + 1, arguments.files.size(), file));
    const SolveRecord record = solve_file(file, *request);
    progress.clear();
    for (const std::string& warning : record.warnings) write_error(file + ": warning: " + warning);
    std::string output;
    if (record.error) {
      write_error(*record.error);
      code = kBadInput;
    } else if (!is_solved(record.status) && code == kCertified) {
      code = kNotCertified;
    }
    if (arguments.json) {
      output = to_json_line(record, arguments.solution);
    } else if (!record.error) {
      if (header_due) output = table.header();
      header_due = false;
      output += table.line(record, arguments.solution);
    }
    if (!output.empty() && !write_output(output)) return kBadInput;  // nobody reads on: the rest need not be solved
  }
  return code;
}

}  // namespace tribo
