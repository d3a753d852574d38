// The study of Siconos' corpus of friction problems: every file through our solver with its default options, beside all
// of Siconos' friction solvers in the same run on the same machine. Both sides are judged by certify alone, on the
// file's own numbers; Siconos' own tolerances are chosen for it, to its favour (peers/siconos_friction.hpp).
#include "studies/study.hpp"

#include "parts.hpp"

namespace tribo {

Expected<bool> run_siconos_corpus(const StudyOptions& options) {
  StudyOutput output(options, "siconos-corpus");
  output.line("siconos-corpus: friction problems of others, the true Coulomb cone, beside Siconos");
  if (!options.record.empty()) output.line("--record is ignored: the problems are files already");
  const FrictionCorpus corpus = read_friction_corpus(options.data_dir);
  if (!corpus.found) {
    output.line("left out: there is no folder contact-problems/{fc3d,fc2d,gfc3d,gfc2d} in '" + options.data_dir +
                "'; set TRIBO_DATA to the folder that holds it");
    output.object("left-out", {{"what", "contact-problems/{fc3d,fc2d,gfc3d,gfc2d}"}});
    return true;
  }
  if (!has_siconos_friction()) {
    output.line("left out: Siconos is not in this build (Debian: libsiconos-numerics-dev); ours alone");
    output.object("left-out", {{"what", "Siconos"}});
  }
  const auto rows = measure_corpus(output, corpus, options.quick ? quick_budget() : full_budget());
  report_files(output, rows);
  report_profiles(output, rows);
  report_corpus_claims(output, rows);
  report_corpus_promises(output, corpus, rows);
  return output.held();
}

}  // namespace tribo
