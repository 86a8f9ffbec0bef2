#include "wavewright/realtime/containers/container_rtmr.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "wavewright/realtime/containers/container_grants.h"
#include "wavewright/realtime/containers/sure_memory.h"
#include "wavewright/realtime/counter_offer.h"
#include "wavewright/sched/promises_deadlines.h"

namespace wavewright {

namespace {

class ContainerRtmr final : public ContainerRtmrAllocator, public PromisesDeadlines {
 public:
  explicit ContainerRtmr(const ContainerRtmrOptions& options) : options_(options), sure_(options.room) {}

  [[nodiscard]] std::string name() const override { return "rtmr"; }
  [[nodiscard]] bool promises_deadlines() const override { return !options_.admits_all; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::caps; }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | started | ended | lost | finished | node_up | node_down | node_notice;
  }
  // None: all nodes give what they have room for.
  [[nodiscard]] NodeReservations node_reservations() const override {
    return {.by_capacity = false, .nodes = 0, .least_multiple = Count{1} << 30};
  }
  void make_offers(std::span<const JobIndex> jobs) override { to_offer_.ask(jobs); }
  void begin(const View&, Decisions&) override { sure_.count(); }

  void on(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    switch (event.what) {
      case arrived:
        arrive(event, view, decisions);
        break;
      case started:
        if (Job* const job = find(event.job)) start(*job, event, view, decisions);
        break;
      case ended:
      case lost:
        if (Job* const job = find(event.job)) end(*job, event, view, decisions);
        break;
      case finished:
        if (Job* const job = find(event.job)) finish(*job, event.at);
        break;
      case node_up:
      case node_down:
      case node_notice:
        sure_.set_away(event.node, event.what != node_up);
        break;
      default:
        return;
    }
    grant_all(view, decisions);
  }

  [[nodiscard]] std::vector<std::pair<JobIndex, Time>> estimates(const View& view) const override {
    const std::vector<ContainerJob> jobs = as_things_stand(view);
    const std::vector<Time> ends =
        surely_ends(standing(view.now(), sure_.memory()), pointers(jobs), options_.waits);
    std::vector<std::pair<JobIndex, Time>> all;
    all.reserve(queue_.size());
    for (std::size_t i = 0; i < queue_.size(); ++i) all.emplace_back(queue_[i], ends[i]);
    return all;
  }
  [[nodiscard]] Count memory() const override { return sure_.memory(); }
  [[nodiscard]] Count granted() const override { return granted_; }

 private:
  struct Job {
    JobIndex number = 0;
    ContainerJob asked{};  // deadline, sizes and bounds
    ContainerGrants grants{};
    std::optional<Time> up{};    // its master's container was granted
    std::optional<Time> over{};  // since then; its last containers are not free yet
  };

  [[nodiscard]] Job* find(JobIndex job) {
    const auto found = jobs_.find(job);
    return found == jobs_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] static Count size_of(const ContainerJob& job, Kind kind) {
    return kind == Kind::master ? job.master_memory : kind == Kind::map ? job.map_memory : job.reduce_memory;
  }

  // ---- how things stand

  [[nodiscard]] ContainerJob as_it_stands(const Job& job, const View& view) const {
    ContainerJob left = job.asked;
    left.up = job.up;
    left.maps = view.pending(job.number, Kind::map) - job.grants.waiting(Kind::map);
    left.reduces = view.pending(job.number, Kind::reduce) - job.grants.waiting(Kind::reduce);
    const Time up = job.up.value_or(view.now());
    left.map_ends = job.grants.ends(Kind::map, left.map, view.now(), up, options_.waits);
    left.reduce_ends = job.grants.ends(Kind::reduce, left.reduce, view.now(), up, options_.waits);
    return left;
  }
  [[nodiscard]] std::vector<ContainerJob> as_things_stand(const View& view) const {
    std::vector<ContainerJob> jobs;
    jobs.reserve(queue_.size());
    for (const JobIndex each : queue_) jobs.push_back(as_it_stands(jobs_.at(each), view));
    return jobs;
  }
  [[nodiscard]] static std::vector<const ContainerJob*> pointers(const std::vector<ContainerJob>& jobs) {
    std::vector<const ContainerJob*> pointers;
    pointers.reserve(jobs.size());
    for (const ContainerJob& each : jobs) pointers.push_back(&each);
    return pointers;
  }
  // With the last containers of jobs that are over.
  [[nodiscard]] ContainerStanding standing(Time now, Count memory) const {
    const ContainerWaits& waits = options_.waits;
    ContainerStanding standing{now, memory};
    for (const JobIndex each : over_) {
      const Job& job = jobs_.at(each);
      const Time told = *job.over + waits.heartbeat;
      standing.others.push_back({to_ms(told + waits.finish + waits.stop),
                                 job.grants.count(Kind::master) * job.asked.master_memory});
      for (const Kind kind : {Kind::map, Kind::reduce}) {
        const Duration task = kind == Kind::map ? job.asked.map : job.asked.reduce;
        for (const Time end : job.grants.ends(kind, task, now, now, waits))
          standing.others.push_back({to_ms(std::min(end, told)), size_of(job.asked, kind)});
      }
    }
    return standing;
  }

