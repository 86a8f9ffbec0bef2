// Times the fast engine on a workload in the rivals' text format, the way they time themselves: the file is
// read and the tasks are laid out once, then the simulation alone is repeated.
//   simulate_text FILE [REPEATS]
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "wavewright/job/format_conversion.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sim/simulate.h"

int main(int argc, char** argv) {
  using namespace wavewright;
  if (argc < 2) return 2;
  try {
    const int repeats = argc > 2 ? std::max(1, std::atoi(argv[2])) : 20;
    Conversion read = read_text(argv[1]);
    const SlotPool pool{read.map_slots, read.reduce_slots};
    const TaskTable tasks(read.workload);
    SimulationResult result;
    double best = 1e300;
    for (int i = 0; i < repeats; ++i) {
      const auto policy = make_fifo();
      result = simulate(tasks, *policy, {pool, 1.0, false});
      best = std::min(best, result.engine_seconds);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print(R"({{"events":{},"makespan_ms":{},"best_s":{:.9f},"peak_rss_kib":{}}})"
               "\n",
               result.events, to_ms(result.makespan), best, usage.ru_maxrss);
  } catch (const std::exception& error) {
    fmt::print(stderr, "simulate_text: {}\n", error.what());
    return 1;
  }
  return 0;
}
