// What is known of a live batch, for many readers at once: the program that runs the batch writes to it, the
// threads that answer requests read it. All functions may be called by several threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/live/batch/ended_jobs.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/outlook.h"

namespace wavewright {

struct NumberedEvent {
  std::int64_t number = 0;  // from 1, in the order of the log
  LiveEvent event;
};

// How long the program that runs the batch takes to decide what to do after a look at it. Waits for store,
// cluster and commands do not count.
struct DecisionTimes {
  std::int64_t count = 0;
  double last_ms = 0, p99_ms = 0;  // of the latest one; of the latest thousand
};

class LiveBoard {
 public:
  // Replaces all jobs. `events`: how many the log has; `latest`: the last of them, which readers may ask for.
  void reset(const LiveBatch& batch, std::int64_t events, std::vector<LiveEvent> latest);
  // Jobs that are new or have changed, and events that were written. O(jobs and events given).
  void update(const std::vector<LiveJob>& jobs, const std::vector<LiveEvent>& events);
  // Jobs that were just added to the journal; those that the board knows stay as they are.
  void add(const std::vector<LiveJob>& jobs);
  // Takes out jobs that left the batch. O(jobs).
  void remove(const std::vector<LiveJob>& jobs);
  // The latest forecast; an empty one at first.
  void show(std::shared_ptr<const Outlook> outlook);
  [[nodiscard]] std::shared_ptr<const Outlook> outlook() const;
  // A decision took so many milliseconds.
  void decided(double took_ms);
  [[nodiscard]] DecisionTimes decisions() const;
  // Ends all waits; there are none from then on.
  void close();

  // The batch without its jobs.
  [[nodiscard]] LiveBatch head() const;

  // At most `limit` jobs, in the order of the batch, behind the one with the id `behind` (empty = from the
  // first), of one state if given. Nothing if there is no job `behind`. O(jobs passed over + limit).
  [[nodiscard]] std::optional<JobPage> page(const std::string& behind, std::size_t limit,
                                            std::optional<LiveState> state) const;
  // The ended ones that are asked for, the latest first, and one more than `limit` if there is one. O(jobs).
  [[nodiscard]] std::vector<LiveJob> ended(const EndedQuestion& question) const;
  [[nodiscard]] std::optional<LiveJob> find(const std::string& id) const;
  [[nodiscard]] std::vector<LiveJob> all() const;
  // Shows all jobs to the reader, in the order of the batch. Everybody else waits for it meanwhile.
  void look(const std::function<void(std::span<const LiveJob>)>& reader) const;
  // Their ids, in the order of the batch.
  [[nodiscard]] std::vector<std::string> ids() const;
  [[nodiscard]] std::map<LiveState, std::size_t> counts() const;  // O(1)

  // Events behind number `behind`, at most 500. Waits for one as long as `patience`. Those that the board no
  // longer holds are left out. O(events given).
  [[nodiscard]] std::vector<NumberedEvent> events(std::int64_t behind,
                                                  std::chrono::milliseconds patience) const;
  [[nodiscard]] std::int64_t last_event() const;
  [[nodiscard]] bool closed() const;

 private:
  void put(const LiveJob& job);
  void keep(LiveEvent event);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  LiveBatch head_;
  std::vector<LiveJob> jobs_;
  std::unordered_map<std::string, std::size_t> places_;
  std::map<LiveState, std::size_t> counts_;
  std::deque<NumberedEvent> events_;  // the latest; their numbers follow each other
  std::int64_t last_ = 0;
  std::shared_ptr<const Outlook> outlook_ = std::make_shared<const Outlook>();
  std::int64_t decisions_ = 0;
  std::deque<double> decided_ms_;  // the latest
  bool closed_ = false;
};

}  // namespace wavewright
