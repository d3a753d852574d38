#include "tribo/problem/compliant_name.hpp"

#include "io/json_compliant.hpp"
#include "io/json_writer.hpp"

namespace tribo {
namespace {

void write_rows(JsonObjectWriter& out, const CompliantRows& rows, const std::string& suffix) {
  out.matrix("G" + suffix, rows.G.to_dense());
  out.vector("K" + suffix, rows.K);
  out.vector("B" + suffix, rows.B);
  out.vector("phi" + suffix + "0", rows.phi);
  if (rows.drift.size() > 0) out.vector("Gdot_v0" + (suffix.empty() ? "" : "_" + suffix), rows.drift);
}

std::string plain_rows(const CompliantRows& rows) {
  JsonObjectWriter out(2);
  write_rows(out, rows, "");
  return out.finish();
}

std::string contact_rows(const CompliantProblem& problem) {
  JsonObjectWriter out(2);
  write_rows(out, problem.normal, "n");
  if (problem.r.rows() > 0) write_rows(out, problem.r, "r");
  if (problem.s.rows() > 0) write_rows(out, problem.s, "s");
  out.vector("mu", problem.mu);
  if (problem.rate_scale.size() > 0) out.vector("rate_scale", problem.rate_scale);
  return out.finish();
}

std::string states_text(const std::vector<ContactState>& states, bool cone) {
  std::string list;
  for (const ContactState state : states) {
    const char* name = state == ContactState::kStick   ? (cone ? "in" : "stick")
                       : state == ContactState::kSlide ? (cone ? "bd" : "slide")
                                                       : (cone ? "apex" : "open");
    list += (list.empty() ? "" : ", ") + json_string(name);
  }
  return "[" + list + "]";
}

std::string write_reference(const CompliantReference& reference) {
  JsonObjectWriter out(3);
  const CompliantSolution& answer = reference.solution;
  const auto vector = [&](const std::string& key, const VectorXd& values) {
    if (values.size() > 0) out.vector(key, values);
  };
  vector("lambda_b", answer.lambda_b);
  vector("lambda_u", answer.lambda_u);
  vector("lambda_n", answer.lambda_n);
  vector("lambda_r", answer.lambda_r);
  vector("lambda_s", answer.lambda_s);
  out.vector("v1", answer.v1);
  if (!answer.states.empty()) out.raw("states", states_text(answer.states, reference.model != "coulomb"));
  vector("row_multipliers", reference.row_multipliers);
  return out.finish();
}

// The model as the answers are called; the file's kind says which of its laws matters.
std::string model_key(const CompliantProblem& problem, const Compliant& model) {
  if (problem.contacts() > 0) {
    return model.friction == FrictionLaw::kCoulomb      ? "coulomb"
           : model.friction == FrictionLaw::kConvexCone ? "convex_cone"
                                                        : "paper_qcqp";
  }
  return to_string(model.unilateral);
}

}  // namespace

std::string write_compliant(const CompliantFile& file) {
  const CompliantProblem& problem = file.problem;
  JsonObjectWriter out;
  out.text("schema", kCompliantSchema);
  out.text("name", problem.name);
  if (!file.note.empty()) out.text("note", file.note);
  out.text("bias_mode", to_string(problem.product));
  if (problem.contacts() > 0 || problem.unilateral.rows() > 0) out.text("model", model_key(problem, file.model));
  out.number("h", problem.h);
  if (problem.zeta) out.number("zeta", *problem.zeta);
  out.matrix("M", problem.mass.to_dense());
  out.vector("v0", problem.v);
  out.vector("f", problem.f);
  if (problem.bilateral.rows() > 0) out.raw("bilateral", plain_rows(problem.bilateral));
  if (problem.unilateral.rows() > 0) out.raw("unilateral", plain_rows(problem.unilateral));
  if (problem.contacts() > 0) out.raw("contacts", contact_rows(problem));
  if (!file.solutions.empty()) {
    JsonObjectWriter answers(2);
    for (const CompliantReference& reference : file.solutions) {
      answers.raw(reference.model, write_reference(reference));
    }
    out.raw("solutions", answers.finish());
  }
  return out.finish();
}

}  // namespace tribo
