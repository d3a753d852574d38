#include "cases.hpp"

#include "tribo/problem/generate.hpp"

#include <functional>

#include "situations.hpp"
#include "stack.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

Case make_case(std::string name, Index contacts, Index bodies, int wrenches,
               const std::function<ContactProblem(Random&)>& make) {
  Case result{std::move(name), contacts, bodies, {}};
  for (int i = 0; i < wrenches; ++i) {
    Random random(static_cast<std::uint64_t>(1000 * contacts + i));
    result.problems.push_back(make(random));
    result.problems.back().name = fmt::format("{}, wrench {}", result.name, i);
  }
  return result;
}

std::vector<Case> make_pegs(const std::vector<Index>& sizes, int wrenches) {
  std::vector<Case> pegs;
  for (const Index n : sizes) {
    pegs.push_back(make_case(fmt::format("peg {}", n), n, 1, wrenches, [n](Random& r) { return peg_in_hole(n, r); }));
  }
  return pegs;
}

}  // namespace

Cases make_cases(bool quick) {
  const int wrenches = quick ? 10 : 20;
  Cases cases;
  cases.pegs =
      make_pegs(quick ? std::vector<Index>{8, 16, 32} : std::vector<Index>{8, 12, 16, 20, 24, 28, 32}, wrenches);
  cases.large_pegs = make_pegs(quick ? std::vector<Index>{128, 512} : std::vector<Index>{64, 128, 256, 512}, wrenches);
  for (const Situation& situation : situations()) {
    cases.situations.push_back(make_case(situation.name, situation.contacts, 1, wrenches, situation.make));
  }
  for (const Stack& stack : stacks()) {
    cases.stacks.push_back(make_case(fmt::format("stack {}, {} contacts", stack.blocks, stack.contacts()),
                                     stack.contacts(), stack.blocks, wrenches,
                                     [&](Random& r) { return make_stack(stack, r); }));
  }
  return cases;
}

}  // namespace tribo
