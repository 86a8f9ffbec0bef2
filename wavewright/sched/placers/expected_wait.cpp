#include "wavewright/sched/placers/expected_wait.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/sched/heartbeats.h"

namespace wavewright {

namespace {

// Waits are sums, so that equal ones may differ a little.
bool is_longer(double wait, double other) {
  constexpr double noise = 1e-9;
  return wait > other + noise * std::max(1.0, other);
}

double in_ms(Duration time) {
  return static_cast<double>(time.count());
}

class ExpectedWait final : public Placer {
 public:
  explicit ExpectedWait(const ExpectedWaitOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "expected-wait"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override {
    return EventSet::of(Event::What::arrived) | Event::What::started | Event::What::ended |
           Event::What::lost | Event::What::finished;
  }
  [[nodiscard]] bool searches_nodes() const override { return true; }

  void on(const Event& event, const View& view, Decisions&) override {
    if (event.what == Event::What::arrived) return arrived(event.job, view);
    if (event.what == Event::What::finished) return over(event.job);
    if (event.kind != Kind::map) return;
    if (event.what == Event::What::started) return started(event, view);
    ended(event);
    if (event.what == Event::What::lost && view.map_is_pending(event.job, event.task))
      set_pending(event.job, event.task, true);
  }

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View& view,
                                                Decisions&) override {
    if (offer.kind == Kind::reduce) return first_of(candidates, Locality::off_rack);
    ++offers_;
    if (const auto local = candidates.first_local())
      return longest_wait_of_jobs(*local, candidates, offer.node, view);
    return worth_its_distance(candidates, view);
  }

 private:
  struct Map {
    std::vector<NodeIndex> holders;
    bool pending = false;
  };
  struct JobMaps {
    std::vector<Map> maps;
    double length = 0;         // of one, expected, ms
    TaskIndex waits_long = 0;  // when it was last asked for
  };
  struct Listed {
    JobIndex job = 0;
    TaskIndex map = 0;
  };
  struct Running {
    SlotIndex slot = 0;
    JobIndex job = 0;
    TaskIndex map = 0;
    Time until{};
  };
  struct Node {
    std::vector<Listed> maps;  // with a block here; some do not wait any more
    double waiting = 0;        // of pending maps, each by its copies, ms
    std::vector<Running> running;
    // Work, ms, as last reckoned for an offer: with equal shares of maps, and with shares by work.
    struct {
      std::uint64_t offer = 0;
      double work = 0;
    } by_copies, by_work;
  };

  void arrived(JobIndex job, const View& view) {
    JobMaps& known = jobs_[job];
    known.length = in_ms(view.estimate(job, Kind::map, any_class).mean);
    known.maps.resize(static_cast<std::size_t>(view.facts(job).maps));
    for (TaskIndex task = 0; task < known.maps.size(); ++task) {
      const auto holders = view.block_nodes(job, task);
      for (const NodeIndex node : holders) {
        std::vector<NodeIndex>& own = known.maps[task].holders;  // a block may name a node twice
        if (std::find(own.begin(), own.end(), node) == own.end()) own.push_back(node);
      }
      if (!holders.empty() && view.map_is_pending(job, task)) set_pending(job, task, true);
    }
  }
  [[nodiscard]] Map* map_of(JobIndex job, TaskIndex task) {
    const auto found = jobs_.find(job);
    return found == jobs_.end() ? nullptr : &found->second.maps.at(task);
  }
  void set_pending(JobIndex job, TaskIndex task, bool pending) {
    Map* const map = map_of(job, task);
    if (map == nullptr || map->pending == pending) return;
    map->pending = pending;
    const double share = jobs_.at(job).length / static_cast<double>(map->holders.size());
    for (const NodeIndex node : map->holders) {
      nodes_.at(node).waiting += pending ? share : -share;
      if (pending) nodes_.at(node).maps.push_back({job, task});
    }
  }
  void started(const Event& event, const View& view) {
    set_pending(event.job, event.task, false);
    const Duration expected = view.estimate(event.job, Kind::map, view.node_class(event.node)).mean;
    nodes_.at(event.node).running.push_back({event.slot, event.job, event.task, event.at + expected});
  }
  void ended(const Event& event) {
    std::erase_if(nodes_.at(event.node).running, [&](const Running& each) {
      return each.slot == event.slot && each.job == event.job && each.map == event.task;
    });
  }
  void over(JobIndex job) {
    const auto found = jobs_.find(job);
    if (found == jobs_.end()) return;
    for (TaskIndex task = 0; task < found->second.maps.size(); ++task) set_pending(job, task, false);
    jobs_.erase(found);
  }

