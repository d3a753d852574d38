// JSON problems: contact-lcp-ref/1 (json_contact.cpp), compliant-step/1 (json_compliant.cpp) and our own
// tribo-problem/1, whose `kind` says what follows.
#include "tribo/io/problem_file.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/json_compliant.hpp"
#include "io/json_contact.hpp"
#include "io/json_fields.hpp"
#include "io/json_text.hpp"
#include "io/text_reader.hpp"

namespace tribo {
namespace {

using nlohmann::json;

// M and q of the complementarity problems; q says how many rows there are.
NamedSize read_square(JsonFields& in, const std::string& matrix, const std::string& vector, MatrixXd& M, VectorXd& q) {
  const NamedSize n{in.length(vector), "the length of " + vector};
  q = in.vector(vector, n);
  M = in.matrix(matrix, n, n);
  return n;
}

AnyProblem read_lcp(JsonFields& in) {
  Lcp lcp;
  read_square(in, "M", "q", lcp.M, lcp.q);
  return lcp;
}

AnyProblem read_mlcp(JsonFields& in) {
  MixedLcpFile file;
  const NamedSize n = read_square(in, "M", "q", file.lcp.M, file.lcp.q);
  file.lcp.free = in.size("free");
  if (!in.failed() && file.lcp.free > n.value) {
    in.refuse("free", "is " + std::to_string(file.lcp.free) + ", more than " + n.text(), "it counts the equality rows");
  }
  file.order = in.optional_indices("order");
  if (in.failed()) return file;
  if (!in.has("order")) {
    file.order.resize(static_cast<std::size_t>(n.value));
    std::iota(file.order.begin(), file.order.end(), Index{0});
  }
  std::vector<bool> seen(static_cast<std::size_t>(n.value), false);
  for (const Index row : file.order) {
    if (row < n.value) seen[static_cast<std::size_t>(row)] = true;
  }
  if (file.order.size() != seen.size() || std::find(seen.begin(), seen.end(), false) != seen.end()) {
    in.refuse("order", "is not a permutation of 0 ... n - 1", "list every row once, or leave it out");
  }
  return file;
}

AnyProblem read_box(JsonFields& in) {
  BoxLcp lcp;
  const NamedSize n = read_square(in, "M", "q", lcp.M, lcp.q);
  lcp.lo = in.bounds("lo", n);
  lcp.hi = in.bounds("hi", n);
  return lcp;
}

AnyProblem read_qp(JsonFields& in) {
  Qp qp;
  const NamedSize n = read_square(in, "H", "g", qp.H, qp.g);
  const NamedSize equalities{in.has("b") ? in.length("b") : 0, "the length of b"};
  const NamedSize inequalities{in.has("d") ? in.length("d") : 0, "the length of d"};
  qp.b = in.optional_vector("b", equalities);
  qp.d = in.optional_vector("d", inequalities);
  qp.E = equalities.value > 0 ? in.matrix("E", equalities, n) : in.matrix_or_empty("E", equalities, n);
  qp.G = inequalities.value > 0 ? in.matrix("G", inequalities, n) : in.matrix_or_empty("G", inequalities, n);
  return qp;
}

// {"size": [rows, cols], "triplets": [[i, j, x], ...]}; repeated positions add up.
SparseMatrix read_sparse(JsonFields& in, const std::string& key, Index rows, Index cols) {
  const json* value = in.find(key);
  if (value == nullptr) return SparseMatrix();
  if (!value->is_object()) {
    in.refuse(key, "is not an object", "write {\"size\": [rows, cols], \"triplets\": [[i, j, x], ...]}");
    return SparseMatrix();
  }
  JsonFields inner(*value);
  const std::vector<Index> size = inner.optional_indices("size");
  if (!inner.failed() && size != std::vector<Index>{rows, cols}) {
    inner.refuse("size", "is not [" + std::to_string(rows) + ", " + std::to_string(cols) + "]",
                 "the matrix must fit the vectors");
  }
  const NamedSize count{inner.length("triplets"), ""};
  const MatrixXd entries = inner.matrix("triplets", count, {3, ""});
  std::vector<Eigen::Triplet<double>> triplets;
  const auto valid = [](double index, Index limit) {
    return index >= 0.0 && index < static_cast<double>(limit) &&
           index == static_cast<double>(static_cast<Index>(index));
  };
  for (Index k = 0; k < entries.rows() && !inner.failed(); ++k) {
    if (!valid(entries(k, 0), rows) || !valid(entries(k, 1), cols)) {
      inner.refuse("triplets", "entry " + std::to_string(k) + " has an index outside of the matrix",
                   "indices are integers and start at 0");
      break;
    }
    triplets.emplace_back(static_cast<int>(entries(k, 0)), static_cast<int>(entries(k, 1)), entries(k, 2));
  }
  if (inner.failed()) {
    in.refuse(key + "." + inner.error().where, inner.error().what, inner.error().remedy);
    return SparseMatrix();
  }
  SparseMatrix matrix(rows, cols);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

int read_dimension(JsonFields& in) {
  const Index dimension = in.size("dimension");
  if (!in.failed() && dimension != 2 && dimension != 3) in.refuse("dimension", "is neither 2 nor 3", "write 2 or 3");
  return dimension == 2 ? 2 : 3;
}

AnyProblem read_local(JsonFields& in) {
  LocalFriction problem;
  problem.title = in.optional_text("title");
  problem.dimension = read_dimension(in);
  problem.mu = in.vector("mu", {in.length("mu"), ""});
  const NamedSize rows{problem.dimension * problem.mu.size(), "dimension x contacts"};
  problem.q = in.vector("q", rows);
  problem.W = read_sparse(in, "W", rows.value, rows.value);
  return problem;
}

AnyProblem read_global(JsonFields& in) {
  GlobalFriction problem;
  problem.title = in.optional_text("title");
  problem.dimension = read_dimension(in);
  problem.mu = in.vector("mu", {in.length("mu"), ""});
  const NamedSize rows{problem.dimension * problem.mu.size(), "dimension x contacts"};
  const Index dof = in.length("f");
  problem.f = in.vector("f", {dof, ""});
  problem.w = in.vector("w", rows);
  problem.M = read_sparse(in, "M", dof, dof);
  problem.H = read_sparse(in, "H", dof, rows.value);
  const Index bilateral = in.has("b") ? in.length("b") : 0;
  problem.b = in.optional_vector("b", {bilateral, ""});
  problem.G.resize(in.failed() ? 0 : dof, 0);
  if (in.has("G") || bilateral > 0) problem.G = read_sparse(in, "G", dof, bilateral);
  return problem;
}

AnyProblem read_own(JsonFields& in) {
  in.mark("schema");
  in.mark("name");
  const std::string kind = in.text("kind");
  if (kind == "lcp") return read_lcp(in);
  if (kind == "mlcp") return read_mlcp(in);
  if (kind == "box-lcp") return read_box(in);
  if (kind == "qp") return read_qp(in);
  if (kind == "fc") return read_local(in);
  if (kind == "gfc") return read_global(in);
  in.refuse("kind", in_quotes(kind) + " is not a known kind", "lcp, mlcp, box-lcp, qp, fc or gfc");
  return Lcp{};
}

// Reference files of the compliant model have no schema but these keys.
bool is_compliant(const json& tree) {
  const auto contacts = tree.find("contacts");
  return tree.contains("bilateral") || tree.contains("unilateral") ||
         (contacts != tree.end() && contacts->is_object() && contacts->contains("Gn"));
}

// Properties of contacts that are kept and play no part: nothing physical is dropped in silence.
void warn_of_unused(const ContactFile& file, bool has_offset, std::vector<std::string>& warnings) {
  bool motion = false, compliance = false;
  for (const Contact& contact : file.problem.contacts) {
    motion = motion || contact.gap != 0.0 || contact.restitution != 0.0;
    compliance = compliance || std::isfinite(contact.stiffness) || contact.damping != 0.0;
  }
  if (motion && has_offset) warnings.push_back("b_N is given, so gap and restitution are kept but not used");
  if (compliance) {
    warnings.push_back(std::string("stiffness and damping are kept but not used: ") +
                       (std::holds_alternative<CoulombCone>(file.model)
                            ? "give them as compliance (in code: soften_contacts)"
                            : "the models are rigid; for the model cone give compliance"));
  }
}

}  // namespace

Expected<AnyProblem> parse_json_problem(const std::string& text, std::vector<std::string>* warnings) {
  const Expected<json> tree = parse_json_text(text);
  if (!tree) return Unexpected<Error>{tree.error()};
  if (!tree->is_object()) return fail("the JSON is not an object", "", "a problem file is one object { ... }");
  JsonFields in(*tree);
  const bool bare = !in.has("schema") && is_compliant(*tree);
  const std::string schema = bare ? kCompliantSchema : in.text("schema");
  AnyProblem problem;
  if (schema == kContactSchema) {
    problem = read_contact(in);
  } else if (schema == kCompliantSchema) {
    problem = read_compliant(in);
  } else if (schema == "tribo-problem/1") {
    problem = read_own(in);
  } else {
    in.refuse("schema", in_quotes(schema) + " is not a known schema",
              "contact-lcp-ref/1, compliant-step/1 or tribo-problem/1");
  }
  if (in.failed()) return Unexpected<Error>{in.error()};
  const Checked valid = validate(problem);
  if (!valid) return Unexpected<Error>{valid.error()};
  if (warnings != nullptr) {
    for (const std::string& key : in.unknown_keys())
      warnings->push_back("key " + in_quotes(key) + " is not known; ignored");
    if (const auto* contact = std::get_if<ContactFile>(&problem)) {
      warn_of_unused(*contact, in.has("b_N"), *warnings);
      const bool cone = std::holds_alternative<CoulombCone>(contact->model);
      if ((cone || std::holds_alternative<CoulombPyramid>(contact->model)) && !in.has("mu")) {
        warnings->push_back("mu is not given; taken as 0");
      }
      const auto* viscous = std::get_if<Viscous>(&contact->model);
      const std::string coefficient = viscous != nullptr && viscous->impact ? "impact_damping" : "mu_v";
      if (viscous != nullptr && !in.has(coefficient)) warnings->push_back(coefficient + " is not given; taken as 0");
    }
  }
  return problem;
}

}  // namespace tribo
