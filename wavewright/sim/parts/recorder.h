// Keeps the records of task attempts, or hands each on when it is final, so that memory grows with the
// attempts that run and not with all there ever were. O(1) an attempt.
#pragma once

#include <utility>
#include <vector>

#include "wavewright/sim/result.h"

namespace wavewright::sim {

class Recorder {
 public:
  using Id = std::size_t;

  // `kept`: in a vector, in order of start. `sink` is told of each, in order of end. Either may be null.
  Recorder(std::vector<TaskRecord>* kept, TaskSink* sink) : kept_(kept), sink_(sink) {}

  [[nodiscard]] bool on() const { return kept_ != nullptr || sink_ != nullptr; }

  void begin_all(const std::vector<std::string>& nodes) {
    if (sink_ != nullptr) sink_->begin(nodes);
  }
  [[nodiscard]] Id begin(const TaskRecord& record) {
    std::vector<TaskRecord>& records = store();
    if (kept_ == nullptr && !free_.empty()) {
      const Id id = free_.back();
      free_.pop_back();
      records[id] = record;
      return id;
    }
    records.push_back(record);
    return records.size() - 1;
  }
  [[nodiscard]] TaskRecord& operator[](Id id) { return store()[id]; }

  // Nothing of it changes any more.
  void close(Id id) {
    if (sink_ != nullptr) sink_->add(store()[id]);
    if (kept_ == nullptr) free_.push_back(id);
  }

 private:
  [[nodiscard]] std::vector<TaskRecord>& store() { return kept_ != nullptr ? *kept_ : open_; }

  std::vector<TaskRecord>* kept_;
  TaskSink* sink_;
  std::vector<TaskRecord> open_;  // where they are not kept: those that run
  std::vector<Id> free_;          // places of `open_`
};

}  // namespace wavewright::sim
