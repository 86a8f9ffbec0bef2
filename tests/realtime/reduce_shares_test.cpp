// Which reduces may start, against UNL's algorithm 5.4 by letter, run anew after each event.
#include "wavewright/realtime/reduce_shares.h"

#include <algorithm>
#include <map>
#include <set>

#include "tests/property.h"
#include "tests/sched/fake_cluster.h"

namespace wavewright {
namespace {

constexpr std::size_t most_jobs = 6;

// Takes every job into the queue and shares the slots for reduces. It keeps what each is to get by letter.
class SharesByLetter final : public Allocator {
 public:
  SharesByLetter(SlotPool slots, std::map<JobIndex, Count>& caps)
      : queue_(slots, AdmissionController::Options{}), caps_(caps) {}

  [[nodiscard]] std::string name() const override { return "shares"; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::caps; }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | ready | started | ended | lost | finished;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    const bool is_of_a_map = event.kind == Kind::map && (event.what == ended || event.what == lost);
    tell(event, view, decisions);
    if (event.what != started && !is_of_a_map)
      shares_.share(queue_, view.capacity(any_class).reduce_slots, false, view, decisions);
    by_letter(view);
  }

 private:
  void tell(const Event& event, const View& view, Decisions& decisions) {
    using enum Event::What;
    if (event.what == arrived) {
      const JobFacts facts = view.facts(event.job);
      queue_.take({.job = event.job,
                   .deadline = facts.deadline.value_or(Time::max()),
                   .maps = facts.maps,
                   .reduces = facts.reduces,
                   .map = ms(10),
                   .reduce = ms(10)},
                  event.at);
      shares_.accepted(event.job, view, decisions);
      decisions.admit(event.job, root_group);
    } else if (event.what == ready) {
      ready_.insert(event.job);
      shares_.ready(event.job);
    } else if (event.what == started) {
      queue_.started(event.job, event.at);
      if (event.kind == Kind::reduce) shares_.started(event, view);
    } else if (event.what == finished) {
      queue_.finished(event.job, {}, {}, event.at);
      shares_.over(event.job);
    } else if (event.kind == Kind::reduce) {
      event.what == lost ? shares_.lost(event.job, view) : shares_.ended(event.job);
    }
  }
  void by_letter(const View& view) {
    caps_.clear();
    Count free = view.capacity(any_class).reduce_slots - view.used(root_group).reduce_slots;
    Count reserved = 0;
    for (const JobIndex job : queue_.queue()) {
      const Count held = view.held(job, Kind::reduce, any_class), pending = view.pending(job, Kind::reduce);
      if (view.facts(job).reduces > 0) caps_[job] = held;
      if (pending == 0 || reserved >= free) continue;
      if (!ready_.contains(job)) {
        reserved += pending;
        continue;
      }
      const Count given = std::min(pending, free - reserved);
      caps_[job] = held + given;
      free -= given;
    }
  }

  AdmissionController queue_;
  ReduceShares shares_;
  std::set<JobIndex> ready_;
  std::map<JobIndex, Count>& caps_;
};

std::string id_of(std::size_t job) {
  return std::string(1, static_cast<char>('A' + job));
}

// The last cap of the job's reduces.
Count cap_of(const FakeCluster& cluster, const std::string& id) {
  const std::string beginning = "cap " + id + " reduce any class ";
  const auto& lines = cluster.decisions();
  const auto last = std::find_if(lines.rbegin(), lines.rend(),
                                 [&](const std::string& line) { return line.starts_with(beginning); });
  return last == lines.rend() ? -1 : std::stoll(last->substr(beginning.size()));
}

TEST(ReduceShares, AreThoseOfTheAlgorithmByLetter) {
  int few = 0, starts = 0, losses = 0;
  holds_always(
      [&] {
        FakeSetup setup;
        setup.nodes = {{.map_slots = 9, .reduce_slots = *rc::gen::inRange<Count>(1, 9)}};
        for (std::size_t i = 0; i < most_jobs; ++i) {
          setup.jobs.push_back({.id = id_of(i),
                                .maps = *rc::gen::inRange<Count>(0, 3),
                                .reduces = *rc::gen::inRange<Count>(1, 5),
                                .deadline = at_ms(*rc::gen::inRange(0, 9))});
        }
        std::map<JobIndex, Count> caps;
        FakeCluster cluster(
            setup,
            {std::make_unique<SharesByLetter>(SlotPool{9, setup.nodes.front().reduce_slots}, caps), nullptr});
        std::size_t arrived = 0;
        for (int step = 0; step < 40; ++step) {
          const int what = *rc::gen::inRange(0, 6);
          if (what == 0 && arrived < most_jobs) {
            cluster.arrive(id_of(arrived++));
          } else if (what <= 2) {
            for (const Kind kind : {Kind::map, Kind::reduce}) {
              const std::string next = cluster.next(kind);
              if (next.empty() || !cluster.has_room(kind, 0)) continue;
              cluster.start(next, kind);
              ++starts;
            }
          } else if (cluster.running() > 0) {
            const auto attempt = *rc::gen::inRange<std::size_t>(0, cluster.running());
            if (*rc::gen::inRange(0, 4) == 0) {
              cluster.lose(attempt);
              ++losses;
            } else {
              cluster.end(attempt);
            }
          }
          for (const auto& [job, cap] : caps) {
            RC_ASSERT(cap_of(cluster, id_of(job)) == cap);
            few += cap > 0 && cap < setup.jobs[job].reduces ? 1 : 0;
          }
        }
      },
      600);
  EXPECT_GT(few, rare(500));
  EXPECT_GT(starts, rare(2'000));
  EXPECT_GT(losses, rare(200));
}

}  // namespace
}  // namespace wavewright
