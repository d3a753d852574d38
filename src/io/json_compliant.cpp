#include "io/json_compliant.hpp"

#include "tribo/problem/compliant_name.hpp"

#include <array>
#include <utility>

#include "io/contact_layout.hpp"
#include "io/text_reader.hpp"

namespace tribo {
namespace {

using nlohmann::json;

// Rows as they stand in the file, before the blocks of M are known.
struct DenseRows {
  std::string place;  // "bilateral.G"
  MatrixXd G;
  CompliantRows* rows = nullptr;
};

// Hands the object under `key` to `read`, when there is one; its errors are named from outside.
template <typename Read>
void read_object(JsonFields& in, const std::string& key, Read read) {
  in.mark(key);
  if (in.failed() || !in.has(key)) return;
  const json* value = in.find(key);
  if (value->is_null()) return;
  if (!value->is_object()) {
    in.refuse(key, "is not an object", "write { ... } or leave it out");
    return;
  }
  JsonFields inner(*value);
  read(inner);
  const std::vector<std::string> unknown = inner.failed() ? std::vector<std::string>{} : inner.unknown_keys();
  if (!unknown.empty()) {
    inner.refuse(unknown.front(), "the key is not known", "docs/file-formats.md lists all keys");
  }
  if (inner.failed()) in.refuse(key + "." + inner.error().where, inner.error().what, inner.error().remedy);
}

// Keys of one family of rows: the rows themselves, stiffness, damping, deviation, velocity product.
struct RowKeys {
  const char *G, *K, *B, *phi, *drift;
};
constexpr RowKeys kPlainKeys = {"G", "K", "B", "phi0", "Gdot_v0"};
constexpr RowKeys kNormalKeys = {"Gn", "Kn", "Bn", "phin0", "Gdot_v0_n"};
constexpr RowKeys kFirstKeys = {"Gr", "Kr", "Br", "phir0", "Gdot_v0_r"};
constexpr RowKeys kSecondKeys = {"Gs", "Ks", "Bs", "phis0", "Gdot_v0_s"};

// A tangent needs no spring and no deviation.
void read_rows(JsonFields& in, const RowKeys& keys, const NamedSize& rows, const NamedSize& dof, bool tangent,
               DenseRows& out) {
  out.G = in.matrix(keys.G, rows, dof);
  out.rows->K = tangent ? in.optional_vector(keys.K, rows) : in.vector(keys.K, rows);
  out.rows->B = tangent ? in.vector(keys.B, rows) : in.optional_vector(keys.B, rows);
  out.rows->phi = tangent ? in.optional_vector(keys.phi, rows) : in.vector(keys.phi, rows);
  out.rows->drift = in.optional_vector(keys.drift, rows);
}

void read_contact_rows(JsonFields& in, const NamedSize& dof, CompliantProblem& problem, DenseRows& normal, DenseRows& r,
                       DenseRows& s) {
  const NamedSize n{in.length("Gn"), "the rows of Gn"};
  read_rows(in, kNormalKeys, n, dof, false, normal);
  const auto tangent = [&](const RowKeys& keys, DenseRows& out) {
    if (in.has(keys.G) && in.length(keys.G) > 0) read_rows(in, keys, n, dof, true, out);
    for (const char* key : {keys.G, keys.K, keys.B, keys.phi, keys.drift}) in.mark(key);
  };
  tangent(kFirstKeys, r);
  tangent(kSecondKeys, s);
  problem.mu = r.G.rows() > 0 ? in.vector("mu", n) : in.optional_vector("mu", n);
  problem.rate_scale = in.vector_or_empty("rate_scale", n);
}

VelocityProduct read_product(JsonFields& in) {
  const std::string mode = in.optional_text("bias_mode");
  for (const auto product : {VelocityProduct::kNone, VelocityProduct::kSpring, VelocityProduct::kPaper}) {
    if (mode == to_string(product)) return product;
  }
  if (!mode.empty()) in.refuse("bias_mode", in_quotes(mode) + " is not known", "write none, spring or paper");
  return VelocityProduct::kSpring;
}

// The names of the file are those of the answers.
Compliant read_law(JsonFields& in) {
  Compliant model;
  const std::string name = in.optional_text("model");
  if (name == "qp") {
    model.unilateral = UnilateralLaw::kLeastNorm;
  } else if (name == "convex_cone") {
    model.friction = FrictionLaw::kConvexCone;
  } else if (name == "paper_qcqp") {
    model.friction = FrictionLaw::kWeighted;
  } else if (!name.empty() && name != "lcp" && name != "coulomb") {
    in.refuse("model", in_quotes(name) + " is not a known model", "lcp, qp, coulomb, convex_cone or paper_qcqp");
  }
  return model;
}

std::vector<ContactState> read_states(JsonFields& in, Index contacts) {
  constexpr std::array<std::pair<const char*, ContactState>, 6> kNames = {{{"stick", ContactState::kStick},
                                                                           {"slide", ContactState::kSlide},
                                                                           {"open", ContactState::kOpen},
                                                                           {"in", ContactState::kStick},
                                                                           {"bd", ContactState::kSlide},
                                                                           {"apex", ContactState::kOpen}}};
  std::vector<ContactState> states;
  in.mark("states");
  if (in.failed() || !in.has("states")) return states;
  if (in.length("states") != contacts) {
    in.refuse("states", "has not one entry per contact", "write one word per contact");
    return states;
  }
  if (in.failed()) return states;
  for (const json& item : *in.find("states")) {
    const std::size_t before = states.size();
    for (const auto& [name, state] : kNames) {
      if (item == name) states.push_back(state);
    }
    if (states.size() == before) {
      in.refuse("states", "entry " + std::to_string(before) + " is not a state",
                "write stick, slide or open; for a cone in, bd or apex");
      return {};
    }
  }
  return states;
}

// What else is there tells how the answer was checked, and is not read.
CompliantReference read_reference(JsonFields& in, const std::string& model, const CompliantProblem& problem) {
  CompliantReference reference;
  reference.model = model;
  CompliantSolution& answer = reference.solution;
  answer.v1 = in.vector("v1", {problem.v.size(), "the length of v0"});
  answer.lambda_b = in.vector_or_empty("lambda_b", {problem.bilateral.rows(), "bilateral rows"});
  answer.lambda_u = in.vector_or_empty("lambda_u", {problem.unilateral.rows(), "unilateral rows"});
  answer.lambda_n = in.vector_or_empty("lambda_n", {problem.normal.rows(), "contacts"});
  answer.lambda_r = in.vector_or_empty("lambda_r", {problem.r.rows(), "contacts with tangents"});
  answer.lambda_s = in.vector_or_empty("lambda_s", {problem.s.rows(), "contacts with two tangents"});
  answer.states = read_states(in, problem.contacts());
  if (in.has("row_multipliers")) {
    reference.row_multipliers = in.vector("row_multipliers", {in.length("row_multipliers"), ""});
  }
  return reference;
}

void read_solutions(JsonFields& in, CompliantFile& file) {
  in.mark("solutions");
  if (in.failed() || !in.has("solutions")) return;
  const json& solutions = *in.find("solutions");
  if (!solutions.is_object()) {
    in.refuse("solutions", "is not an object", "write { ... } or leave it out");
    return;
  }
  for (const auto& [model, answer] : solutions.items()) {
    const std::string place = "solutions." + model;
    if (!answer.is_object()) {
      in.refuse(place, "is not an object", "write { ... }");
      return;
    }
    JsonFields inner(answer);
    file.solutions.push_back(read_reference(inner, model, file.problem));
    if (inner.failed()) in.refuse(place + "." + inner.error().where, inner.error().what, inner.error().remedy);
  }
}

}  // namespace

CompliantFile read_compliant(JsonFields& in) {
  CompliantFile file;
  CompliantProblem& problem = file.problem;
  in.mark("schema");
  problem.name = in.optional_text("name");
  file.note = in.optional_text("note");
  problem.product = read_product(in);
  file.model = read_law(in);
  problem.h = in.number("h");
  in.mark("zeta");
  if (in.has("zeta")) problem.zeta = in.number("zeta");
  const NamedSize dof{in.length("v0"), "the length of v0"};
  problem.v = in.vector("v0", dof);
  problem.f = in.vector("f", dof);
  const MatrixXd M = in.matrix("M", dof, dof);

  DenseRows bilateral{"bilateral.G", MatrixXd(0, 0), &problem.bilateral};
  DenseRows unilateral{"unilateral.G", MatrixXd(0, 0), &problem.unilateral};
  DenseRows normal{"contacts.Gn", MatrixXd(0, 0), &problem.normal};
  DenseRows r{"contacts.Gr", MatrixXd(0, 0), &problem.r}, s{"contacts.Gs", MatrixXd(0, 0), &problem.s};
  const auto plain = [&](DenseRows& out) {
    return [&](JsonFields& inner) {
      read_rows(inner, kPlainKeys, {inner.length("G"), "the rows of G"}, dof, false, out);
    };
  };
  read_object(in, "bilateral", plain(bilateral));
  read_object(in, "unilateral", plain(unilateral));
  read_object(in, "contacts", [&](JsonFields& inner) { read_contact_rows(inner, dof, problem, normal, r, s); });
  if (in.failed()) return file;

  const std::array<DenseRows*, 5> families = {&bilateral, &unilateral, &normal, &r, &s};
  std::vector<MatrixXd> all;
  for (DenseRows* family : families) {
    if (family->G.rows() == 0) family->G.resize(0, dof.value);
    all.push_back(family->G);
  }
  const BlockLayout layout = choose_layout(M, all);
  problem.mass = BlockDiagonal::from_dense(M, layout);
  for (const DenseRows* family : families) {
    Expected<BlockRows> rows = BlockRows::from_dense(family->G, layout);
    if (!rows) {
      in.refuse(family->place, rows.error().what, rows.error().remedy);
      return file;
    }
    family->rows->G = std::move(*rows);
  }
  read_solutions(in, file);
  return file;
}

}  // namespace tribo