  // ---- admission

  [[nodiscard]] ContainerJob bounds_of(JobIndex job, const View& view) const {
    const JobFacts facts = view.facts(job);
    RealtimeJob read{.job = job, .maps = facts.maps, .map = options_.bound.length(view, job, Kind::map)};
    options_.reads.set(read, view);
    const ContainerRoom& room = options_.room;
    return {.deadline = facts.deadline.value_or(Time::max()),
            .master_memory = std::max(room.least_master, view.size(job, Kind::master)),
            .map_memory = std::max(room.least_map, view.size(job, Kind::map)),
            .reduce_memory = std::max(room.least_reduce, view.size(job, Kind::reduce)),
            .map = read.map,
            .reduce = options_.bound.length(view, job, Kind::reduce),
            .maps = facts.maps,
            .reduces = facts.reduces};
  }

  // Before the first job with a later deadline; in the order `started` behind all that have masters.
  [[nodiscard]] std::size_t place_for(Time deadline) const {
    std::size_t place = first_place();
    while (place < queue_.size() && jobs_.at(queue_[place]).asked.deadline <= deadline) ++place;
    return place;
  }
  [[nodiscard]] std::size_t first_place() const {
    if (options_.order != QueueOrder::started) return 0;
    std::size_t place = queue_.size();
    while (place > 0 && !jobs_.at(queue_[place - 1]).up) --place;
    return place;
  }

  void arrive(const Event& event, const View& view, Decisions& decisions) {
    const ContainerJob asked = bounds_of(event.job, view);
    const bool told_again = event.at < view.now();  // accepted before a restart
    std::size_t place = place_for(asked.deadline);
    if (!told_again) {
      if (!view.facts(event.job).predecessors.empty())
        return decisions.reject(
            event.job, {"StartNotKnown", "It waits for other jobs, so that its end cannot be promised."});
      const Count memory = sure_.with(asked);
      if (!sure_.fits(asked, memory)) return decisions.reject(event.job, no_memory(asked, memory));
      if (!options_.admits_all) {
        const ContainerAnswer answer = ask(asked, memory, place, first_told(), view);
        if (!answer.place) return decisions.reject(event.job, reason_of(answer, event.job, asked, view));
        place = *answer.place;
      }
    }
    accept(event.job, asked, place, decisions);
    if (told_again) take_over(jobs_.at(event.job), view, decisions);
    decisions.admit(event.job, root_group);
  }

  [[nodiscard]] std::size_t first_told() const {
    return options_.offers ? first_place() : queue_.size() + 1;  // behind all: none is
  }
  // A refusal tells the deadline for a place from `first_told` on.
  [[nodiscard]] ContainerAnswer ask(const ContainerJob& job, Count memory, std::size_t place,
                                    std::size_t first_told, const View& view) const {
    std::vector<std::size_t> places{place};
    if (options_.order == QueueOrder::any) {
      for (std::size_t each = 0; each <= queue_.size(); ++each) places.push_back(each);
    }
    const std::vector<ContainerJob> jobs = as_things_stand(view);
    const std::vector<const ContainerJob*> queue = pointers(jobs);
    const ContainerStanding with = standing(view.now(), memory),
                            without = standing(view.now(), sure_.memory());
    return ask_for_place({.standing = with,
                          .queue = queue,
                          .without = without,
                          .job = job,
                          .places = places,
                          .first_place = first_told,
                          .by_deadline = options_.order != QueueOrder::any},
                         options_.waits);
  }

