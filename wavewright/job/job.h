// A MapReduce job as planners and simulators see it: when it arrives and how long each of its tasks takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

// How a job runs on nodes of a class other than the default one.
struct ClassSpeed {
  double speed = 1;          // task durations are divided by it
  int parallelism = 1;       // its tasks that one slot, or container, there runs together at no loss
  double energy_factor = 1;  // [UNL ch. 6] `ef`
};

// What each container of a job asks for; absent = as the cluster's file says.
struct JobMemory {
  std::optional<Bytes> master;
  std::optional<Bytes> map;
  std::optional<Bytes> reduce;

  friend bool operator==(const JobMemory&, const JobMemory&) = default;
};

struct Job {
  std::string id;  // unique in a workload
  std::string name;
  std::string user;
  std::string queue;
  Time submit{};

  // One entry a task, none negative. First-wave shuffle is the part of a reduce's shuffle that does not
  // overlap the map stage; a reduce that starts later than its job's last map pays the later-wave shuffle.
  std::vector<Duration> maps;
  std::vector<Duration> reduces;
  std::vector<Duration> first_shuffles;  // empty (all 0) or as long as `reduces`
  std::vector<Duration> shuffles;        // likewise

  std::optional<Time> deadline;
  std::vector<std::string> after;  // ids of jobs that must finish first
  std::optional<Bytes> input;
  std::optional<Bytes> shuffled;
  std::optional<Bytes> output;
  std::vector<std::vector<std::string>> splits;  // nodes that hold each map's block; empty = unknown
  std::map<std::string, ClassSpeed> classes;
  JobMemory memory;
  // While its tasks work each keeps a processor busy: where launches share processors (cluster/cluster.h), so
  // do they.
  bool processor_bound = false;
  double task_failure = 0;                 // probability that an attempt fails, besides the cluster's
  std::optional<double> value;             // renting utility [RENT]
  std::optional<double> delay_cost_per_s;  // likewise
  std::string unknown_fields;              // a JSON object, kept so that nothing is lost; empty = none

  [[nodiscard]] Duration first_shuffle(std::size_t reduce) const {
    return first_shuffles.empty() ? Duration{} : first_shuffles[reduce];
  }
  [[nodiscard]] Duration later_shuffle(std::size_t reduce) const {
    return shuffles.empty() ? Duration{} : shuffles[reduce];
  }
  // A reduce with the shorter and with the longer of its shuffles.
  [[nodiscard]] Duration least_reduce(std::size_t reduce) const {
    return reduces[reduce] + std::min(first_shuffle(reduce), later_shuffle(reduce));
  }
  [[nodiscard]] Duration longest_reduce(std::size_t reduce) const {
    return reduces[reduce] + std::max(first_shuffle(reduce), later_shuffle(reduce));
  }
};

// Jobs in submission order: the order of the file, which breaks ties between equal submission times.
struct Workload {
  std::vector<Job> jobs;

  [[nodiscard]] std::uint64_t tasks() const {  // O(jobs)
    std::uint64_t count = 0;
    for (const Job& job : jobs) count += job.maps.size() + job.reduces.size();
    return count;
  }
};

// Throws InputError (naming `source` and the job) on duplicate or empty ids, negative or overlong durations,
// shuffle lists of another length than the reduces, unknown or cyclic `after`. O(tasks + edges).
void check(const Workload& workload, const std::string& source);

}  // namespace wavewright
