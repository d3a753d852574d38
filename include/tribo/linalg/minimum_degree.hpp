// A fill-reducing order: eliminate a node of least degree in the graph that elimination has made so far (quotient graph:
// an eliminated node stands for the clique of its neighbours; degrees are bounded from above, not counted).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tribo {

class MinimumDegree {
 public:
  // The graph of a symmetric pattern in compressed rows (entries on the diagonal are skipped); of a pattern that is not
  // symmetric give pattern and transpose together. The answer, valid until the next call: the nodes in the order of their
  // elimination; of equal degrees the smallest node first. Memory is kept between calls.
  std::span<const std::int32_t> order(std::span<const std::int32_t> start, std::span<const std::int32_t> column);

 private:
  void place(std::int32_t node, std::int32_t degree);
  void take(std::int32_t node);

  std::vector<std::int32_t> order_, degree_, mark_, front_, next_, previous_;  // buckets by degree
  std::vector<std::int32_t> clique_start_, clique_end_, clique_;               // what an eliminated node stands for
  std::vector<std::int32_t> first_of_, next_of_, owner_;                       // per node: a list of its cliques
  std::vector<std::int32_t> seen_, outside_;                                   // per clique
};

}  // namespace tribo
