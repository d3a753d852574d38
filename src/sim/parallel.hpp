// f(0) … f(count − 1), in any order on up to `threads` threads. What each computes must depend on its own index alone.
#pragma once

#include <cstddef>
#include <functional>

namespace tribo {

void run_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& f);

}  // namespace tribo
