#include "apps/commands/simulate_run.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "apps/progress.h"

namespace wavewright::app {

namespace {

// Shows at intervals how many jobs are done.
class Watch {
 public:
  Watch(const Context& context, std::size_t jobs, const std::atomic<std::uint64_t>& over)
      : progress_(context), thread_([this, jobs, &over] {
          std::unique_lock lock(mutex_);
          while (!ended_.wait_for(lock, std::chrono::milliseconds(250), [this] { return done_; }))
            progress_.show(fmt::format("simulating: {} of {} jobs done", over.load(), jobs));
        }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  Watch(Watch&&) = delete;
  Watch& operator=(Watch&&) = delete;

 private:
  Progress progress_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace

SimulatedRun simulate_watched(const Context& context, const Workload& workload, Policy& policy,
                              ClusterOptions how, const SimulationOutputs& outputs) {
  std::atomic<std::uint64_t> over{0};
  how.stop = &context.interrupted;
  how.keep_stuck = true;
  how.jobs_over = &over;
  how.trace = outputs.keeps_tasks();
  context.ends_itself = true;
  const Watch watch(context, workload.jobs.size(), over);
  SimulatedRun run;
  run.usage = outputs.stream_tasks(workload, how.cluster, [&](TaskSink* sink) {
    how.sink = sink;
    run.result = simulate_on(workload, policy, how);
  });
  return run;
}

SimulatedRun simulate_by_reference(const Workload& workload, Policy& policy, ClusterOptions how,
                                   const SimulationOutputs& outputs) {
  how.trace = true;
  SimulatedRun run{simulate_on_reference(workload, policy, how), {}};
  run.usage = outputs.stream_tasks(workload, how.cluster, [&](TaskSink* sink) {
    if (sink == nullptr) return;
    sink->begin(run.result.nodes);
    for (const TaskRecord& task : run.result.trace) sink->add(task);
  });
  return run;
}

}  // namespace wavewright::app
