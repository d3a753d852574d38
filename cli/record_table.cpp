#include <algorithm>

#include "record_text.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr std::size_t kWidestFile = 60;

constexpr const char* kLayout = "{:<{}}  {:<9}{:>8}{:>7}  {:<20} {:<15} {:<24}{:>11}{:>8}{:>11}{:>10}\n";

std::string format_array(const NamedVector& named) {
  std::string text = fmt::format("    {} =", named.first);
  for (Index i = 0; i < named.second.size(); ++i) text += fmt::format(" {}", named.second(i));
  return text + "\n";
}

std::string format_changes(const SolveRecord& record) {
  std::string text;
  if (record.released && !record.released->empty()) {
    text += "    released: contacts";
    for (const Index i : *record.released) text += fmt::format(" {}", i);
    text += "\n";
  }
  if (record.eased && record.eased->size() > 0) {
    text += "    eased by:";
    for (Index i = 0; i < record.eased->size(); ++i) text += fmt::format(" {:.3g}", (*record.eased)(i));
    text += "\n";
  }
  return text;
}

std::string proof_phrase(const EvidenceRecord& evidence) {
  if (evidence.verdict == "infeasible") return "; proved (" + evidence.kind + ", checked from the file alone)";
  if (evidence.verdict == "ray") return "; the ray is genuine and proves nothing for this matrix";
  if (evidence.verdict == "rejected") return "; the solver's evidence (" + evidence.kind + ") was refused";
  return "";
}

}  // namespace

const char* state_name(ContactState state) {
  switch (state) {
    case ContactState::kOpen:
      return "open";
    case ContactState::kSlide:
      return "slide";
    case ContactState::kStick:
      return "stick";
  }
  return "open";
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1.0) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

RecordTable::RecordTable(const std::vector<std::string>& files) : file_width_(4) {
  for (const std::string& file : files) file_width_ = std::max(file_width_, std::min(file.size(), kWidestFile));
}

std::string RecordTable::header() const {
  return fmt::format(fmt::runtime(kLayout), "file", file_width_, "kind", "contacts", "dof", "model", "solver", "status",
                     "iterations", "pivots", "time", "worst");
}

std::string RecordTable::line(const SolveRecord& record, bool with_solution) const {
  std::string text =
      fmt::format(fmt::runtime(kLayout), record.file, file_width_, record.kind, record.contacts, record.dof,
                  record.model.value_or("-"), record.solver, to_string(record.status), record.iterations, record.pivots,
                  format_seconds(record.seconds), fmt::format("{:.1e}", record.certificate.worst));
  if (!is_solved(record.status)) {
    const std::string reason = record.detail.empty() ? std::string(to_string(record.status)) : record.detail;
    text += fmt::format("    not solved: {}{}\n", reason, proof_phrase(record.evidence));
  }
  if (record.history.size() > 1) {
    for (const Attempt& attempt : record.history)
      text += fmt::format("    attempted: {}, residual {:.1e}, {}\n", to_string(attempt), attempt.worst,
                          format_seconds(attempt.seconds));
  }
  text += format_changes(record);
  if (with_solution) {
    for (const NamedVector& named : record.solution) text += format_array(named);
    for (const auto& [name, states] : {std::pair("states", &record.states), {"dry_states", &record.dry_states}}) {
      if (states->empty()) continue;
      text += fmt::format("    {} =", name);
      for (const ContactState state : *states) text += fmt::format(" {}", state_name(state));
      text += "\n";
    }
  }
  return text;
}

}  // namespace tribo
