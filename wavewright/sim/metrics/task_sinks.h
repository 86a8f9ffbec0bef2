// Hands each task of a simulation to several sinks.
#pragma once

#include <string>
#include <vector>

#include "wavewright/sim/result.h"

namespace wavewright {

class TaskSinks final : public TaskSink {
 public:
  void begin(const std::vector<std::string>& nodes) override {
    for (TaskSink* const each : all) each->begin(nodes);
  }
  void add(const TaskRecord& record) override {
    for (TaskSink* const each : all) each->add(record);
  }
  // To be handed to a simulation; null where there is none.
  [[nodiscard]] TaskSink* or_none() { return all.empty() ? nullptr : this; }

  std::vector<TaskSink*> all;
};

}  // namespace wavewright
