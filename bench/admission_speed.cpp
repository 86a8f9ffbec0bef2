// Speed of admission [wavewright/realtime/admission.h]: one job against a thousand that were accepted.
//
//   admission_speed [FORM [JOBS [MAP_SLOTS [REDUCE_SLOTS [ANSWERS]]]]]      started 1000 4000 1000 20000
//
// FORM is how RTMR is asked. `started`: the paper's order. `deferred`: the same with feedback that waits
// until it matters, as the policy has it. `deadline`, `any`: those orders as it has them, with all tasks
// placed anew before each answer. `containers`: the paper's order where maps, reduces and masters share
// memory for as many containers as there are slots.
//
// Jobs of 1 to 400 maps and 0 to 79 reduces come until so many are waiting; deadlines are wide enough for
// most. Then more come, a quarter of them with narrow deadlines. For each that is accepted, the first that
// waits starts, and jobs that had started end early, so that the maps of those under way fit the map slots.
// Stops after so many answers, or a minute of processor time for them.
//
// Prints as JSON the processor time of answers in µs, refusals with their counter-offer apart, and the steps
// of all vectors.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/random.h"
#include "wavewright/realtime/admission.h"
#include "wavewright/realtime/containers/container_admission.h"

using namespace wavewright;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double most_us = 60e6;

Count argument(int count, char** values, int at, Count otherwise) {
  return count > at ? std::atoll(values[at]) : otherwise;
}

double processor_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

std::string figures(std::vector<double> us) {
  if (us.empty()) return "null";
  std::sort(us.begin(), us.end());
  const auto at = [&](double share) {
    return us[static_cast<std::size_t>(share * static_cast<double>(us.size() - 1))];
  };
  return fmt::format(R"({{"answers": {}, "p50_us": {:.1f}, "p99_us": {:.1f}, "most_us": {:.1f}}})", us.size(),
                     at(0.5), at(0.99), us.back());
}

