#include "run_outputs.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

struct Output {
  const char* option;
  std::string path;
  bool replaces;  // written beside its place and moved there, so that only the folder must be writable

  std::string where() const { return fmt::format("{} {}", option, path); }
};

std::vector<Output> list_outputs(const RunArguments& arguments) {
  std::vector<Output> outputs;
  if (arguments.record) outputs.push_back({"--record", *arguments.record, false});
  if (arguments.states) outputs.push_back({"--states", *arguments.states, false});
  if (arguments.sensors) outputs.push_back({"--sensors", *arguments.sensors, false});
  if (arguments.out) outputs.push_back({"--out", *arguments.out, true});
  return outputs;
}

// Where a file of this name is or would be: links are followed, also those to what does not exist yet.
fs::path find_target(const std::string& name) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::error_code code;
  fs::path path = fs::absolute(name, code);
  for (int k = 0; k < kMostLinks && fs::is_symlink(path, code); ++k)
    path = path.parent_path() / fs::read_symlink(path, code);
  const fs::path folder = fs::canonical(path.parent_path(), code);
  return code ? path.lexically_normal() : folder / path.filename();
}

bool is_one_file(const std::string& a, const std::string& b) {
  std::error_code code;
  return fs::equivalent(a, b, code) || find_target(a) == find_target(b);
}

// 0, or the reason as errno has it.
int check_access(const fs::path& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// What is there is not touched: another output may turn out to be impossible.
Checked check_writable(const Output& output) {
  int reason = check_access(output.path);
  std::error_code code;
  if (output.replaces && (reason == 0 || reason == EACCES || reason == ENOENT))
    reason = check_access(fs::absolute(output.path, code).parent_path());
  else if (reason == ENOENT)
    reason = check_access(find_target(output.path).parent_path());
  if (reason == 0) return ok();
  return fail(std::string("cannot be written: ") + std::strerror(reason), output.where(),
              "check that the folder exists and may be written to");
}

Checked check_output(const Output& output, bool force) {
  if (output.path.empty()) return fail("the file name is empty", output.option, "name a file to write");
  if (output.path == "-")
    return fail("\"-\" is not a file, and standard output is for the summary", output.option,
                "name a file to write; ./- is one with this name");
  std::error_code code;
  const fs::file_status status = fs::status(output.path, code);
  if (fs::is_directory(status)) return fail("is not a file but a folder", output.where(), "name a file in it");
  if (output.replaces && fs::exists(status) && !fs::is_regular_file(status))
    return fail("is not a file", output.where(), "name a file to write");
  const bool dangling = !fs::exists(status) && fs::is_symlink(fs::symlink_status(output.path, code));
  if ((fs::is_regular_file(status) || dangling) && !force)
    return fail(fmt::format("the {} {} exists already", dangling ? "link" : "file", output.path), output.option,
                "name another file, or give --force to overwrite it");
  return check_writable(output);
}

}  // namespace

Checked check_outputs(const RunArguments& arguments) {
  const std::vector<Output> outputs = list_outputs(arguments);
  for (const Output& output : outputs) {
    if (const Checked fine = check_output(output, arguments.force); !fine) return fine;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (is_one_file(outputs[k].path, outputs[i].path))
        return fail("are one and the same file", fmt::format("{}, {}", outputs[k].option, outputs[i].option),
                    "name two files");
    }
  }
  return ok();
}

Checked check_not_input(const RunArguments& arguments, const std::string& input) {
  for (const Output& output : list_outputs(arguments)) {
    if (!input.empty() && is_one_file(output.path, input))
      return fail(output.path + " is one of the files that this run reads or names", output.option,
                  "name another file: --force is for results");
  }
  return ok();
}

}  // namespace tribo
