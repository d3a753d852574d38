// predict_slip_directions() (contact_problem.hpp) with memory that is kept: nothing is allocated for a problem of the size of the last.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <vector>

namespace tribo {

class SlipPrediction {
 public:
  void run(const ContactProblem& problem, std::vector<double>& directions);

 private:
  BlockCholesky factor_;
  VectorXd velocity_, whitened_, row_;
};

}  // namespace tribo
