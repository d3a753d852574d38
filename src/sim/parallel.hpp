// f(0) … f(count − 1), in any order on up to `threads` threads. What each computes must depend on its own index alone. On one
// thread nothing is allocated.
#pragma once

#include <cstddef>
#include <functional>

namespace tribo {

void run_on_threads(std::size_t count, int threads, const std::function<void(std::size_t)>& f);

template <typename Function>
void run_parallel(std::size_t count, int threads, const Function& f) {
  if (threads > 1 && count > 1) return run_on_threads(count, threads, std::cref(f));
  for (std::size_t i = 0; i < count; ++i) f(i);
}

}  // namespace tribo
