#include "tribo/linalg/minimum_degree.hpp"

#include "tribo/core/random.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace tribo {
namespace {

struct Graph {
  std::vector<std::int32_t> start{0}, column;
};

Graph make_graph(const std::vector<std::set<std::int32_t>>& neighbours) {
  Graph graph;
  for (const auto& row : neighbours) {
    graph.column.insert(graph.column.end(), row.begin(), row.end());
    graph.start.push_back(static_cast<std::int32_t>(graph.column.size()));
  }
  return graph;
}

// Edges that elimination in this order adds, counted the slow way.
int count_fill(std::vector<std::set<std::int32_t>> neighbours, const std::vector<std::int32_t>& order) {
  int fill = 0;
  for (const std::int32_t node : order) {
    for (const std::int32_t a : neighbours[node]) {
      neighbours[a].erase(node);
      for (const std::int32_t b : neighbours[node]) {
        if (a < b && neighbours[a].insert(b).second) {
          neighbours[b].insert(a);
          ++fill;
        }
      }
    }
    neighbours[node].clear();
  }
  return fill;
}

std::vector<std::int32_t> order_of(const std::vector<std::set<std::int32_t>>& neighbours) {
  const Graph graph = make_graph(neighbours);
  MinimumDegree degree;
  const auto order = degree.order(graph.start, graph.column);
  return {order.begin(), order.end()};
}

// Every node once, whatever the graph; also none, and nodes without neighbours.
TEST(MinimumDegree, OrdersEveryNodeOnce) {
  EXPECT_TRUE(order_of({}).empty());
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const auto n = static_cast<std::int32_t>(random.integer(1, 60));
    std::vector<std::set<std::int32_t>> neighbours(n);
    for (std::int64_t e = random.integer(0, 3 * n); e > 0; --e) {
      const auto a = static_cast<std::int32_t>(random.integer(0, n - 1)),
                 b = static_cast<std::int32_t>(random.integer(0, n - 1));
      if (a == b) continue;
      neighbours[a].insert(b);
      neighbours[b].insert(a);
    }
    std::vector<std::int32_t> order = order_of(neighbours);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(static_cast<std::int32_t>(order.size()), n);
    for (std::int32_t i = 0; i < n; ++i) ASSERT_EQ(order[i], i);
  }
}

// Trees have an order without fill, and degrees find it: chains, and stars with the hub listed first.
TEST(MinimumDegree, AddsNothingToTrees) {
  std::vector<std::set<std::int32_t>> chain(50), star(50);
  for (std::int32_t i = 1; i < 50; ++i) {
    chain[i].insert(i - 1);
    chain[i - 1].insert(i);
    star[i].insert(0);
    star[0].insert(i);
  }
  EXPECT_EQ(count_fill(chain, order_of(chain)), 0);
  EXPECT_EQ(count_fill(star, order_of(star)), 0);
}

// On a grid the order of the list fills a band; degrees do with much less.
TEST(MinimumDegree, FillsLessThanTheOrderOfTheList) {
  constexpr std::int32_t k = 20;
  std::vector<std::set<std::int32_t>> grid(k * k);
  for (std::int32_t i = 0; i < k * k; ++i) {
    if (i % k > 0) grid[i].insert(i - 1), grid[i - 1].insert(i);
    if (i >= k) grid[i].insert(i - k), grid[i - k].insert(i);
  }
  std::vector<std::int32_t> listed(k * k);
  for (std::int32_t i = 0; i < k * k; ++i) listed[i] = i;
  EXPECT_LT(2 * count_fill(grid, order_of(grid)), count_fill(grid, listed));
}

}  // namespace
}  // namespace tribo
