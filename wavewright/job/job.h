// A MapReduce job as planners and simulators see it: its submission, its tasks and their durations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

// Speed of a job on nodes of a class other than the default one.
struct ClassSpeed {
  std::optional<double> speed = std::nullopt;  // task durations are divided by it; absent = the node's own
  int parallelism = 1;  // tasks of the job that one slot (or container) runs at once without loss
  // Efficiency of its maps, above that of the class with a factor of 1: `ef` of [UNL ch. 6].
  std::optional<double> energy_factor = std::nullopt;
  std::optional<double> power_w = std::nullopt;  // that a running map of the job adds to its node
};

// Memory of a job's containers; absent = the default of the cluster file.
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
  std::vector<std::string> command;   // program and arguments that submit it to a cluster; empty = none
  bool several_applications = false;  // the command starts several, one after another: a script, a driver
  std::string profile;                // stored job whose profile it has; empty = that of `name`
  Time submit{};                      // from the workload's beginning
  std::optional<Time> not_before;  // the instant before which it may not be submitted; never after `submit`
  std::optional<Time> submitted;   // the instant of history that it was, since 1970

  // One entry per task, none negative. The first-wave shuffle is the part of a reduce's shuffle that does not
  // overlap the map stage. A reduce that starts after its job's last map pays the later-wave shuffle.
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
  // Each task keeps a processor busy while it works. Where launches share processors (Launches,
  // cluster/cluster.h), such tasks share them, too.
  bool processor_bound = false;
  double task_failure = 0;                 // probability that an attempt fails, in addition to the cluster's
  std::optional<double> value;             // renting utility [RENT]
  std::optional<double> delay_cost_per_s;  // likewise
  std::string unknown_fields;              // a JSON object, kept for writing back; empty = none

  [[nodiscard]] Duration first_shuffle(std::size_t reduce) const {
    return first_shuffles.empty() ? Duration{} : first_shuffles[reduce];
  }
  [[nodiscard]] Duration later_shuffle(std::size_t reduce) const {
    return shuffles.empty() ? Duration{} : shuffles[reduce];
  }
  // A reduce with the shorter (least) or longer of its shuffles.
  [[nodiscard]] Duration least_reduce(std::size_t reduce) const {
    return reduces[reduce] + std::min(first_shuffle(reduce), later_shuffle(reduce));
  }
  [[nodiscard]] Duration longest_reduce(std::size_t reduce) const {
    return reduces[reduce] + std::max(first_shuffle(reduce), later_shuffle(reduce));
  }
};

// Jobs in the order of the file, which breaks ties between equal submission times.
struct Workload {
  std::vector<Job> jobs;
  // Where the lengths were drawn around others (job/sampled.h): the same jobs with those, which plans and
  // policies know. Null: the lengths are as expected.
  std::shared_ptr<const Workload> expected = nullptr;

  // The instant of time 0, where the jobs come from a history: that of the first submission. O(jobs).
  [[nodiscard]] std::optional<Time> recorded_beginning() const {
    std::optional<Time> first;
    for (const Job& job : jobs) {
      if (!job.submitted) continue;
      const Time beginning = *job.submitted - job.submit.time_since_epoch();
      first = first ? std::min(*first, beginning) : beginning;
    }
    return first;
  }
  [[nodiscard]] std::uint64_t tasks() const {  // O(jobs)
    std::uint64_t count = 0;
    for (const Job& job : jobs) count += job.maps.size() + job.reduces.size();
    return count;
  }
};

// Throws InputError (with `source` and the job) for duplicate or empty ids, negative or too long durations,
// shuffle lists whose length differs from the reduces', unknown or cyclic `after`. O(tasks + edges).
void check(const Workload& workload, const std::string& source);

}  // namespace wavewright
