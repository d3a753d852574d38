#include "tribo/core/status.hpp"

namespace tribo {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kSolved:
      return "solved";
    case Status::kSolvedReduced:
      return "solved_reduced";
    case Status::kIterationLimit:
      return "iteration_limit";
    case Status::kRay:
      return "ray";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kInconsistentEqualities:
      return "inconsistent_equalities";
    case Status::kBreakdown:
      return "breakdown";
    case Status::kInterrupted:
      return "interrupted";
  }
  return "unknown";
}

int severity(Status status) {
  switch (status) {
    case Status::kSolved:
      return 0;
    case Status::kSolvedReduced:
      return 1;
    case Status::kIterationLimit:
      return 2;
    case Status::kRay:
      return 3;
    case Status::kBreakdown:
      return 4;
    case Status::kInterrupted:
      return 5;
    case Status::kInfeasible:
      return 6;
    case Status::kInconsistentEqualities:
      return 7;
  }
  return 4;
}

}  // namespace tribo
