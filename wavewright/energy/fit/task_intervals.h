// When tasks ran on which nodes, from the histories of their jobs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

struct TaskInterval {
  Time start{}, end{};
  TaskKind kind = TaskKind::map;  // a map or a reduce
  std::string job;                // its name
  bool done = false;              // the attempt whose output the job used
};

struct NodeTasks {
  std::vector<TaskInterval> tasks;
  std::vector<std::pair<Time, Time>> masters;
};

class TaskIntervals {
 public:
  // All attempts, those that failed, too: they drew power. An application master is there from its start to
  // its job's end.
  void add(const JobRun& run);

  [[nodiscard]] const std::map<std::string, NodeTasks>& by_node() const { return nodes_; }
  // The node of that name; else the only one that is equal to it up to the first dot; null if there is none.
  [[nodiscard]] const NodeTasks* on(const std::string& node) const;
  [[nodiscard]] Count left_out() const { return left_out_; }  // attempts without node, start or end

 private:
  std::map<std::string, NodeTasks> nodes_;
  Count left_out_ = 0;
};

}  // namespace wavewright