// The jobs that come, one after another.
class Jobs {
 public:
  // A queue of `waiting` jobs lasts about so long: 200 maps of 35 s each.
  Jobs(std::size_t waiting, SlotPool slots)
      : length_(200.0 * 35'000 * static_cast<double>(waiting) / static_cast<double>(slots.map_slots)) {}

  // `room`: a measure of the time to its deadline, as a part of the queue's length.
  [[nodiscard]] RealtimeJob next(double room, std::int64_t now) {
    RealtimeJob made{.job = number_++};
    made.maps = 1 + static_cast<Count>(random_.below(400));
    made.reduces = static_cast<Count>(random_.below(80));
    made.map = ms(5'000 + static_cast<std::int64_t>(random_.below(60'000)));
    made.reduce = ms(5'000 + static_cast<std::int64_t>(random_.below(60'000)));
    made.deadline = at_ms(now + static_cast<std::int64_t>(room * length_ * (0.5 + 2 * random_.unit())));
    return made;
  }
  // Up to a heartbeat: tasks of a job do not start or end all at once.
  [[nodiscard]] Duration spread() { return ms(static_cast<std::int64_t>(random_.below(3'000))); }

 private:
  double length_;
  Random random_{1, "bench_admission"};
  JobIndex number_ = 0;
};

class OnSlots {
 public:
  OnSlots(const AdmissionController::Options& options, SlotPool slots, Jobs& jobs)
      : controller_(slots, options),
        slots_(slots),
        jobs_(jobs),
        replans_(options.feedback == Feedback::tasks) {}

  // Takes it if no job might be late then. As nothing is searched for a job that is not taken, it is quick.
  void fill(const RealtimeJob& job, Time now) {
    controller_.take(job, now);
    if (controller_.at_risk().empty()) {
      accepted_[job.job] = job;
    } else {
      controller_.finished(job.job, {}, {}, now);
    }
  }
  [[nodiscard]] bool ask(const RealtimeJob& job, Time now) {
    if (replans_) replan(now);
    if (!controller_.admit(job, now).accepted) return false;
    accepted_[job.job] = job;
    return true;
  }
  [[nodiscard]] std::size_t waiting() const { return controller_.queue().size() - running_.size(); }

  void start_next(Time now) {
    const std::vector<JobIndex> queue = controller_.queue();
    const auto next =
        std::find_if(queue.begin(), queue.end(), [&](JobIndex job) { return running(job) == nullptr; });
    if (next == queue.end()) return;
    const Count maps = accepted_.at(*next).maps;
    while (!running_.empty() && running_maps_ + maps > slots_.map_slots) finish_first(now);
    (void)controller_.started(*next, now);
    Running started{*next, {}};
    for (Count map = 0; map < maps; ++map) started.maps.push_back(now - jobs_.spread());
    running_maps_ += maps;
    running_.push_back(std::move(started));
  }
  [[nodiscard]] std::string steps() const { return std::to_string(controller_.steps()); }

 private:
  struct Running {
    JobIndex job = 0;
    std::vector<Time> maps;  // their starts
  };

  [[nodiscard]] const Running* running(JobIndex job) const {
    const auto found =
        std::find_if(running_.begin(), running_.end(), [&](const Running& each) { return each.job == job; });
    return found == running_.end() ? nullptr : &*found;
  }
  void finish_first(Time now) {
    const JobIndex job = running_.front().job;
    const RealtimeJob& over = accepted_.at(job);
    const std::vector<Time> maps(static_cast<std::size_t>(over.maps), now);
    const std::vector<Time> reduces(static_cast<std::size_t>(over.reduces), now);
    controller_.finished(job, maps, reduces, now);
    running_maps_ -= over.maps;
    running_.pop_front();
    accepted_.erase(job);
  }
  void replan(Time now) {
    const auto left = [&](JobIndex job) {
      TasksLeft rest;
      rest.reduces = accepted_.at(job).reduces;
      if (const Running* const under_way = running(job)) rest.running_maps = under_way->maps;
      return rest;
    };
    controller_.replan(slots_, left, now);
  }

  AdmissionController controller_;
  SlotPool slots_;
  Jobs& jobs_;
  bool replans_;
  std::map<JobIndex, RealtimeJob> accepted_;  // not over
  std::deque<Running> running_;               // in order of their starts
  Count running_maps_ = 0;
};

class OnContainers {
 public:
  OnContainers(SlotPool slots, Jobs& jobs)
      : memory_((slots.map_slots + slots.reduce_slots) * size), most_maps_(slots.map_slots), jobs_(jobs) {}

  void fill(const RealtimeJob& job, Time now) {
    const auto at = queue_.begin() + static_cast<std::ptrdiff_t>(place_for(job.deadline));
    const auto put = queue_.insert(at, asked_of(job));
    const std::vector<Time> ends = surely_ends(standing(now), queue(), waits_);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i] <= queue_[i].deadline) continue;
      queue_.erase(put);
      return;
    }
  }
  // As ContainerRtmr asks, with everything as it stands.
  [[nodiscard]] bool ask(const RealtimeJob& job, Time now) {
    const ContainerJob asked = asked_of(job);
    const std::vector<const ContainerJob*> all = queue();
    const std::vector<std::size_t> places{place_for(job.deadline)};
    const ContainerStanding as_it_is = standing(now);
    const ContainerAnswer answer = ask_for_place({.standing = as_it_is,
                                                  .queue = all,
                                                  .without = as_it_is,
                                                  .job = asked,
                                                  .places = places,
                                                  .first_place = running_,
                                                  .by_deadline = true},
                                                 waits_);
    if (!answer.place) return false;
    queue_.insert(queue_.begin() + static_cast<std::ptrdiff_t>(*answer.place), asked);
    return true;
  }
  [[nodiscard]] std::size_t waiting() const { return queue_.size() - running_; }

  void start_next(Time now) {
    if (waiting() == 0) return;
    while (running_ > 0 && running_maps_ + queue_[running_].maps > most_maps_) {
      running_maps_ -= static_cast<Count>(queue_.front().map_ends.size());
      queue_.erase(queue_.begin());
      --running_;
    }
    ContainerJob& next = queue_[running_++];
    next.up = now;
    for (; next.maps > 0; --next.maps) next.map_ends.push_back(now + next.map - jobs_.spread());
    running_maps_ += static_cast<Count>(next.map_ends.size());
  }
  [[nodiscard]] static std::string steps() { return "null"; }

 private:
  static constexpr Count size = 1024;  // MiB of each container

  [[nodiscard]] static ContainerJob asked_of(const RealtimeJob& job) {
    ContainerJob asked;
    asked.deadline = job.deadline;
    asked.master_memory = asked.map_memory = asked.reduce_memory = size;
    asked.map = job.map;
    asked.reduce = job.reduce;
    asked.maps = job.maps;
    asked.reduces = job.reduces;
    return asked;
  }
  [[nodiscard]] ContainerStanding standing(Time now) const {
    ContainerStanding standing;
    standing.now = now;
    standing.memory = memory_;
    return standing;
  }
  [[nodiscard]] std::vector<const ContainerJob*> queue() const {
    std::vector<const ContainerJob*> all;
    all.reserve(queue_.size());
    for (const ContainerJob& each : queue_) all.push_back(&each);
    return all;
  }
  // Before the first job with a later deadline, behind all that have masters.
  [[nodiscard]] std::size_t place_for(Time deadline) const {
    std::size_t place = running_;
    while (place < queue_.size() && queue_[place].deadline <= deadline) ++place;
    return place;
  }

  Count memory_, most_maps_;
  Jobs& jobs_;
  ContainerWaits waits_;
  std::vector<ContainerJob> queue_;  // those under way first
  std::size_t running_ = 0;          // of the queue
  Count running_maps_ = 0;
};

