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

}  // namespace tribo
