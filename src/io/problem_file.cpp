#include "tribo/io/problem_file.hpp"

#include <new>

#include "io/fclib.hpp"
#include "io/file_bytes.hpp"

namespace tribo {
namespace {

std::string friction_kind(const char* prefix, int dimension) { return prefix + std::to_string(dimension) + "d"; }

// The first character that is not space, after a UTF-8 byte order mark; '\0': none.
char first_character(const std::string& text) {
  const std::size_t from = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t at = text.find_first_not_of(" \t\r\n", from);
  return at == std::string::npos ? '\0' : text[at];
}

Expected<ProblemFile> parse(const std::string& path, const std::string& kind, const std::string& bytes) {
  ProblemFile file{path, "", Lcp{}, {}};
  const auto keep = [&](const char* format, Expected<AnyProblem> problem) -> Expected<ProblemFile> {
    if (!problem) return Unexpected<Error>{problem.error()};
    file.format = format;
    file.problem = std::move(*problem);
    return std::move(file);
  };
  if (looks_like_hdf5(bytes)) return keep("fclib", parse_fclib(bytes));
  const char first = first_character(bytes);
  if (first == '{' || first == '[') return keep("json", parse_json_problem(bytes, &file.warnings));
  if (first >= '0' && first <= '9' && bytes.find('\0') == std::string::npos) {
    return keep("siconos", parse_siconos(bytes, kind));
  }
  return fail("is neither JSON, Siconos text nor HDF5", "", "see docs/file-formats.md for what can be read");
}

}  // namespace

std::string kind_of(const AnyProblem& problem) {
  struct Kind {
    std::string operator()(const Lcp&) const { return "lcp"; }
    std::string operator()(const MixedLcpFile&) const { return "mlcp"; }
    std::string operator()(const BoxLcp&) const { return "box-lcp"; }
    std::string operator()(const Qp&) const { return "qp"; }
    std::string operator()(const ContactFile&) const { return "contact"; }
    std::string operator()(const CompliantFile&) const { return "compliant"; }
    std::string operator()(const LocalFriction& fc) const { return friction_kind("fc", fc.dimension); }
    std::string operator()(const GlobalFriction& gfc) const { return friction_kind("gfc", gfc.dimension); }
  };
  return std::visit(Kind{}, problem);
}

Checked validate(const AnyProblem& problem) {
  struct Validate {
    Checked operator()(const MixedLcpFile& file) const { return validate(file.lcp); }
    Checked operator()(const ContactFile& file) const { return validate(file.problem); }
    Checked operator()(const CompliantFile& file) const { return validate(file.problem); }
    Checked operator()(const Lcp& lcp) const { return validate(lcp); }
    Checked operator()(const BoxLcp& lcp) const { return validate(lcp); }
    Checked operator()(const Qp& qp) const { return validate(qp); }
    Checked operator()(const LocalFriction& friction) const { return validate(friction); }
    Checked operator()(const GlobalFriction& friction) const { return validate(friction); }
  };
  return std::visit(Validate{}, problem);
}

Expected<ProblemFile> read_problem(const std::string& path, const std::string& kind) {
  try {
    const Expected<std::string> bytes = read_bytes(path);
    if (!bytes) return Unexpected<Error>{bytes.error()};
    Expected<ProblemFile> file = parse(path, kind, *bytes);
    if (!file) return Unexpected<Error>{file.error().within(path)};
    return file;
  } catch (const std::bad_alloc&) {
    return fail("the problem does not fit in memory", path, "split the problem into its islands");
  }
}

Checked write_json(const std::string& path, const AnyProblem& problem) {
  const Checked valid = validate(problem);
  if (!valid) return Unexpected<Error>{valid.error().within(path)};
  return write_bytes(path, to_json(problem));
}

Checked write_fclib(const std::string& path, const LocalFriction& problem) {
  const Expected<std::string> bytes = encode_fclib(problem);
  if (!bytes) return Unexpected<Error>{bytes.error().within(path)};
  return write_bytes(path, *bytes);
}

Checked write_fclib(const std::string& path, const GlobalFriction& problem) {
  const Expected<std::string> bytes = encode_fclib(problem);
  if (!bytes) return Unexpected<Error>{bytes.error().within(path)};
  return write_bytes(path, *bytes);
}

}  // namespace tribo