struct Setting {
  std::string form;
  std::size_t waiting = 0, answers = 0;
};

template <class Scheduler>
void measure(Scheduler& scheduler, Jobs& jobs, const Setting& setting) {
  constexpr double wide = 0.7, narrow = 0.02;
  std::int64_t now = 0;
  while (scheduler.waiting() < setting.waiting) scheduler.fill(jobs.next(wide, now), at_ms(now));
  std::vector<double> accepted, refused;
  double spent = 0;
  for (std::size_t i = 0; i < setting.answers && spent < most_us; ++i) {
    now += 10;
    const RealtimeJob next = jobs.next(i % 4 == 0 ? narrow : wide, now);
    const double from = processor_us();
    const bool is_accepted = scheduler.ask(next, at_ms(now));
    const double us = processor_us() - from;
    spent += us;
    (is_accepted ? accepted : refused).push_back(us);
    if (is_accepted && scheduler.waiting() > setting.waiting) scheduler.start_next(at_ms(now));
  }
  fmt::print(R"({{"form": "{}", "jobs": {}, "accepted": {}, "refused": {}, "steps": {}}})"
             "\n",
             setting.form, scheduler.waiting(), figures(accepted), figures(refused), scheduler.steps());
}

}  // namespace

int main(int count, char** values) {
  const Setting setting{count > 1 ? values[1] : "started",
                        static_cast<std::size_t>(argument(count, values, 2, 1000)),
                        static_cast<std::size_t>(argument(count, values, 5, 20'000))};
  const SlotPool slots{argument(count, values, 3, 4000), argument(count, values, 4, 1000)};
  Jobs jobs(setting.waiting, slots);
  if (setting.form == "containers") {
    OnContainers scheduler(slots, jobs);
    measure(scheduler, jobs, setting);
    return 0;
  }
  AdmissionController::Options options;
  if (setting.form == "deferred") {
    options.defers = true;
  } else if (setting.form == "deadline" || setting.form == "any") {
    options.feedback = Feedback::tasks;
    options.order = setting.form == "any" ? QueueOrder::any : QueueOrder::deadline;
    options.defers = true;
  } else if (setting.form != "started") {
    fmt::print(stderr, "FORM is started, deferred, deadline, any or containers\n");
    return 2;
  }
  OnSlots scheduler(options, slots, jobs);
  measure(scheduler, jobs, setting);
  return 0;
}
