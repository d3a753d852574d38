// Problem files: Tribo JSON, Siconos text (.dat) and FCLib (.hdf5). docs/file-formats.md describes every
// format. Everything read here has been validated; an error names the file, the place in it and what to do.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tribo {

// The `expected` object of a reference file: an answer found elsewhere, kept for tests. Absent numbers are
// empty.
struct ExpectedAnswer {
  std::string status;           // "solved", "infeasible", "inconsistent_equalities"
  bool velocity_unique = true;  // false: compare residuals, not v_next
  bool forces_unique = true;    // false: compare velocities, not f_n (`f_n_unique` of the file)
  ContactSolution solution;     // f_s and f_t of a pyramid are summed from beta when the file has beta alone
  VectorXd w;                   // normal velocities after the step
  VectorXd beta;                // polygon impulses, contact after contact
  VectorXd lambda_cone;         // cone multipliers
  VectorXd farkas_y;            // infeasible: the combination of normal rows that proves it
};

struct ContactFile {
  ContactProblem problem;
  ContactModel model;
  std::optional<ExpectedAnswer> expected;
  std::string description;
};

// An answer of a compliant problem found elsewhere, kept for tests.
struct CompliantReference {
  std::string model;  // as in the file: "none", "spring", "paper", "lcp", "qp", "coulomb", "convex_cone", "paper_qcqp"
  CompliantSolution solution;  // states: in, bd and apex of a cone are read as stick, slide and open
  VectorXd row_multipliers;    // of the programs, active rows only; empty: not given
};

struct CompliantFile {
  CompliantProblem problem;
  Compliant model;
  std::vector<CompliantReference> solutions;
  std::string note;
};

struct MixedLcpFile {
  MixedLcp lcp;
  // order[i]: the row of the file that became row i. Equality rows are moved to the front; usually the
  // identity.
  std::vector<Index> order;

  bool operator==(const MixedLcpFile&) const = default;
};

using AnyProblem =
    std::variant<Lcp, MixedLcpFile, BoxLcp, Qp, ContactFile, LocalFriction, GlobalFriction, CompliantFile>;

struct ProblemFile {
  std::string path;
  std::string format;  // "json", "siconos", "fclib"
  AnyProblem problem;
  std::vector<std::string> warnings;  // what the file holds and the reader ignored: unknown JSON keys
};

// "lcp", "mlcp", "box-lcp", "qp", "contact", "fc3d", "fc2d", "gfc3d", "gfc2d", "compliant".
std::string kind_of(const AnyProblem& problem);

Checked validate(const AnyProblem& problem);

// The format is found from the content, never from the name. `kind` settles a text file that fits two
// layouts: "lcp", "mlcp", "fc3d", "fc2d", "gfc3d", "gfc2d", "gmp"; empty: find out.
Expected<ProblemFile> read_problem(const std::string& path, const std::string& kind = "");

// The same from memory.
Expected<AnyProblem> parse_json_problem(const std::string& text, std::vector<std::string>* warnings = nullptr);
Expected<AnyProblem> parse_siconos(const std::string& text, const std::string& kind = "");
Expected<AnyProblem> parse_fclib(const std::string& bytes);

// Numbers come back bit for bit. Contact problems are written in schema contact-lcp-ref/1, compliant ones in
// compliant-step/1, others in tribo-problem/1.
std::string to_json(const AnyProblem& problem);

// The new file is written beside the target and then renamed: a failed write leaves the old file as it was.
Checked write_json(const std::string& path, const AnyProblem& problem);
Checked write_fclib(const std::string& path, const LocalFriction& problem);
Checked write_fclib(const std::string& path, const GlobalFriction& problem);

}  // namespace tribo
