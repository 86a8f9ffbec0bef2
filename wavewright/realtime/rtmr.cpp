#include "wavewright/realtime/rtmr.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/realtime/counter_offer.h"
#include "wavewright/realtime/expected_series.h"
#include "wavewright/realtime/reduce_shares.h"
#include "wavewright/realtime/slots_there.h"
#include "wavewright/realtime/start_times.h"
#include "wavewright/sched/promises_deadlines.h"

namespace wavewright {

namespace {

class Rtmr final : public Allocator, public PromisesDeadlines {
 public:
  explicit Rtmr(RtmrOptions options) : options_(std::move(options)), series_(options_.series) {}

  [[nodiscard]] std::string name() const override { return "rtmr"; }
  [[nodiscard]] bool promises_deadlines() const override { return !options_.admits_all; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::caps; }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | ready | started | ended | lost | finished | node_up | node_down;
  }
  void make_offers(std::span<const JobIndex> jobs) override { to_offer_.ask(jobs); }
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
        if (Running* const job = find(event.job)) job->waits_for_maps = true;
        if (!becomes_ready(event, view)) return;
        break;
      case started:
        return start(event, view, decisions);
      case ended:
      case lost:
        end(event);
        if (event.kind == Kind::map && !becomes_ready(event, view) && !shares_.second_started())
          return;  // no reduce may start for it
        if (event.kind == Kind::reduce) tell_shares(event, view);
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
    shares_.share(*admission_, slots_.reduce_slots, options_.admission.fewest_slots, view, decisions);
  }

 private:
  struct Running {
    bool started = false;
    bool waits_for_maps = false;  // by slow-start its reduces might start
    std::optional<Time> ready{};  // since when they may: its maps have ended
    Count maps = 0;
    Count map_limit = unlimited;
    Count near_maps = 0;  // so many maps are to start that are surely near
    StartTimes running_maps, running_reduces, running_near;
    std::set<TaskIndex> near;  // of running_near
    std::vector<Time> map_ends, reduce_ends;
    std::vector<bool> map_ended;  // by task; not of one whose output is lost
    Count maps_ended = 0;         // so many of them
  };

  [[nodiscard]] Running* find(JobIndex job) { return job < jobs_.size() ? jobs_[job].get() : nullptr; }
  [[nodiscard]] bool is_accepted(JobIndex job) const { return job < jobs_.size() && jobs_[job] != nullptr; }
  Running& accept(JobIndex job) {
    if (job >= jobs_.size()) jobs_.resize(std::size_t{job} + 1);
    jobs_[job] = std::make_unique<Running>();
    return *jobs_[job];
  }
  // A reduce that starts before the last map of its job has ended holds its slot for longer than its bound.
  // So slow-start does not count. True if its reduces may start from now on.
  bool becomes_ready(const Event& event, const View& view) {
    Running* const job = find(event.job);
    if (job == nullptr || !job->waits_for_maps) return false;
    // After a restart only the slots tell.
    const bool all_ended = job->maps_ended >= job->maps;
    const Count left = view.pending(event.job, Kind::map) + view.held(event.job, Kind::map, any_class);
    if (!all_ended && left > 0) return false;
    job->waits_for_maps = false;
    job->ready = event.at;
    shares_.ready(event.job);
    return true;
  }
  void tell_shares(const Event& event, const View& view) {
    if (event.what == Event::What::lost) return shares_.lost(event.job, view);
    shares_.ended(event.job);
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
    ExpectedSeries::Promised* const series = series_.of(view.facts(event.job).name);
    if (told_again || options_.admits_all) {
      if (!told_again && gives_way()) replan(view);  // forgets what is over
      admission_->take(job, view.now(), has_started ? std::optional(event.at) : std::nullopt);
      restarted_ = restarted_ || told_again;
      if (series != nullptr) series->begun = true;  // each instance is asked about alone
    } else if (series == nullptr || !series_.came_as_expected(job, *series, *admission_, view.now())) {
      if (std::exchange(restarted_, false) || options_.admission.feedback == Feedback::tasks) replan(view);
      const bool all = series != nullptr && !series->begun;
      const AdmissionAnswer answer =
          all ? series_.admit_all(job, *series, *admission_, view.now()) : admission_->admit(job, view.now());
      if (!answer.accepted)
        return decisions.reject(event.job,
                                all ? reason_of(answer, series->series, view) : reason_of(answer, job, view));
    }
    Running& running = accept(event.job);
    running.started = has_started;
    running.maps = job.maps;
    running.map_ended.resize(static_cast<std::size_t>(job.maps));
    running.near_maps = job.near_maps;
    if (job.maps == 0) running.ready = view.now();
    if (gives_way()) {
      rank_all(decisions);
    } else {
      const Key rank =
          std::min(to_ms(job.deadline), waiting_rank) + (has_started ? -waiting_rank : waiting_rank);
      for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(event.job, kind, rank);
    }
    shares_.accepted(event.job, view, decisions);
    limit_maps(decisions);
    decisions.admit(event.job, root_group);  // may tell at once that its reduces are ready
  }

