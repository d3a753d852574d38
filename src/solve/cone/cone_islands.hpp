// Islands of a cone problem: contacts that W joins, or that share a body, are solved together; nothing else needs to be.
#pragma once

#include "tribo/problem/cone_problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tribo::cone {

class Islands {
 public:
  // In the order of their first contacts; what is inside keeps its order. `listed`, for problems by bodies: flags of the contacts
  // that count; the others belong to no island. Empty: all do.
  void split(const ConeProblem& problem, std::span<const std::uint8_t> listed = {});

  std::size_t count() const { return start_.size() - 1; }
  std::span<const std::int32_t> members(std::size_t island) const {
    return {members_.data() + start_[island], static_cast<std::size_t>(start_[island + 1] - start_[island])};
  }
  // Where each contact is in its island.
  std::span<const std::int32_t> places() const { return place_; }
  // Until the next call: members in another order, and their places with it.
  void set_places(std::span<const std::int32_t> members);

 private:
  void collect(std::int32_t contacts);

  std::vector<std::int32_t> root_, members_, place_, start_, next_;
};

}  // namespace tribo::cone