  void accept(JobIndex number, const ContainerJob& asked, std::size_t place, Decisions& decisions) {
    queue_.insert(queue_.begin() + static_cast<std::ptrdiff_t>(place), number);
    const Job& job = jobs_[number] = {.number = number, .asked = asked};
    sure_.add(asked);
    for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(number, kind, to_ms(asked.deadline));
    for (const Kind kind : all_kinds) cap(job, kind, decisions);
  }
  // What it has from before a restart. Where its master started is not known any more.
  void take_over(Job& job, const View& view, Decisions& decisions) {
    for (const Kind kind : all_kinds) {
      const Count held = view.held(job.number, kind, any_class);
      job.grants.had(kind, held);
      granted_ += held * size_of(job.asked, kind);
      cap(job, kind, decisions);
    }
    if (job.grants.count(Kind::master) > 0) job.up = view.now() + options_.waits.of_master();
  }

  [[nodiscard]] static Reason no_memory(const ContainerJob& job, Count memory) {
    return {"NoMemory",
            fmt::format("For containers of the jobs here and of its own, {} MiB are sure in all, and "
                        "it needs {} MiB at once.",
                        memory, job.needs())};
  }
  [[nodiscard]] Reason reason_of(const ContainerAnswer& answer, JobIndex job, const ContainerJob& asked,
                                 const View& view) {
    const std::string text =
        answer.late
            ? fmt::format("Job '{}', which was accepted, might end late", view.facts(queue_[*answer.late]).id)
        : answer.end == Time::max()
            ? "The masters of other jobs may leave it no memory"
            : fmt::format("It might end only at {}", format_duration(answer.end - Time{}));
    if (!options_.offers) return {"DeadlineNotSure", text + "."};
    CounterOffer offer{.earliest_deadline = answer.earliest_deadline};
    const bool is_made = to_offer_.take(job);
    if (is_made) offer.give_way = those_to_give_way(asked, view);
    Reason reason{"DeadlineNotSure", text + counter_offer_text(offer, view)};
    if (is_made) reason.offer = std::move(offer);
    return reason;
  }

  [[nodiscard]] std::vector<JobIndex> those_to_give_way(const ContainerJob& asked, const View& view) const {
    const std::vector<std::pair<JobIndex, Time>> ends = estimates(view);
    const bool nobody_late = std::all_of(ends.begin(), ends.end(), [this](const auto& each) {
      return each.second <= jobs_.at(each.first).asked.deadline;
    });
    const auto in_time = [&](const std::vector<JobIndex>& gone) {
      return in_time_without(gone, asked, view);
    };
    return jobs_to_give_way(last_due_first(queue_, view), nobody_late, in_time);
  }
  // As if these had never had a container.
  [[nodiscard]] bool in_time_without(const std::vector<JobIndex>& gone, const ContainerJob& asked,
                                     const View& view) const {
    ContainerRtmr rest(*this);
    for (const JobIndex each : gone) {
      std::erase(rest.queue_, each);
      rest.sure_.remove(rest.jobs_.at(each).asked);
      rest.jobs_.erase(each);
    }
    const Count memory = rest.sure_.with(asked);
    if (!rest.sure_.fits(asked, memory)) return false;
    rest.options_.offers = false;
    return rest.ask(asked, memory, rest.place_for(asked.deadline), rest.first_told(), view).place.has_value();
  }

  // ---- grants

  static void cap(const Job& job, Kind kind, Decisions& decisions) {
    decisions.cap(job.number, kind, any_class, job.grants.count(kind));
  }

  void start(Job& job, const Event& event, const View& view, Decisions& decisions) {
    job.grants.started(event, view.held(job.number, event.kind, any_class));
    if (event.kind == Kind::master) {
      job.up = event.at + options_.waits.launch + options_.waits.start;
    } else if (!job.over) {  // where tasks share a container, others may have no task left
      withdraw(job, event.kind, view.pending(job.number, event.kind), decisions);
    }
  }
  void withdraw(Job& job, Kind kind, Count stay, Decisions& decisions) {
    const Count gone = job.grants.withdraw(kind, stay);
    if (gone == 0) return;
    granted_ -= gone * size_of(job.asked, kind);
    cap(job, kind, decisions);
  }

