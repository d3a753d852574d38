#include "sim/parallel.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tribo {

void run_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& f) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) f(i);
    return;
  }
  tbb::task_arena arena(threads);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, f); });
}

}  // namespace tribo
