// How near maps ran to their blocks, and how long they took to be answered [UNL eqs 4.1 and 4.2].
//
//     locality rate R = l / n               l: maps on a node with their block; n: all maps
//     mean response t = R · t_l + (1 − R) · t_n    t_l: mean of the l maps, t_n: of the n − l others
//
// UNL leaves the response time of a map open. Here it lasts from the job's release (its submission, or the
// end of its last predecessor) to the end of the map. A map that had to run again counts once for each run
// that was done; failed, lost and killed attempts do not count.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct MapLocality {
  Count local = 0, elsewhere = 0;           // maps that are done
  Duration local_time{}, elsewhere_time{};  // sums of their response times

  [[nodiscard]] Count maps() const { return local + elsewhere; }
  // None where there is no such map.
  [[nodiscard]] std::optional<double> rate() const;
  [[nodiscard]] std::optional<double> response_ms() const;
  [[nodiscard]] std::optional<double> local_response_ms() const;
  [[nodiscard]] std::optional<double> elsewhere_response_ms() const;
};

// Adds up maps one by one during a simulation, so that none is kept. O(jobs) memory.
class MapLocalitySums final : public TaskSink {
 public:
  void begin(const std::vector<std::string>&) override {}
  void add(const TaskRecord& task) override;
  // Call after all tasks are added. O(jobs + edges).
  [[nodiscard]] MapLocality finish(const SimulationResult& result, const Workload& workload) const;

 private:
  struct Ends {
    Count maps = 0;
    Duration sum{};  // of the ends, from time 0
  };
  std::vector<Ends> local_, elsewhere_;  // by job
};

// Of a run with its `trace`. O(tasks).
[[nodiscard]] MapLocality map_locality(const SimulationResult& result, const Workload& workload);

}  // namespace wavewright
