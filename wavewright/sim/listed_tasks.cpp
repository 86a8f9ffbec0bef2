#include "wavewright/sim/listed_tasks.h"

namespace wavewright {

namespace {

TaskRecord with_listed_number(TaskRecord task, const TaskPlaces& places) {
  if (task.kind == Kind::map) task.task = places.listed_map(task.job, task.task);
  if (task.kind == Kind::reduce) task.task = places.listed_reduce(task.job, task.task);
  return task;
}

class ListedTaskSink final : public TaskSink {
 public:
  ListedTaskSink(TaskSink& next, const TaskPlaces& places) : next_(next), places_(places) {}
  void begin(const std::vector<std::string>& nodes) override { next_.begin(nodes); }
  void add(const TaskRecord& record) override { next_.add(with_listed_number(record, places_)); }

 private:
  TaskSink& next_;
  const TaskPlaces& places_;
};

}  // namespace

SimulationResult simulate_in_task_order(
    const Workload& listed, TaskOrder order, TaskSink* sink,
    const std::function<SimulationResult(const Workload&, TaskSink*)>& run) {
  const TaskPlaces places(listed, order);
  if (!places.moves()) return run(listed, sink);
  Workload arranged = listed;
  places.arrange(arranged);
  std::optional<ListedTaskSink> numbers;
  if (sink != nullptr) numbers.emplace(*sink, places);
  SimulationResult result = run(arranged, numbers ? &*numbers : nullptr);
  for (TaskRecord& task : result.trace) task = with_listed_number(task, places);
  return result;
}

}  // namespace wavewright
