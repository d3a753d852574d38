#include "evidence_record.hpp"

namespace tribo {
namespace {

std::string name_of(Evidence::Kind kind) {
  switch (kind) {
    case Evidence::Kind::kNone:
      return "none";
    case Evidence::Kind::kFarkas:
      return "farkas";
    case Evidence::Kind::kRay:
      return "ray";
    case Evidence::Kind::kExhaustion:
      return "exhaustion";
  }
  return "none";
}

std::string name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRejected:
      return "rejected";
    case Verdict::kRay:
      return "ray";
    case Verdict::kInfeasible:
      return "infeasible";
  }
  return "rejected";
}

}  // namespace

EvidenceRecord make_evidence_record(const Evidence& evidence, const InfeasibilityCertificate& certificate) {
  EvidenceRecord record;
  record.kind = name_of(evidence.kind);
  if (evidence.kind == Evidence::Kind::kNone) return record;
  record.verdict = name_of(certificate.verdict);
  record.checks = certificate.checks;
  switch (evidence.kind) {
    case Evidence::Kind::kNone:
      break;
    case Evidence::Kind::kFarkas:
      record.vectors = {{"y", evidence.y}};
      break;
    case Evidence::Kind::kRay:
      record.vectors = {{"z", evidence.z}, {"dz", evidence.dz}, {"cover", evidence.cover}};
      if (evidence.u.size() > 0) record.vectors.insert(record.vectors.end(), {{"u", evidence.u}, {"du", evidence.du}});
      record.numbers = {{"z0", evidence.z0}, {"dz0", evidence.dz0}};
      break;
    case Evidence::Kind::kExhaustion:
      record.pattern = evidence.pattern;
      record.separators = evidence.separators;
      break;
  }
  return record;
}

EvidenceRecord make_evidence_record(const ContactSolution& solution, const InfeasibilityCertificate& certificate) {
  EvidenceRecord record;
  const bool farkas = solution.y_n.size() > 0 || solution.y_e.size() > 0;
  const bool ray = !farkas && !certificate.checks.residuals.empty();
  if (!farkas && !ray) return record;
  record.kind = farkas ? "farkas" : "ray";
  record.verdict = name_of(certificate.verdict);
  record.checks = certificate.checks;
  if (farkas) record.vectors = {{"y_n", solution.y_n}, {"y_e", solution.y_e}};
  return record;
}

Evidence in_file_order(const Evidence& evidence, const FileOrder& order) {
  Evidence in_file = evidence;
  in_file.y = order.rows(evidence.y);
  in_file.z = order.complementary(evidence.z);
  in_file.dz = order.complementary(evidence.dz);
  in_file.cover = order.complementary(evidence.cover);
  in_file.u = order.equality(evidence.u);
  in_file.du = order.equality(evidence.du);
  for (std::string& pattern : in_file.pattern) pattern = order.pattern(pattern);
  for (Index i = 0; i < evidence.separators.cols(); ++i) {
    in_file.separators.col(i) = order.rows(evidence.separators.col(i));
  }
  return in_file;
}

}  // namespace tribo