  // Limits change when jobs are accepted, and are lifted where all is placed anew.
  void limit_maps(Decisions& decisions) {
    if (!options_.admission.fewest_slots) return;
    const std::vector<JobIndex> queue = admission_->queue();
    const std::vector<SlotPool> limits = admission_->limits();
    for (std::size_t i = 0; i < queue.size(); ++i) {
      Running& running = *jobs_[queue[i]];
      if (std::exchange(running.map_limit, limits[i].map_slots) != limits[i].map_slots)
        decisions.cap(queue[i], Kind::map, any_class, limits[i].map_slots);
    }
  }

  [[nodiscard]] bool gives_way() const { return options_.admission.order != QueueOrder::started; }
  void rank_all(Decisions& decisions) const {  // in the order of the queue
    Key rank = 0;
    for (const JobIndex job : admission_->queue()) {
      if (series_.expects(job)) continue;
      for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(job, kind, rank);
      ++rank;
    }
  }

  [[nodiscard]] Reason reason_of(const AdmissionAnswer& answer, const Series& series,
                                 const View& view) const {
    if (answer.end == Time{} && !answer.late)
      return {"NoDeadline", "It is the first of a series, and has no deadline to be promised."};
    const bool other = answer.late && !series_.expects(*answer.late) && is_accepted(*answer.late);
    return {"DeadlineNotSure",
            other ? fmt::format("Job '{}', which was accepted, might end late behind its {} instances.",
                                view.facts(*answer.late).id, series.times)
                  : fmt::format("One of its {} instances might end late.", series.times)};
  }

  [[nodiscard]] Reason reason_of(const AdmissionAnswer& answer, const RealtimeJob& job, const View& view) {
    if (answer.end == Time::max())
      return {"NoSlots", "The cluster has no slot for its maps, or none for its reduces."};
    const std::string text =
        answer.late && series_.expects(*answer.late)
            ? "An instance of a series that was accepted might end late"
        : answer.late
            ? fmt::format("Job '{}', which was accepted, might end late", view.facts(*answer.late).id)
            : fmt::format("It might end only at {}", format_duration(answer.end - Time{}));
    if (!options_.admission.tells_deadline) return {"DeadlineNotSure", text + "."};
    CounterOffer offer{.earliest_deadline = answer.earliest_deadline};
    const bool is_made = to_offer_.take(job.job);
    if (is_made) add_variants(offer, job, view);
    Reason reason{"DeadlineNotSure", text + counter_offer_text(offer, view)};
    if (is_made) reason.offer = std::move(offer);
    return reason;
  }

  // With more slots, or without some jobs, all that waits and runs would be placed anew.
  void add_variants(CounterOffer& offer, const RealtimeJob& job, const View& view) const {
    const auto placed_anew = [&](SlotPool further, const std::vector<JobIndex>& gone) {
      AdmissionController controller = admission_->without(gone);
      place_anew(controller, further, view);
      return controller;
    };
    const auto in_time = [&](SlotPool further, const std::vector<JobIndex>& gone) {
      RealtimeJob asked = job;
      if (further != SlotPool{}) asked.near_maps = 0;  // further slots may have no blocks
      return placed_anew(further, gone).admit(asked, view.now()).accepted;
    };
    offer.placed_anew = in_time({}, {});
    if (offer.placed_anew) return;
    SlotPool all = admission_->tasks_of_queue();
    all.map_slots += job.maps;
    all.reduce_slots += job.reduces;
    offer.lacks = fewest_further_slots({job.maps, job.reduces}, all,
                                       [&](SlotPool further) { return in_time(further, {}); });
    std::vector<JobIndex> accepted = admission_->queue();
    std::erase_if(accepted, [this](JobIndex each) { return series_.expects(each); });
    AdmissionController standing = placed_anew({}, {});
    standing.catch_up();
    offer.give_way = jobs_to_give_way(last_due_first(std::move(accepted), view), standing.at_risk().empty(),
                                      [&](const std::vector<JobIndex>& gone) { return in_time({}, gone); });
  }

  void start(const Event& event, const View& view, Decisions& decisions) {
    Running* const job = find(event.job);
    if (job == nullptr || event.kind == Kind::master) return;
    if (!job->started) make_room(*job, view.facts(event.job));
    if (event.kind == Kind::map && job->near_maps > 0) {
      --job->near_maps;
      job->running_near.add(event.task, event.at);
      job->near.insert(event.task);
    } else {
      (event.kind == Kind::map ? job->running_maps : job->running_reduces).add(event.task, event.at);
    }
    if (event.kind == Kind::reduce) shares_.started(event, view);
    if (std::exchange(job->started, true)) return;
    // It and all before it go before whatever comes.
    for (const JobIndex fixed : admission_->started(event.job, event.at)) {
      for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(fixed, kind, ranks_);
      ++ranks_;
    }
  }

