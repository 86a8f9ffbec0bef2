// Runs to try the store with.
#pragma once

#include "wavewright/history/run.h"

namespace wavewright {

// A draw of rapidcheck: every field may be absent, extreme or odd. Call inside rc::check.
[[nodiscard]] JobRun any_run();

// What a history would hold: ids, nodes, racks and instants as Hadoop writes them; one attempt a task.
[[nodiscard]] JobRun plausible_run(int number, int maps, int reduces);

// The run at another time: submission, launch and finish.
[[nodiscard]] JobRun moved(JobRun run, Duration later);

[[nodiscard]] bool same(const std::vector<MasterRun>& a, const std::vector<MasterRun>& b);
[[nodiscard]] bool same(const TaskRun& a, const TaskRun& b);

}  // namespace wavewright
