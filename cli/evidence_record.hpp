// Evidence that there is no answer, as it is printed.
#pragma once

#include "tribo/certify/infeasibility.hpp"
#include "tribo/problem/solution.hpp"

#include "file_order.hpp"
#include "solve_record.hpp"

namespace tribo {

EvidenceRecord make_evidence_record(const Evidence& evidence, const InfeasibilityCertificate& certificate);

// A contact problem has y_n and y_e. A ray of the friction LCP inside has no counterpart at contact level: kind and
// verdict are given without vectors.
EvidenceRecord make_evidence_record(const ContactSolution& solution, const InfeasibilityCertificate& certificate);

Evidence in_file_order(const Evidence& evidence, const FileOrder& order);

}  // namespace tribo