  // For what is to be told of its tasks.
  static void make_room(Running& job, const JobFacts& facts) {
    const auto maps = static_cast<std::size_t>(facts.maps), reduces = static_cast<std::size_t>(facts.reduces);
    job.running_maps.reserve(maps);
    job.map_ends.reserve(maps);
    job.running_reduces.reserve(reduces);
    job.reduce_ends.reserve(reduces);
  }

  // The output of a map that had ended is lost with its node: it runs again.
  static bool loses_output(Running& job, const Event& event) {
    const bool held_nothing = event.what == Event::What::lost && event.duration == Duration{};
    if (event.kind != Kind::map || !held_nothing || !job.map_ended[event.task]) return false;
    job.map_ended[event.task] = false;
    --job.maps_ended;
    return true;
  }

  void end(const Event& event) {
    Running* const job = find(event.job);
    if (job == nullptr || event.kind == Kind::master || loses_output(*job, event)) return;
    const bool is_near = event.kind == Kind::map && !job->near.empty() && job->near.erase(event.task) > 0;
    StartTimes& running = event.kind == Kind::reduce ? job->running_reduces
                          : is_near                  ? job->running_near
                                                     : job->running_maps;
    if (!running.remove(event.task, event.at - event.duration))
      return;  // its start is not known after a restart
    if (event.what != Event::What::ended) return;
    (event.kind == Kind::map ? job->map_ends : job->reduce_ends)
        .push_back(event.at + options_.admission.delays.first);
    if (event.kind != Kind::map || job->map_ended[event.task]) return;
    job->map_ended[event.task] = true;
    ++job->maps_ended;
  }

  void finish(const Event& event, const View& view) {
    Running* const job = find(event.job);
    if (job == nullptr) return;
    // A job's end may be told before that of its last tasks.
    const Time known = event.at + options_.admission.delays.first;
    job->map_ends.insert(job->map_ends.end(), job->running_maps.size() + job->running_near.size(), known);
    job->reduce_ends.insert(job->reduce_ends.end(), job->running_reduces.size(), known);
    admission_->finished(event.job, job->map_ends, job->reduce_ends, view.now());
    jobs_[event.job].reset();
    shares_.over(event.job);
  }

  void change_slots(const View& view, Decisions& decisions) {
    const SlotPool now = slots_there(view);
    if (now == slots_) return;
    slots_ = now;
    for (const auto& job : jobs_) {
      if (job != nullptr) job->near_maps = 0;  // a node that came may have no blocks
    }
    admission_->forget_near();
    replan(view);
    limit_maps(decisions);
  }

  void replan(const View& view) {
    series_.forget_missed(*admission_, view.now());
    place_anew(*admission_, {}, view);
    shares_.order_changed();
  }

  // Whatever waits and runs, with so many slots more than there are.
  void place_anew(AdmissionController& controller, SlotPool further, const View& view) const {
    const bool is_near_sure = further == SlotPool{};
    if (!is_near_sure) controller.forget_near();
    std::vector<Time> maps, reduces, near;
    const auto times_of = [](const StartTimes& starts, std::vector<Time>& times) {
      times.clear();
      starts.append_to(times);
      return std::span<const Time>(times);
    };
    const auto left = [&](JobIndex job) {
      const Running& running = *jobs_[job];
      return TasksLeft{view.pending(job, Kind::map),
                       view.pending(job, Kind::reduce),
                       times_of(running.running_maps, maps),
                       times_of(running.running_reduces, reduces),
                       running.ready,
                       is_near_sure ? running.near_maps : 0,
                       times_of(running.running_near, near)};
    };
    controller.replan({slots_.map_slots + further.map_slots, slots_.reduce_slots + further.reduce_slots},
                      left, view.now());
  }

  // Ranks: below 0 of jobs that had started before a restart, by deadline; then of those whose place is
  // fixed; from this one on of the others, by deadline.
  static constexpr Key waiting_rank = Key{1} << 50;

  RtmrOptions options_;
  SlotPool slots_;
  std::optional<AdmissionController> admission_;
  std::vector<std::unique_ptr<Running>> jobs_;  // by number: accepted, not over
  ReduceShares shares_;
  JobsToOffer to_offer_;
  ExpectedSeries series_;
  Key ranks_ = 0;
  bool restarted_ = false;  // and not placed anew since
};

}  // namespace

std::unique_ptr<Allocator> make_rtmr(const RtmrOptions& options) {
  return std::make_unique<Rtmr>(options);
}

}  // namespace wavewright
