// EFH as its tables say it, container by container, from the View alone: for tests that hold efh.h against
// it.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "wavewright/energy/dispatcher.h"
#include "wavewright/energy/efh.h"
#include "wavewright/energy/relevance.h"

namespace wavewright {

class EfhByLetter final : public Allocator {
 public:
  struct Container {
    NodeIndex node = 0;
    int number = 0;  // on the node
    double fitness = 0, ef = 0;
    ClassId node_class = 0;
  };
  struct Entry {
    JobIndex job = 0;
    Time since{};
    std::vector<Container> ranked;  // all relevant containers, best first
    std::vector<double> overlap;    // by node
    bool named = false;
    std::set<NodeIndex> avoided{};
  };
  // Without places: a container of the class that no task has taken yet.
  struct Given {
    JobIndex job = 0;
    ClassId node_class = 0;
    Time at{};
  };
  struct Sent {
    JobIndex job = 0;
    TaskIndex task = 0;
    NodeIndex node = 0;
    Time at{};
  };

  explicit EfhByLetter(const EfhOptions& options, bool places) : options_(options), places_(places) {}
  [[nodiscard]] std::string name() const override { return "efh"; }
  [[nodiscard]] Features needs() const override {
    return (Feature::caps | Feature::node_classes) | (Feature::timers | Feature::occupancy);
  }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | started | ended | lost | finished | node_up | node_down | node_notice | timer;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    if (event.what == started) {
      // Tasks that share a slot start together, wherever they were sent.
      if (event.kind == Kind::map)
        std::erase_if(sent,
                      [&](const Sent& each) { return each.job == event.job && each.task == event.task; });
      const auto taken = std::find_if(given_.begin(), given_.end(), [&](const Given& each) {
        return each.job == event.job && each.node_class == view.node_class(event.node);
      });
      if (event.kind == Kind::map && taken != given_.end()) given_.erase(taken);  // the one given first
      return;
    }
    const bool of_reduce = (event.what == ended || event.what == lost) && event.kind != Kind::map;
    const auto own =
        std::find_if(jobs_.begin(), jobs_.end(), [&](auto& each) { return each.job == event.job; });
    const bool waits = own != jobs_.end();
    if (event.what == finished && waits) jobs_.erase(own);
    if (event.what == arrived && view.facts(event.job).maps > 0) add(event, view, decisions);
    const bool avoids_more = event.what == lost && waits && view.blacklisted(event.job, event.node) &&
                             own->avoided.insert(event.node).second;
    some_avoid_ = some_avoid_ || avoids_more;
    const bool of_node = event.what == node_up || event.what == node_down || event.what == node_notice;
    const bool goes = event.what == lost && !of_reduce && view.slots_on(event.node, Kind::map) == 0;
    if (of_node || goes) {
      std::erase_if(given_,
                    [&](const Given& each) { return each.node_class == view.node_class(event.node); });
    }
    if ((!of_reduce || avoids_more) && (event.what != finished || waits)) round(view, decisions);
    if (event.what == arrived) decisions.admit(event.job, root_group);
  }

  std::vector<Sent> sent;  // tasks on their way, if blocks have places

