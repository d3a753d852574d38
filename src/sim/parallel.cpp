#include "sim/parallel.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tribo {

void run_on_threads(std::size_t count, int threads, const std::function<void(std::size_t, int)>& f) {
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, count,
                      [&](std::size_t k) { f(k, tbb::this_task_arena::current_thread_index()); });
  });
}

}  // namespace tribo
