// The module that other_lemke.hpp speaks of: plain numbers in and out, so that no Eigen object crosses its border.
#include <dart/lcpsolver/Lemke.hpp>

// M: n × n, column after column. The answer is DART's error code, 0 when it calls z an answer.
extern "C" __attribute__((visibility("default"))) int tribo_dart_lemke(const double* M, const double* q, long n,
                                                                       double* z) {
  const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(M, n, n);
  const Eigen::VectorXd vector = Eigen::Map<const Eigen::VectorXd>(q, n);
  Eigen::VectorXd answer = Eigen::VectorXd::Zero(n);
  const int error = dart::lcpsolver::Lemke(matrix, vector, &answer);
  for (long i = 0; i < n; ++i) z[i] = i < answer.size() ? answer[i] : 0.0;
  return error;
}