  [[nodiscard]] static double left_of(const Node& node, Time now) {
    double left = 0;
    for (const Running& each : node.running) left += std::max(0.0, in_ms(each.until - now));
    return left;
  }
  [[nodiscard]] double work_by_copies(NodeIndex index, Time now) {
    Node& node = nodes_.at(index);
    if (std::exchange(node.by_copies.offer, offers_) != offers_)
      node.by_copies.work = node.waiting + left_of(node, now);
    return node.by_copies.work;
  }
  [[nodiscard]] double work_by_work(NodeIndex index, Time now) {
    Node& node = nodes_.at(index);
    if (std::exchange(node.by_work.offer, offers_) == offers_) return node.by_work.work;
    const double mine = 1 / std::max(least_work, work_by_copies(index, now));
    node.by_work.work = left_of(node, now);
    std::erase_if(node.maps, [&](const Listed& each) {
      const Map* const map = map_of(each.job, each.map);
      if (map == nullptr || !map->pending) return true;
      double all = 0;
      for (const NodeIndex holder : map->holders)
        all += 1 / std::max(least_work, work_by_copies(holder, now));
      node.by_work.work += jobs_.at(each.job).length * mine / all;
      return false;
    });
    return node.by_work.work;
  }
  // ms
  [[nodiscard]] double wait_on(NodeIndex node, JobIndex job, const View& view) {
    const Count slots = view.slots_on(node, Kind::map);  // none on a node that is away
    if (slots <= 0 || view.blacklisted(job, node)) return for_ever;
    return work_by_work(node, view.now()) / static_cast<double>(slots);
  }
  [[nodiscard]] double wait_of(const Map& map, JobIndex job, std::optional<NodeIndex> but, const View& view) {
    double least = for_ever;
    for (const NodeIndex node : map.holders) {
      if (node != but) least = std::min(least, wait_on(node, job, view));
    }
    return least;
  }

  // A map with a block on the offered node.
  struct Near {
    TaskChoice choice;
    double wait = -1;              // for its block's other nodes, ms; -1 = where its blocks are is not known
    bool others_wait_too = false;  // maps of other jobs wait for the node
  };

  // Later jobs are looked at as long as those before them end no later if their maps wait. Equal waits: the
  // first job.
  [[nodiscard]] TaskChoice longest_wait_of_jobs(const TaskChoice& local, Candidates& candidates,
                                                NodeIndex node, const View& view) {
    Near best = longest_wait_on(local, node, view), last = best;
    while (last.others_wait_too && last.wait >= 0 && another_waits_longer(last, view)) {
      const std::optional<TaskChoice> next = next_local(candidates, last.choice.job, view);
      if (!next) break;
      last = longest_wait_on(*next, node, view);
      if (is_longer(last.wait, best.wait)) best = last;
    }
    return best.choice;
  }

  // Looks for the next job with a pending map whose block is known to be on the node. Returns one such map.
  [[nodiscard]] std::optional<TaskChoice> next_local(Candidates& candidates, JobIndex last,
                                                     const View& view) const {
    while (const std::optional<JobIndex> job = candidates.next()) {
      if (*job == last || view.pending(*job, Kind::map) == 0) continue;
      const std::optional<TaskChoice> local = candidates.closest(*job, Locality::node);
      const auto known = local ? jobs_.find(*job) : jobs_.end();
      if (known != jobs_.end() && !known->second.maps[local->task].holders.empty()) return local;
    }
    return std::nullopt;
  }