 private:
  [[nodiscard]] bool may_go(JobIndex job, TaskIndex map, const View& view) const {
    return view.map_is_pending(job, map) && std::none_of(sent.begin(), sent.end(), [&](const Sent& each) {
             return each.job == job && each.task == map;
           });
  }
  [[nodiscard]] Count sent_of(JobIndex job, std::optional<ClassId> to, const View& view) const {
    return std::count_if(sent.begin(), sent.end(), [&](const Sent& each) {
      return each.job == job && (!to || view.node_class(each.node) == *to);
    });
  }
  [[nodiscard]] Count given_of(std::optional<JobIndex> job, std::optional<ClassId> of) const {
    return std::count_if(given_.begin(), given_.end(), [&](const Given& each) {
      return (!job || each.job == *job) && (!of || each.node_class == *of);
    });
  }
  // Those sent at this instant are sent anew; others wait again if their node is away or avoided.
  void revoke(const View& view) {
    std::erase_if(given_, [&](const Given& each) {
      const bool over =
          std::none_of(jobs_.begin(), jobs_.end(), [&](auto& of) { return of.job == each.job; });
      return over || some_avoid_ || each.at == view.now();
    });
    std::erase_if(sent, [&](const Sent& each) {
      const bool over =
          std::none_of(jobs_.begin(), jobs_.end(), [&](auto& of) { return of.job == each.job; });
      return over || each.at == view.now() || view.slots_on(each.node, Kind::map) == 0 ||
             view.blacklisted(each.job, each.node);
    });
  }
  void add(const Event& event, const View& view, Decisions& decisions) {
    Entry entry{event.job, event.at, {}, std::vector<double>(view.nodes())};
    const Count maps = view.facts(event.job).maps;
    std::vector<int> blocks(view.nodes());
    for (TaskIndex map = 0; map < static_cast<TaskIndex>(maps); ++map) {
      for (const NodeIndex node : view.block_nodes(event.job, map)) ++blocks[node];
    }
    for (NodeIndex node = 0; node < view.nodes(); ++node)
      entry.overlap[node] = static_cast<double>(blocks[node]) / static_cast<double>(maps);
    jobs_.push_back(entry);
    if (options_.threshold)
      decisions.set_timer(std::max(view.now(), event.at + *options_.threshold), event.job);
  }
  // Lines 1–6: every relevant container of the cluster, in non-increasing order of h.
  void rank(Entry& entry, const View& view) const {
    entry.ranked.clear();
    const std::vector<bool> relevant = relevant_classes(view, entry.job, options_.adaptive);
    for (NodeIndex node = 0; node < view.nodes(); ++node) {
      const ClassId c = view.node_class(node);
      if (!relevant[c] || view.blacklisted(entry.job, node)) continue;
      const double ef = view.efficiency(entry.job, c);
      for (int i = 0; i < view.slots_on(node, Kind::map); ++i)
        entry.ranked.push_back({node, i, ef * entry.overlap[node], ef, c});
    }
    std::sort(entry.ranked.begin(), entry.ranked.end(), [](const Container& a, const Container& b) {
      return std::tuple(-a.fitness, -a.ef, a.node_class, a.node, a.number) <
             std::tuple(-b.fitness, -b.ef, b.node_class, b.node, b.number);
    });
  }
  void round(const View& view, Decisions& decisions) {
    revoke(view);
    std::vector<int> free(view.nodes());
    for (NodeIndex node = 0; node < view.nodes(); ++node)
      free[node] = static_cast<int>(view.slots_on(node, Kind::map));
    for (SlotIndex slot = 0; slot < view.slots(Kind::map); ++slot) {
      if (const auto busy = view.occupant(Kind::map, slot))
        free[busy->node] = std::max(0, free[busy->node] - 1);
    }
    for (const Sent& each : sent) --free[each.node];
    std::vector<Count> free_of(view.classes());
    for (NodeIndex node = 0; node < view.nodes(); ++node) free_of[view.node_class(node)] += free[node];
    for (const Given& each : given_) --free_of[each.node_class];
    struct Turn {
      Entry* of = nullptr;
      Count wanted = 0, asked = 0, count = 0;
      bool waited = false;
      std::vector<NodeIndex> got{};
    };
    std::vector<Turn> turns;
    std::map<JobIndex, Reason> remarks;
    for (Entry& entry : jobs_) {
      rank(entry, view);
      const Count wanted =
          std::max<Count>(0, view.pending(entry.job, Kind::map) - sent_of(entry.job, std::nullopt, view) -
                                 given_of(entry.job, std::nullopt));
      Turn turn{&entry, wanted, wanted, 0,
                options_.threshold && view.now() >= entry.since + *options_.threshold};
      const auto all = static_cast<Count>(entry.ranked.size());
      if (options_.clamp) turn.asked = std::min(turn.asked, all);
      const bool never = options_.clamp ? !options_.adaptive && wanted > 0 && all == 0 : wanted > all;
      if (never && !std::exchange(entry.named, true))
        remarks[entry.job] = why_it_waits(options_, view, entry.job, wanted, all);
      // The optset: on each node its first containers; so many of the free ones count.
      std::vector<int> in(view.nodes());
      for (Count i = 0; i < std::min(wanted, all); ++i) ++in[entry.ranked[static_cast<std::size_t>(i)].node];
      for (NodeIndex node = 0; node < view.nodes(); ++node) turn.count += std::min(in[node], free[node]);
      turns.push_back(turn);
    }
    for (const auto& [job, reason] : remarks) decisions.explain(job, reason);
    const auto assign = [&](Turn& turn, Count most) {
      for (const Container& each : turn.of->ranked) {
        if (static_cast<Count>(turn.got.size()) == most) return;
        if (free[each.node] == 0 || free_of[each.node_class] == 0) continue;
        --free[each.node];
        --free_of[each.node_class];
        turn.got.push_back(each.node);
      }
    };
    const auto there = [&](const Turn& turn) {
      std::vector<Count> of_class(view.classes());
      std::vector<bool> seen(view.nodes());
      for (const Container& each : turn.of->ranked) {
        if (!seen[each.node]) of_class[each.node_class] += free[each.node];
        seen[each.node] = true;
      }
      Count sum = 0;  // a job that avoids nodes finds no container given on no node in particular
      for (ClassId c = 0; c < view.classes(); ++c) sum += std::min(of_class[c], free_of[c]);
      return sum;
    };
    std::vector<Turn*> regular, waited;
    for (Turn& turn : turns) {
      if (turn.wanted > 0) (turn.waited ? waited : regular).push_back(&turn);
    }
    const auto most_first = [](const Turn* a, const Turn* b) {
      return a->count * b->wanted > b->count * a->wanted;
    };
    std::stable_sort(regular.begin(), regular.end(), most_first);
    std::stable_sort(waited.begin(), waited.end(), most_first);
    bool empty = true;
    for (Turn* turn : waited) {
      assign(*turn, turn->wanted);
      empty = empty && static_cast<Count>(turn->got.size()) == turn->wanted;
    }
    for (Turn* turn : regular) {
      if (!empty || there(*turn) < turn->asked) break;
      assign(*turn, turn->asked);
    }
    for (Turn& turn : turns) {
      if (places_) dispatch_all(turn.of->job, turn.got, view);
      for (ClassId c = 0; c < view.classes(); ++c) {
        const auto got = std::count_if(turn.got.begin(), turn.got.end(),
                                       [&](NodeIndex node) { return view.node_class(node) == c; });
        for (Count i = 0; !places_ && i < got; ++i) given_.push_back({turn.of->job, c, view.now()});
        decisions.cap(turn.of->job, Kind::map, c,
                      view.held(turn.of->job, Kind::map, c) +
                          (places_ ? sent_of(turn.of->job, c, view) : given_of(turn.of->job, c)));
      }
    }
  }
  void dispatch_all(JobIndex job, const std::vector<NodeIndex>& containers, const View& view) {
    std::vector<QueuedTask> tasks;
    for (TaskIndex map = 0; map < static_cast<TaskIndex>(view.facts(job).maps); ++map) {
      if (may_go(job, map, view)) tasks.push_back({map, view.block_nodes(job, map)});
    }
    Dispatcher dispatcher(view.nodes());
    dispatcher.obtain(containers);
    for (const Dispatched& each : dispatcher.assign(tasks))
      sent.push_back({job, each.task, each.node, view.now()});
  }

