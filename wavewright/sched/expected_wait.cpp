#include "wavewright/sched/expected_wait.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "wavewright/sched/heartbeats.h"

namespace wavewright {

namespace {

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
    switch (event.what) {
      case Event::What::arrived:
        return arrived(event.job, view);
      case Event::What::started:
        return started(event, view);
      case Event::What::ended:
      case Event::What::lost:
        return ended(event, view);
      case Event::What::finished:
        return over(event.job);
      default:
        return;
    }
  }

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View& view,
                                                Decisions&) override {
    if (offer.kind == Kind::reduce) return first_of(candidates, Locality::off_rack);
    if (const auto local = candidates.first_local()) return hardest_elsewhere(*local, offer, view);
    return worth_its_distance(offer, candidates, view);
  }

 private:
  struct Map {
    std::vector<NodeIndex> holders;
    bool pending = true;
  };
  struct JobMaps {
    std::vector<Map> maps;
    Duration length{};
  };
  struct OnNode {
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
    std::vector<OnNode> maps;  // some have started
    double pending = 0;        // 1 / copies for each pending map
    std::vector<Running> running;
  };

  void arrived(JobIndex job, const View& view) {
    JobMaps known;
    known.length = view.estimate(job, Kind::map, any_class).mean;
    known.maps.resize(static_cast<std::size_t>(view.facts(job).maps));
    for (TaskIndex task = 0; task < known.maps.size(); ++task) {
      const auto holders = view.block_holders(job, task);
      known.maps[task].holders.assign(holders.begin(), holders.end());
      known.maps[task].pending = view.map_pending(job, task);
      if (!known.maps[task].pending) continue;
      for (const NodeIndex node : holders) nodes_.at(node).maps.push_back({job, task});
      count(known.maps[task], 1);
    }
    jobs_[job] = std::move(known);
  }
  void count(const Map& map, double sign) {
    for (const NodeIndex node : map.holders)
      nodes_.at(node).pending += sign / static_cast<double>(map.holders.size());
  }
  [[nodiscard]] Map* map_of(JobIndex job, TaskIndex task) {
    const auto found = jobs_.find(job);
    return found == jobs_.end() || task >= found->second.maps.size() ? nullptr : &found->second.maps[task];
  }

  void started(const Event& event, const View& view) {
    if (event.kind != Kind::map) return;
    if (Map* const map = map_of(event.job, event.task); map != nullptr && map->pending) {
      map->pending = false;
      count(*map, -1);
    }
    const Duration expected = view.estimate(event.job, Kind::map, view.node_class(event.node)).mean;
    nodes_.at(event.node).running.push_back({event.slot, event.job, event.task, event.at + expected});
  }
  void ended(const Event& event, const View& view) {
    if (event.kind != Kind::map) return;
    std::erase_if(nodes_.at(event.node).running, [&](const Running& each) {
      return each.slot == event.slot && each.job == event.job && each.map == event.task;
    });
    Map* const map = map_of(event.job, event.task);
    if (event.what != Event::What::lost || map == nullptr || map->pending) return;
    if (!view.map_pending(event.job, event.task)) return;  // another attempt runs
    map->pending = true;
    count(*map, 1);
  }
  void over(JobIndex job) {
    const auto found = jobs_.find(job);
    if (found == jobs_.end()) return;
    for (const Map& map : found->second.maps) {
      if (map.pending) count(map, -1);
    }
    jobs_.erase(found);
  }

  // Until a slot of the node is free for one more map, beside those that wait for it.
  [[nodiscard]] Duration wait(NodeIndex node, JobIndex job, const View& view) {
    Node& at = nodes_.at(node);
    const Count slots = view.tasks_on_node(job, Kind::map, view.node_class(node));
    if (slots <= 0) return longest;
    const auto place = static_cast<Count>(std::max(0.0, at.pending - 1));
    const Count free = slots - static_cast<Count>(at.running.size());
    const Duration round = jobs_.at(job).length;
    const Count nth = place % slots, rounds = place / slots;
    Duration until{};
    if (nth >= free) {
      std::sort(at.running.begin(), at.running.end(),
                [](const Running& a, const Running& b) { return a.until < b.until; });
      until = std::max(at.running[static_cast<std::size_t>(nth - std::max<Count>(0, free))].until - view.now(), Duration{});
    }
    return until + rounds * round;
  }
  // Until one of the nodes with its block, other than `but`, is free.
  [[nodiscard]] Duration wait_of(const Map& map, JobIndex job, NodeIndex but, const View& view) {
    Duration least = longest;
    for (const NodeIndex node : map.holders) {
      if (node != but) least = std::min(least, wait(node, job, view));
    }
    return least;
  }

  [[nodiscard]] std::optional<TaskChoice> hardest_elsewhere(const TaskChoice& local, const Offer& offer,
                                                            const View& view) {
    std::vector<OnNode>& maps = nodes_.at(offer.node).maps;
    TaskChoice best = local;
    Duration longest_wait = Duration{-1};
    std::erase_if(maps, [&](const OnNode& each) {
      const Map* const map = map_of(each.job, each.map);
      if (map == nullptr || !map->pending) return true;
      if (each.job != local.job) return false;
      const Duration waits = wait_of(*map, each.job, offer.node, view);
      if (waits > longest_wait) {
        longest_wait = waits;
        best.task = each.map;
      }
      return false;
    });
    return best;
  }

  [[nodiscard]] std::optional<TaskChoice> worth_its_distance(const Offer& offer, Candidates& candidates,
                                                             const View& view) {
    while (const std::optional<JobIndex> job = candidates.next()) {
      const auto any = candidates.closest(*job, Locality::off_rack);
      if (!any) continue;
      const auto found = jobs_.find(*job);
      if (found == jobs_.end()) return any;
      const double costs = (options_.non_local - 1) * static_cast<double>(found->second.length.count());
      Duration longest_wait{};
      std::optional<TaskIndex> chosen;
      for (TaskIndex task = 0; task < found->second.maps.size(); ++task) {
        const Map& map = found->second.maps[task];
        if (!map.pending) continue;
        const Duration waits = wait_of(map, *job, offer.node, view);
        if (waits <= longest_wait) continue;
        longest_wait = waits;
        chosen = task;
      }
      if (chosen && static_cast<double>(longest_wait.count()) > options_.margin * costs)
        return TaskChoice{*job, *chosen, Locality::off_rack};
    }
    return std::nullopt;
  }

  static constexpr Duration longest = ms(1'000'000'000);

  ExpectedWaitOptions options_;
  std::unordered_map<JobIndex, JobMaps> jobs_;
  PerNode<Node> nodes_{Node{}};
};

}  // namespace

std::unique_ptr<Placer> make_expected_wait(const ExpectedWaitOptions& options) {
  return std::make_unique<ExpectedWait>(options);
}

PolicyEntry expected_wait_entry() {
  return {.name = "expected-wait",
          .description = "of a job's maps on the node the one that would wait longest elsewhere; one from "
                         "elsewhere if the wait for its nodes costs more than the distance",
          .parameters = {{"margin", "2", "so many times what distance costs a map must save to run elsewhere"},
                         {"non-local", "1.3", "duration elsewhere by that near (what the cluster's file says)"}},
          .placer = [](Parameters& parameters, const PolicyContext& context) {
            return make_expected_wait({.margin = parameters.number("margin", 2),
                                       .non_local = parameters.number("non-local", context.off_rack)});
          }};
}

}  // namespace wavewright
