// The parts of the study, in the order of its report.
#pragma once

#include "rows.hpp"

namespace tribo {

void report_files(StudyOutput& output, const std::vector<CorpusRow>& rows);
void report_profiles(StudyOutput& output, const std::vector<CorpusRow>& rows);  // and how many each solver solves
void report_corpus_claims(StudyOutput& output, const std::vector<CorpusRow>& rows);
void report_corpus_promises(StudyOutput& output, const FrictionCorpus& corpus, const std::vector<CorpusRow>& rows);

}  // namespace tribo