  void end(Job& job, const Event& event, const View& view, Decisions& decisions) {
    // A map runs again. Reduces wait for it, but for those that have started, and leave it what they were
    // granted.
    const bool runs_again = event.what == Event::What::lost && event.kind == Kind::map;
    if (runs_again && !job.over) withdraw(job, Kind::reduce, 0, decisions);
    if (!job.grants.ended(event, view.held(job.number, event.kind, any_class))) return;
    granted_ -= size_of(job.asked, event.kind);
    if (job.over) return forget_if_gone(job.number);
    if (event.kind == Kind::master) {  // lost: it asks for another one at once
      job.up.reset();
      grant(job, Kind::master, 1, view.now());
    }
    cap(job, event.kind, decisions);
  }

  void finish(Job& job, Time at) {
    job.over = at;
    std::erase(queue_, job.number);
    over_.push_back(job.number);
    for (const Kind kind : all_kinds) granted_ -= job.grants.withdraw(kind) * size_of(job.asked, kind);
    forget_if_gone(job.number);
  }
  void forget_if_gone(JobIndex number) {
    const Job& job = jobs_.at(number);
    for (const Kind kind : all_kinds) {
      if (job.grants.count(kind) > 0) return;
    }
    std::erase(over_, number);
    sure_.remove(job.asked);
    jobs_.erase(number);
  }

  void grant(Job& job, Kind kind, Count containers, Time now) {
    job.grants.grant(kind, containers, now);
    granted_ += containers * size_of(job.asked, kind);
    if (kind == Kind::master) job.up = now + options_.waits.of_master();
  }

  // O(jobs until no memory is left).
  void grant_all(const View& view, Decisions& decisions) {
    Count free = sure_.memory() - granted_, behind = 0, passed_over = 0;  // of the last two: masters
    if (free <= 0) return;
    for (const JobIndex each : queue_) behind += jobs_.at(each).up ? jobs_.at(each).asked.master_memory : 0;
    for (const JobIndex each : queue_) {
      Job& job = jobs_.at(each);
      behind -= job.up ? job.asked.master_memory : 0;
      ContainerJob left = job.asked;
      left.up = job.up;
      left.maps = view.pending(each, Kind::map) - job.grants.waiting(Kind::map);
      left.reduces = view.pending(each, Kind::reduce) - job.grants.waiting(Kind::reduce);
      const Count own = job.up ? job.asked.master_memory : 0;
      if (!sure_.fits(left, sure_.memory() - behind - own - passed_over)) {
        passed_over += own;  // it keeps its master until those behind have ended
        continue;
      }
      if (!grant_next(job, left, free, view.now(), decisions)) return;
    }
  }
  // Grants what the job may have now of `free` memory, and takes off what it lacks. False if none is left.
  bool grant_next(Job& job, const ContainerJob& left, Count& free, Time now, Decisions& decisions) {
    const auto give = [&](Kind kind, Count wanted) {
      const Count size = size_of(job.asked, kind), given = std::min(wanted, free / size);
      if (given > 0) {
        grant(job, kind, given, now);
        cap(job, kind, decisions);
      }
      free = given < wanted ? 0 : free - given * size;
    };
    if (!left.has_master()) give(Kind::master, 1);
    if (free > 0) give(Kind::map, left.maps);
    if (free <= 0) return false;
    const bool ready = left.maps == 0 && job.grants.count(Kind::map) == 0;
    if (ready) {
      give(Kind::reduce, left.reduces);
    } else {
      free -= std::min(free, left.reduces * job.asked.reduce_memory);
    }
    return free > 0;
  }

  ContainerRtmrOptions options_;
  SureMemory sure_;
  Count granted_ = 0;             // MiB
  std::map<JobIndex, Job> jobs_;  // accepted, with containers
  std::vector<JobIndex> queue_;   // not over
  std::vector<JobIndex> over_;
  JobsToOffer to_offer_;
};

}  // namespace

std::unique_ptr<ContainerRtmrAllocator> make_container_rtmr(const ContainerRtmrOptions& options) {
  return std::make_unique<ContainerRtmr>(options);
}

}  // namespace wavewright
