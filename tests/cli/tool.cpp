#include "tool.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/paths.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tribo::testing {
namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string path;
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "tribo_cli_XXXXXX").string();
    path = ::mkdtemp(pattern.data()) != nullptr ? pattern : std::string();
  }
  ~Folder() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
};

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void redirect(int fd, const char* path, int flags) {
  const int opened = ::open(path, flags, 0600);
  ::dup2(opened, fd);
  ::close(opened);
}

// In the child: where stdout goes.
void set_stdout(Stdout where, const std::string& captured) {
  switch (where) {
    case Stdout::kCaptured:
      redirect(STDOUT_FILENO, captured.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
      break;
    case Stdout::kFull:
      redirect(STDOUT_FILENO, "/dev/full", O_WRONLY);
      break;
    case Stdout::kClosed:
      ::close(STDOUT_FILENO);
      break;
    case Stdout::kBrokenPipe: {
      int ends[2];
      if (::pipe(ends) != 0) ::_exit(99);
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      break;
    }
  }
}

ToolRun run(const std::vector<std::string>& command, Stdout where) {
  const std::string out = temporary_folder() + "/stdout", err = temporary_folder() + "/stderr";
  fs::remove(out);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(source_dir().c_str()) != 0) ::_exit(98);
    redirect(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    set_stdout(where, out);
    ::execv(argv[0], argv.data());
    ::_exit(97);
  }
  int status = 0;
  ToolRun result;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return result;
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = read_all(out);
  result.err = read_all(err);
  return result;
}

}  // namespace

std::vector<nlohmann::json> ToolRun::json_lines() const {
  std::vector<nlohmann::json> lines;
  std::istringstream in(out);
  for (std::string line; std::getline(in, line);) {
    const auto parsed = nlohmann::json::parse(line, nullptr, false);
    if (parsed.is_object()) {
      lines.push_back(parsed);
    } else {
      ADD_FAILURE() << "not a JSON object: " << line;
    }
  }
  return lines;
}

ToolRun run_tool(const std::vector<std::string>& arguments, Stdout where) {
  std::vector<std::string> command = {TRIBO_TOOL};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, where);
}

ToolRun run_script(const std::string& script) {
  const std::string folder = fs::path(TRIBO_TOOL).parent_path().string();
  return run({"/bin/sh", "-ec", "PATH=\"" + folder + ":$PATH\"\n" + script}, Stdout::kCaptured);
}

std::string temporary_folder() {
  static const Folder folder;
  return folder.path;
}

std::string write_file(const std::string& name, const std::string& content) {
  const std::string path = temporary_folder() + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace tribo::testing
