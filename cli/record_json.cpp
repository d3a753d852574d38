#include <algorithm>

#include "json_text.hpp"
#include "record_text.hpp"
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::ordered_json;

ordered_json list(const VectorXd& x) {
  ordered_json values = ordered_json::array();
  for (Index i = 0; i < x.size(); ++i) values.push_back(number_json(x(i)));
  return values;
}

ordered_json states_json(const std::vector<ContactState>& states) {
  ordered_json names = ordered_json::array();
  for (const ContactState state : states) names.push_back(state_name(state));
  return names;
}

// Residuals by name. `worst` is the largest of them (and infinite with NaNs inside), so it is written last.
ordered_json certificate_json(const Certificate& certificate) {
  ordered_json object = ordered_json::object();
  for (const Residual& residual : certificate.residuals) object[residual.name] = number_json(residual.relative);
  object["worst"] = number_json(certificate.worst);
  return object;
}

ordered_json evidence_json(const EvidenceRecord& evidence) {
  ordered_json vectors = ordered_json::object();
  for (const auto& [name, x] : evidence.vectors) vectors[name] = list(x);
  for (const auto& [name, x] : evidence.numbers) vectors[name] = number_json(x);
  if (!evidence.pattern.empty()) {
    ordered_json separators = ordered_json::array();
    for (Index i = 0; i < evidence.separators.cols(); ++i) separators.push_back(list(evidence.separators.col(i)));
    vectors["pattern"] = evidence.pattern;
    vectors["separators"] = std::move(separators);
  }
  ordered_json object = {{"kind", evidence.kind}, {"verdict", evidence.verdict}};
  if (!evidence.checks.residuals.empty()) object["checks"] = certificate_json(evidence.checks);
  object["vectors"] = std::move(vectors);
  return object;
}

void add_problem(const SolveRecord& record, ordered_json& object) {
  object["kind"] = record.kind;
  object["contacts"] = record.contacts;
  object["dof"] = record.dof;
  object["model"] = record.model ? ordered_json(*record.model) : ordered_json(nullptr);
}

// What was attempted, in order.
ordered_json history_json(const std::vector<Attempt>& history) {
  ordered_json rows = ordered_json::array();
  for (const Attempt& attempt : history) {
    ordered_json row = {{"attempt", attempt.name}};
    if (!attempt.note.empty()) row["note"] = attempt.note;
    if (!attempt.methods.empty()) row["methods"] = to_string(attempt.methods);
    row["status"] = to_string(attempt.status);
    row["residual"] = number_json(attempt.worst);
    row["iterations"] = attempt.iterations;
    row["pivots"] = attempt.pivots;
    row["seconds"] = number_json(attempt.seconds);
    if (attempt.island >= 0) row["island"] = attempt.island;
    rows.push_back(std::move(row));
  }
  return rows;
}

void add_answer(const SolveRecord& record, bool with_solution, ordered_json& object) {
  object["solver"] = record.solver;
  object["status"] = to_string(record.status);
  object["iterations"] = record.iterations;
  object["pivots"] = record.pivots;
  object["seconds"] = number_json(record.seconds);
  object["certificate"] = certificate_json(record.certificate);
  if (!is_solved(record.status)) {
    object["detail"] = record.detail;
    object["evidence"] = evidence_json(record.evidence);
  }
  object["history"] = history_json(record.history);
  if (record.released) object["released"] = *record.released;
  if (record.eased) object["eased"] = list(*record.eased);
  if (with_solution) {
    for (const auto& [name, x] : record.solution) object[name] = list(x);
    if (record.model) object["states"] = states_json(record.states);
    if (!record.dry_states.empty()) object["dry_states"] = states_json(record.dry_states);
  }
}

}  // namespace

std::string to_json_line(const SolveRecord& record, bool with_solution) {
  ordered_json object = {{"file", record.file}};
  if (!record.kind.empty()) add_problem(record, object);
  if (record.error) {
    object["error"] = *record.error;
  } else {
    add_answer(record, with_solution, object);
  }
  if (!record.warnings.empty()) object["warnings"] = record.warnings;
  // A file name need not be UTF-8; JSON must be.
  return json_line(object);
}

}  // namespace tribo
