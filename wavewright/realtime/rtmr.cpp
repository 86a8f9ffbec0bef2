#include "wavewright/realtime/rtmr.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/realtime/slots_there.h"

namespace wavewright {

namespace {

class Rtmr final : public Allocator {
 public:
  explicit Rtmr(RtmrOptions options) : options_(std::move(options)) {
    for (const Series& each : options_.series) promised_.push_back({each});
  }

  [[nodiscard]] std::string name() const override { return "rtmr"; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::caps; }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | ready | started | ended | lost | finished | node_up | node_down;
  }
  void begin(const View& view, Decisions&) override {
    slots_ = slots_there(view);
    admission_.emplace(slots_, options_.admission);
  }

  void on(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    switch (event.what) {
      case arrived:
        arrive(event, view, decisions);
        break;
      case ready:
        if (Running* const job = find(event.job)) job->ready = event.at;
        break;
      case started:
        start(event, view, decisions);
        break;
      case ended:
      case lost:
        end(event);
        // It holds fewer than its cap now, and may start another only if it is given one.
        if (event.kind == Kind::reduce && find(event.job) != nullptr) may_start_.push_back(event.job);
        break;
      case finished:
        finish(event, view);
        break;
      case node_up:
      case node_down:
        change_slots(view, decisions);
        break;
      case node_notice:
      case timer:
        return;
    }
    if (event.what != started) share_reduces(view, decisions);
  }

 private:
  struct Running {
    bool started = false;
    bool fixed = false;           // its place in the queue
    std::optional<Time> ready{};  // since when its reduces may start
    Count cap = 0;                // of reduces
    Count map_limit = unlimited;
    Count near_maps = 0;  // so many maps are to start that are surely near
    std::vector<Time> running_maps, running_reduces, running_near;  // starts
    std::set<TaskIndex> near;                                       // of running_near
    std::vector<Time> map_ends, reduce_ends;
  };

  [[nodiscard]] Running* find(JobIndex job) {
    const auto found = jobs_.find(job);
    return found == jobs_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] RealtimeJob bounds_of(JobIndex job, const View& view) const {
    const JobFacts facts = view.facts(job);
    RealtimeJob bounds{.job = job,
                       .deadline = facts.deadline.value_or(Time::max()),
                       .maps = facts.maps,
                       .reduces = facts.reduces,
                       .map = options_.bound.length(view, job, Kind::map),
                       .reduce = options_.bound.length(view, job, Kind::reduce)};
    options_.reads.set(bounds, view);
    return bounds;
  }

  void arrive(const Event& event, const View& view, Decisions& decisions) {
    RealtimeJob job = bounds_of(event.job, view);
    const bool told_again = event.at < view.now();  // accepted before a restart
    if (told_again) job.near_maps = 0;              // which of its maps were near is not known any more
    if (!told_again && !view.facts(event.job).predecessors.empty())
      return decisions.reject(
          event.job, {"StartNotKnown", "It waits for other jobs, so that its end cannot be promised."});
    const bool has_started =
        told_again &&
        view.pending(event.job, Kind::map) + view.pending(event.job, Kind::reduce) < job.maps + job.reduces;
    Promised* const series = series_of(view.facts(event.job).name);
    if (told_again || options_.admits_all) {
      if (!told_again && gives_way()) replan(view);  // forgets what is over
      admission_->take(job, view.now(), has_started ? std::optional(event.at) : std::nullopt);
      restarted_ = restarted_ || told_again;
      if (series != nullptr) series->begun = true;  // each instance is asked about alone
    } else if (series == nullptr || !came_as_expected(job, *series, view.now())) {
      if (std::exchange(restarted_, false) || options_.admission.feedback == Feedback::tasks) replan(view);
      const bool all = series != nullptr && !series->begun;
      const AdmissionAnswer answer =
          all ? admit_all_of(job, *series, view.now()) : admission_->admit(job, view.now());
      if (!answer.accepted)
        return decisions.reject(
            event.job, all ? reason_of(answer, series->series, view) : reason_of(answer, job.deadline, view));
    }
    Running& running = jobs_[event.job] = {};
    running.started = running.fixed = has_started;
    running.near_maps = job.near_maps;
    if (job.maps == 0) running.ready = view.now();
    if (gives_way()) {
      rank_all(decisions);
    } else {
      const Key rank =
          std::min(to_ms(job.deadline), waiting_rank) + (has_started ? -waiting_rank : waiting_rank);
      for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(event.job, kind, rank);
    }
    if (job.reduces > 0) decisions.cap(event.job, Kind::reduce, any_class, 0);
    limit_maps(decisions);
    decisions.admit(event.job, root_group);  // may tell at once that its reduces are ready
  }

