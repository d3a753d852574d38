// The studies behind `tribo study`: what a paper claims, what we measure, and a verdict for every claim.
// docs/studies.md says how to read them. One folder per paper; adding a study is adding one row to the table.
#pragma once

#include "tribo/core/expected.hpp"

#include <iosfwd>
#include <span>
#include <string>

namespace tribo {

struct StudyOptions {
  bool json = false;            // one JSON object per line instead of tables
  bool quick = false;           // fewer trials and steps: seconds, not minutes
  std::string data_dir;         // where the corpora of others lie; empty: there are none
  std::string record;           // folder for the study's problems as files; empty: none are written
  std::ostream* out = nullptr;  // null: standard output
  bool progress = false;        // on standard error
  // Where not null: the JSON lines go here as well, whatever `json` says, and headings with them; a report is made of it.
  std::ostream* lines = nullptr;
};

struct StudyInfo {
  std::string name;
  std::string summary;
  // True: every solve was certified and every promise held. An error is bad input: a folder that cannot be written.
  Expected<bool> (*run)(const StudyOptions&);
};

std::span<const StudyInfo> studies();

Expected<bool> run_drumwright_2015(const StudyOptions& options);
Expected<bool> run_drumwright_2018(const StudyOptions& options);
Expected<bool> run_lloyd_2005(const StudyOptions& options);
Expected<bool> run_siconos_corpus(const StudyOptions& options);

}  // namespace tribo
