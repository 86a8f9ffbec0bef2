// The progress of a running job: its tasks by stage, and their lengths so far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

// A task that has started, by the clock of its job's application master.
struct SeenTask {
  // From the start to the end or to now; of a reduce that started before its job's last map ended, from then.
  Duration length{};
  bool done = false;
  bool later = false;  // a reduce that started after its job's last map had ended

  friend bool operator==(const SeenTask&, const SeenTask&) = default;
};

struct StageProgress {
  Count total = 0, done = 0, running = 0;
  std::optional<Duration> mean = {};  // of the lengths of tasks that are done
  std::vector<SeenTask> tasks = {};   // those that have started and did not fail; empty if they are not known

  friend bool operator==(const StageProgress&, const StageProgress&) = default;
};

// Does the node of a job's master answer?
enum class MasterNode : std::uint8_t {
  answers,  // or nobody asked
  silent,   // no task of the job starts until it answers, or YARN has started another master
  lost,     // silent for long
};

struct JobProgress {
  Time at{};                                     // when it was read; all are by our clock
  std::optional<Time> started = std::nullopt;    // the first task
  std::optional<Time> maps_done = std::nullopt;  // the last map, if all are done
  StageProgress maps, reduces;
  Count failed_attempts = 0;
  MasterNode master_node = MasterNode::answers;

  friend bool operator==(const JobProgress&, const JobProgress&) = default;
};

// Where progress is read: YARN, or a simulated cluster for tests.
class ProgressReader {
 public:
  virtual ~ProgressReader() = default;

  // The progress of a running application; absent if it is no MapReduce job. At most `requests_per_reading`
  // requests.
  // Throws ExternalError if there is no answer.
  [[nodiscard]] virtual std::optional<JobProgress> progress(const std::string& application) = 0;
};
inline constexpr std::size_t requests_per_reading = 2;

// The two answers of an application master's REST interface, `…/ws/v1/mapreduce/jobs/job_…` and its `…/tasks`
// [Hadoop: MapReduce Application Master REST API's]. `url` is for errors. Throws ExternalError if the
// first is none. `tasks` may be empty: then nothing is known of single tasks. Where the master of a running
// job tells when it began and how long ago that is, its clock may be set otherwise than ours. O(tasks).
[[nodiscard]] JobProgress parse_progress(std::string_view job, std::string_view tasks, const std::string& url,
                                         Time now);

}  // namespace wavewright