  // True if another of the job's maps is expected to wait longer than this one if it does not start now.
  [[nodiscard]] bool another_waits_longer(const Near& near, const View& view) {
    const JobIndex job = near.choice.job;
    JobMaps& known = jobs_.at(job);
    const auto waits_longer = [&](TaskIndex task) {
      const Map& map = known.maps[task];
      return task != near.choice.task && map.pending &&
             is_longer(wait_of(map, job, std::nullopt, view), near.wait);
    };
    if (waits_longer(known.waits_long)) return true;
    for (TaskIndex task = 0; task < known.maps.size(); ++task) {
      if (!waits_longer(task)) continue;
      known.waits_long = task;
      return true;
    }
    return false;
  }

  // Equal waits: the lowest number.
  [[nodiscard]] Near longest_wait_on(const TaskChoice& local, NodeIndex node, const View& view) {
    Near best{.choice = local};
    std::erase_if(nodes_.at(node).maps, [&](const Listed& each) {
      const Map* const map = map_of(each.job, each.map);
      if (map == nullptr || !map->pending) return true;
      if (each.job != local.job) {
        best.others_wait_too = true;
        return false;
      }
      const double wait = wait_of(*map, each.job, node, view);
      if (is_longer(best.wait, wait)) return false;
      if (!is_longer(wait, best.wait) && each.map > best.choice.task) return false;
      best.wait = wait;
      best.choice.task = each.map;
      return false;
    });
    return best;
  }

  // Only the first job with a map to start is looked at.
  [[nodiscard]] std::optional<TaskChoice> worth_its_distance(Candidates& candidates, const View& view) {
    const std::optional<TaskChoice> any = first_of(candidates, Locality::off_rack);
    if (!any) return std::nullopt;
    const auto found = jobs_.find(any->job);
    const bool second_attempt = view.pending(any->job, Kind::map) == 0;
    if (second_attempt || found == jobs_.end()) return any;
    const JobMaps& known = found->second;
    double longest = options_.margin * (options_.non_local - 1) * known.length;
    std::optional<TaskIndex> chosen;
    for (TaskIndex task = 0; task < known.maps.size(); ++task) {
      const Map& map = known.maps[task];
      if (!map.pending) continue;
      const double wait = wait_of(map, any->job, std::nullopt, view);
      if (!is_longer(wait, longest)) continue;
      longest = wait;
      chosen = task;
    }
    if (!chosen) return std::nullopt;
    return TaskChoice{any->job, *chosen, Locality::off_rack};
  }

  static constexpr double for_ever = std::numeric_limits<double>::infinity();
  static constexpr double least_work = 1;  // of an idle node, ms

  ExpectedWaitOptions options_;
  std::uint64_t offers_ = 0;
  std::unordered_map<JobIndex, JobMaps> jobs_;
  PerNode<Node> nodes_{Node{}};
};

}  // namespace

std::unique_ptr<Placer> make_expected_wait(const ExpectedWaitOptions& options) {
  return std::make_unique<ExpectedWait>(options);
}

PolicyEntry expected_wait_entry() {
  return {.name = "expected-wait",
          .description = "of the maps on the node the one that would wait longest for its other nodes",
          .parameters = {{"margin", "20",
                          "a map runs elsewhere if its wait is so many times what distance costs"},
                         {"non-local", "FACTOR",
                          "duration elsewhere by that near (off_rack of the cluster file)"}},
          .placer = [](Parameters& parameters, const PolicyContext& context) {
            if (context.containers) {
              throw UsageError("placer 'expected-wait' counts map slots, but here nodes give out containers",
                               "choose +delay, +matchmaking or +one-non-local, or a cluster of slots");
            }
            return make_expected_wait(
                {.margin = parameters.number("margin", 20, {.least = 0}),
                 .non_local = parameters.number("non-local", context.off_rack, {.least = 1})});
          }};
}

}  // namespace wavewright