  EfhOptions options_;
  bool places_;
  std::vector<Entry> jobs_;   // in order of arrival
  std::vector<Given> given_;  // in order of time
  bool some_avoid_ = false;
};

class EfhByLetterPlacer final : public Placer {
 public:
  explicit EfhByLetterPlacer(EfhByLetter& efh) : efh_(efh) {}
  [[nodiscard]] std::string name() const override { return "efh"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return {}; }
  void on(const Event&, const View&, Decisions&) override {}
  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions&) override {
    while (const auto job = candidates.next()) {
      if (offer.kind == Kind::reduce) {
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
        continue;
      }
      for (auto each = efh_.sent.begin(); each != efh_.sent.end(); ++each) {
        if (each->job != *job || each->node != offer.node) continue;
        const TaskChoice choice{*job, each->task, Locality::off_rack};
        efh_.sent.erase(each);
        return choice;
      }
    }
    return std::nullopt;
  }

 private:
  EfhByLetter& efh_;
};

inline Policy efh_by_letter(const EfhOptions& options, bool places) {
  auto allocator = std::make_unique<EfhByLetter>(options, places);
  EfhByLetter& shared = *allocator;
  Policy policy{std::move(allocator), nullptr};
  if (places) policy.placer = std::make_unique<EfhByLetterPlacer>(shared);
  return policy;
}

}  // namespace wavewright