  // Limits change when jobs are accepted, and are lifted where all is placed anew.
  void limit_maps(Decisions& decisions) {
    if (!options_.admission.fewest_slots) return;
    const std::vector<JobIndex> queue = admission_->queue();
    const std::vector<SlotPool> limits = admission_->limits();
    for (std::size_t i = 0; i < queue.size(); ++i) {
      Running& running = jobs_.at(queue[i]);
      if (std::exchange(running.map_limit, limits[i].map_slots) != limits[i].map_slots)
        decisions.cap(queue[i], Kind::map, any_class, limits[i].map_slots);
    }
  }

  [[nodiscard]] bool gives_way() const { return options_.admission.order != QueueOrder::started; }
  void rank_all(Decisions& decisions) const {  // in the order of the queue
    Key rank = 0;
    for (const JobIndex job : admission_->queue()) {
      if (is_expected(job)) continue;
      for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(job, kind, rank);
      ++rank;
    }
  }

  // ---- series

  struct Promised {
    Series series;
    bool begun = false;
    std::deque<RealtimeJob> expected{};  // by release
  };

  [[nodiscard]] Promised* series_of(std::string_view name) {
    const auto found = std::find_if(promised_.begin(), promised_.end(),
                                    [&](const Promised& each) { return each.series.name == name; });
    return found == promised_.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool is_expected(JobIndex job) const { return job > next_expected_; }

  // The first instance, and all others: their numbers are those that no job of a run has.
  // Without a deadline there is nothing to promise: not accepted.
  AdmissionAnswer admit_all_of(const RealtimeJob& first, Promised& series, Time now) {
    if (first.deadline == Time::max()) return {};
    std::vector<RealtimeJob> all{first};
    const JobIndex before = next_expected_;
    for (Count i = 1; i < series.series.times; ++i) {
      all.push_back(first);
      all.back().job = next_expected_--;
      all.back().near_maps = 0;  // its blocks are not known yet
      all.back().release = now + i * series.series.every;
      all.back().deadline = first.deadline + i * series.series.every;
    }
    const AdmissionAnswer answer = admission_->admit_expected(all, now);
    if (answer.accepted) {
      series.begun = true;
      series.expected.assign(all.begin() + 1, all.end());
    } else {
      next_expected_ = before;
    }
    return answer;
  }

  // Instances that did not come in time are expected no more.
  void forget_missed(Time now) {
    for (Promised& series : promised_) {
      for (; !series.expected.empty() && series.expected.front().release < now; series.expected.pop_front())
        admission_->finished(series.expected.front().job, {}, {}, now);
    }
  }

  // True if it is the next instance as it was promised.
  bool came_as_expected(const RealtimeJob& job, Promised& series, Time now) {
    forget_missed(now);
    if (series.expected.empty()) return false;
    const RealtimeJob promised = series.expected.front();
    series.expected.pop_front();
    if (job.maps > promised.maps || job.reduces > promised.reduces || job.map > promised.map ||
        job.reduce > promised.reduce || job.deadline < promised.deadline) {
      admission_->finished(promised.job, {}, {}, now);
      return false;
    }
    admission_->came(promised.job, job, now);
    return true;
  }

  [[nodiscard]] Reason reason_of(const AdmissionAnswer& answer, const Series& series,
                                 const View& view) const {
    if (answer.end == Time{} && !answer.late)
      return {"NoDeadline", "It is the first of a series, and has no deadline to be promised."};
    const bool other = answer.late && !is_expected(*answer.late) && jobs_.contains(*answer.late);
    return {"DeadlineNotSure",
            other ? fmt::format("Job '{}', which was accepted, might end late behind its {} instances.",
                                view.facts(*answer.late).id, series.times)
                  : fmt::format("One of its {} instances might end late.", series.times)};
  }

  [[nodiscard]] Reason reason_of(const AdmissionAnswer& answer, Time asked, const View& view) const {
    if (answer.end == Time::max())
      return {"NoSlots", "The cluster has no slot for its maps, or none for its reduces."};
    std::string text =
        answer.late && is_expected(*answer.late) ? "An instance of a series that was accepted might end late"
        : answer.late
            ? fmt::format("Job '{}', which was accepted, might end late", view.facts(*answer.late).id)
            : fmt::format("It might end only at {}", format_duration(answer.end - Time{}));
    if (!answer.earliest_deadline) return {"DeadlineNotSure", text + "; no deadline would be accepted."};
    // It may be earlier than the one refused: before other jobs, this one has slots in time.
    const Time earliest = *answer.earliest_deadline;
    text += fmt::format("; a deadline_ms of {} ({}){} would be accepted.", to_ms(earliest),
                        format_duration(earliest - Time{}), earliest < asked ? "" : " or later");
    return {"DeadlineNotSure", std::move(text)};
  }

  void start(const Event& event, const View&, Decisions& decisions) {
    Running* const job = find(event.job);
    if (job == nullptr || event.kind == Kind::master) return;
    if (event.kind == Kind::map && job->near_maps > 0) {
      --job->near_maps;
      job->running_near.push_back(event.at);
      job->near.insert(event.task);
    } else {
      (event.kind == Kind::map ? job->running_maps : job->running_reduces).push_back(event.at);
    }
    if (std::exchange(job->started, true)) return;
    admission_->started(event.job, event.at);
    if (gives_way()) return;
    // It and all before it go before whatever comes.
    for (const JobIndex before : admission_->queue()) {
      if (!std::exchange(jobs_.at(before).fixed, true)) {
        for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(before, kind, ranks_);
        ++ranks_;
      }
      if (before == event.job) return;
    }
  }

  void end(const Event& event) {
    Running* const job = find(event.job);
    if (job == nullptr || event.kind == Kind::master) return;
    auto& running = event.kind == Kind::reduce        ? job->running_reduces
                    : job->near.erase(event.task) > 0 ? job->running_near
                                                      : job->running_maps;
    const auto started = std::find(running.begin(), running.end(), event.at - event.duration);
    if (started == running.end()) return;  // the output of a map that had ended is lost
    running.erase(started);
    if (event.what == Event::What::ended)
      (event.kind == Kind::map ? job->map_ends : job->reduce_ends)
          .push_back(event.at + options_.admission.delays.first);
  }

  void finish(const Event& event, const View& view) {
    Running* const job = find(event.job);
    if (job == nullptr) return;
    // A job's end may be told before that of its last tasks.
    const Time known = event.at + options_.admission.delays.first;
    job->map_ends.insert(job->map_ends.end(), job->running_maps.size() + job->running_near.size(), known);
    job->reduce_ends.insert(job->reduce_ends.end(), job->running_reduces.size(), known);
    admission_->finished(event.job, job->map_ends, job->reduce_ends, view.now());
    jobs_.erase(event.job);
  }

  void change_slots(const View& view, Decisions& decisions) {
    const SlotPool now = slots_there(view);
    if (now == slots_) return;
    slots_ = now;
    for (auto& [job, running] : jobs_) running.near_maps = 0;  // a node that came may have no blocks
    admission_->forget_near();
    replan(view);
    limit_maps(decisions);
  }

  void replan(const View& view) {
    forget_missed(view.now());
    const auto left = [&](JobIndex job) {
      const Running& running = jobs_.at(job);
      return TasksLeft{view.pending(job, Kind::map),
                       view.pending(job, Kind::reduce),
                       running.running_maps,
                       running.running_reduces,
                       running.ready,
                       running.near_maps,
                       running.running_near};
    };
    admission_->replan(slots_, left, view.now());
  }

  // [UNL Alg. 5.4], for all free slots at once. O(jobs until no slot is left).
  void share_reduces(const View& view, Decisions& decisions) {
    Count free = slots_.reduce_slots - view.used(root_group).reduce_slots;
    Count reserved = 0;
    std::vector<JobIndex> given_to;
    const std::vector<SlotPool> limits =
        options_.admission.fewest_slots ? admission_->limits() : std::vector<SlotPool>();
    std::size_t place = 0;
    for (const JobIndex job : admission_->queue()) {
      const Count limit = limits.empty() ? unlimited : limits[place++].reduce_slots;
      if (reserved >= free) break;
      if (is_expected(job)) continue;
      const Running& running = jobs_.at(job);
      const Count pending = view.pending(job, Kind::reduce);
      if (pending == 0) continue;
      if (!running.ready) {
        reserved += std::min(pending, limit);
        continue;
      }
      const Count held = view.held(job, Kind::reduce, any_class);
      const Count given = std::min({pending, free - reserved, std::max<Count>(0, limit - held)});
      set_cap(job, held + given, decisions);
      given_to.push_back(job);
      free -= given;
    }
    for (const JobIndex job : may_start_) {
      if (std::find(given_to.begin(), given_to.end(), job) == given_to.end())
        set_cap(job, view.held(job, Kind::reduce, any_class), decisions);
    }
    may_start_ = std::move(given_to);
  }
  void set_cap(JobIndex job, Count cap, Decisions& decisions) {
    Running* const running = find(job);
    if (running == nullptr || running->cap == cap) return;
    running->cap = cap;
    decisions.cap(job, Kind::reduce, any_class, cap);
  }

  // Ranks: below 0 of jobs that had started before a restart, by deadline; then of those whose place is
  // fixed; from this one on of the others, by deadline.
  static constexpr Key waiting_rank = Key{1} << 50;

  RtmrOptions options_;
  SlotPool slots_;
  std::optional<AdmissionController> admission_;
  std::map<JobIndex, Running> jobs_;  // accepted, not over
  std::vector<JobIndex> may_start_;   // reduces: whose cap is above what they hold
  std::vector<Promised> promised_;
  JobIndex next_expected_ = std::numeric_limits<JobIndex>::max();  // numbers above it are of expected jobs
  Key ranks_ = 0;
  bool restarted_ = false;  // and not placed anew since
};

}  // namespace

std::unique_ptr<Allocator> make_rtmr(const RtmrOptions& options) {
  return std::make_unique<Rtmr>(options);
}

}  // namespace wavewright
