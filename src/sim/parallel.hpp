// f(k, worker) for k = 0 … count − 1, in any order on up to `threads` threads; worker < threads, and no two calls have the same one at
// the same time. What each computes must depend on k alone. On one thread nothing is allocated.
#pragma once

#include <cstddef>
#include <functional>

namespace tribo {

void run_on_threads(std::size_t count, int threads, const std::function<void(std::size_t, int)>& f);

template <typename Function>
void run_parallel(std::size_t count, int threads, const Function& f) {
  if (threads > 1 && count > 1) return run_on_threads(count, threads, std::cref(f));
  for (std::size_t k = 0; k < count; ++k) f(k, 0);
}

}  // namespace tribo
