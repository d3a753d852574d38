// Which of Siconos' friction solvers are measured, and with which settings. Theirs are kept but for the limits on
// iterations: the process of a solver has a limit on time anyway.
#pragma once

#include <span>

struct SolverOptions;

namespace tribo {

enum class PeerStorage { kDense, kBlocks, kSparse };
const char* to_string(PeerStorage storage);

struct PeerChoice {
  const char* name;
  int id;
  int one_contact;  // solver of the contact or of the subproblem; 0: as it comes
  int max_iterations;
  long most_rows;                // of problems that are worth a try
  bool dense, blocks, sparse;    // storages it takes
  bool factors;                  // matrices of the whole problem: on small ones only dense ones are worth it
  void (*tune)(SolverOptions*);  // null: nothing
};

std::span<const PeerChoice> peers_local_3d();
std::span<const PeerChoice> peers_local_2d();
std::span<const PeerChoice> peers_global_3d();

}  // namespace tribo
