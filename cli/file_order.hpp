// Back from [u; z], equality rows first, to the rows of the file.
#pragma once

#include "tribo/io/problem_file.hpp"

namespace tribo {

class FileOrder {
 public:
  explicit FileOrder(const ProblemFile& file, const MixedLcpFile& mixed);

  VectorXd rows(const VectorXd& x) const;           // x over all rows
  VectorXd equality(const VectorXd& u) const;       // u over the equality rows, in their order in the file
  VectorXd complementary(const VectorXd& z) const;  // z over the others, likewise
  std::string pattern(const std::string& p) const;  // one letter per complementarity row

 private:
  std::vector<Index> order_;          // order_[i]: the row of the file that is row i here
  std::vector<Index> equality_;       // equality_[k]: which u stands k-th in the file
  std::vector<Index> complementary_;  // complementary_[k]: which z stands k-th in the file
};

}  // namespace tribo
