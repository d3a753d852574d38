// The problems of the study. A case is a geometry under random wrenches; every method gets the same ones.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <string>
#include <vector>

namespace tribo {

struct Case {
  std::string name;  // "peg 16", "block in groove", "stack 5, 32 contacts"
  Index contacts = 0;
  Index bodies = 1;
  std::vector<ContactProblem> problems;  // one per wrench
};

struct Cases {
  std::vector<Case> pegs;        // Figures 4 and 5: n = 8 … 32
  std::vector<Case> large_pegs;  // beyond the paper: n = 64 … 512
  std::vector<Case> situations;  // Figures 6 and 7
  std::vector<Case> stacks;      // Figures 8 and 9
};
Cases make_cases(bool quick);  // 20 wrenches each; quick: fewer, and fewer pegs

// Tribo JSON, one file per problem of the paper's figures (not the large pegs): lloyd-2005-peg-16-00.json and so on. A
// file of such a name that exists is an error, found before anything is written.
Checked check_cases_recording(const std::string& folder, const Cases& cases);
Checked write_cases_recording(const std::string& folder, const Cases& cases);

}  // namespace tribo
