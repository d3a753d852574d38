// The few Eigen types everything is written in.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace tribo {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
// Arguments. Vectors, their segments, matrices and their corners pass without a copy.
using VectorIn = Eigen::Ref<const VectorXd>;
using VectorOut = Eigen::Ref<VectorXd>;
using MatrixIn = Eigen::Ref<const MatrixXd>;
using IndexList = std::vector<Index>;

}  // namespace tribo
