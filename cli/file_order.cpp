#include "file_order.hpp"

#include <algorithm>
#include <numeric>

namespace tribo {
namespace {

// 0 … count − 1, sorted by where row first + k stands in the file.
std::vector<Index> sorted_by_row(const std::vector<Index>& order, Index first, Index count) {
  std::vector<Index> sorted(static_cast<std::size_t>(count));
  std::iota(sorted.begin(), sorted.end(), Index{0});
  std::sort(sorted.begin(), sorted.end(), [&](Index a, Index b) { return order[first + a] < order[first + b]; });
  return sorted;
}

VectorXd gather(const VectorXd& x, const std::vector<Index>& from) {
  // An array of another size is not the answer's (there is none): it is shown as it is.
  if (x.size() != static_cast<Index>(from.size())) return x;
  return x(from);
}

}  // namespace

FileOrder::FileOrder(const ProblemFile& file, const MixedLcpFile& mixed) : order_(mixed.order) {
  // JSON stores the rows as they are here; its `order` speaks of the file from which it was converted.
  if (file.format == "json") std::iota(order_.begin(), order_.end(), Index{0});
  equality_ = sorted_by_row(order_, 0, mixed.lcp.free);
  complementary_ = sorted_by_row(order_, mixed.lcp.free, mixed.lcp.complementary());
}

VectorXd FileOrder::rows(const VectorXd& x) const {
  if (x.size() != static_cast<Index>(order_.size())) return x;
  VectorXd in_file(x.size());
  in_file(order_) = x;
  return in_file;
}

VectorXd FileOrder::equality(const VectorXd& u) const { return gather(u, equality_); }

VectorXd FileOrder::complementary(const VectorXd& z) const { return gather(z, complementary_); }

std::string FileOrder::pattern(const std::string& p) const {
  if (p.size() != complementary_.size()) return p;
  std::string in_file;
  for (const Index k : complementary_) in_file += p[static_cast<std::size_t>(k)];
  return in_file;
}

}  // namespace tribo
