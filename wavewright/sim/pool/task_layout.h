// The tasks of a workload in flat arrays, with durations as narrow as possible.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "wavewright/sched/view.h"
#include "wavewright/sim/kernel/arrivals.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

struct TaskTable::Layout {
  explicit Layout(const Workload& workload) : releases(workload), expected(workload.expected) {}

  struct Row {
    Time submit{};
    std::uint64_t first_map = 0;     // index of the job's first map in `maps`
    std::uint64_t first_reduce = 0;  // index of the job's first reduce in `reduces_…`
    std::uint32_t maps = 0;
    std::uint32_t reduces = 0;
    Estimate map;  // for policies
    Estimate reduce;
  };
  template <class Tick>
  struct Durations {
    std::vector<Tick> maps;
    std::vector<Tick> reduces_first;  // first-wave shuffle + reduce
    std::vector<Tick> reduces_later;  // later-wave shuffle + reduce; empty = as reduces_first
  };

  std::vector<Row> jobs;
  sim::ArrivalTable releases;
  std::shared_ptr<const Workload> expected;  // lengths that policies know, if the workload has others
  struct Facts {
    std::string id, name, user, queue;
    std::optional<Time> deadline;
    std::optional<Money> value, delay_cost_per_s;
    std::optional<Bytes> input;
  };
  std::vector<Facts> facts_of;  // by job
  bool narrow = true;           // every duration fits 32 bits: `narrow_ms` is used, else `wide_ms`
  Durations<std::uint32_t> narrow_ms;
  Durations<std::uint64_t> wide_ms;
  bool zero_length = false;   // some task takes 0 ms
  std::uint64_t horizon = 0;  // upper bound of the instants of any work-conserving schedule, ms

  [[nodiscard]] std::size_t maps() const { return narrow ? narrow_ms.maps.size() : wide_ms.maps.size(); }
  [[nodiscard]] std::size_t reduces() const {
    return narrow ? narrow_ms.reduces_first.size() : wide_ms.reduces_first.size();
  }
  [[nodiscard]] JobFacts facts(JobIndex job) const;
  [[nodiscard]] Duration quantile(JobIndex job, Kind kind, double q) const;

  template <class Tick>
  [[nodiscard]] const Durations<Tick>& durations() const {
    if constexpr (sizeof(Tick) == 4) {
      return narrow_ms;
    } else {
      return wide_ms;
    }
  }
};

}  // namespace wavewright
