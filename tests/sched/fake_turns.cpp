// The fake cluster: which job is next, and which decisions are in force.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/sched/fake_cluster.h"

namespace wavewright {

class FakeCluster::Shortlist final : public Candidates {
 public:
  Shortlist(const FakeCluster& cluster, std::vector<JobIndex> jobs, Kind kind, NodeIndex node)
      : cluster_(cluster), jobs_(std::move(jobs)), kind_(kind), node_(node) {}
  [[nodiscard]] std::optional<JobIndex> next() override {
    return at_ < jobs_.size() ? std::optional(jobs_[at_++]) : std::nullopt;
  }
  [[nodiscard]] bool may_start(JobIndex job) override {
    return std::find(jobs_.begin(), jobs_.end(), job) != jobs_.end();
  }
  // Racks hold one node each: a block is on the node or off its rack.
  [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
    const Kind kind = cluster_.next_kind(job, kind_);
    const std::vector<TaskState>& tasks = cluster_.state(job).tasks[static_cast<std::size_t>(kind)];
    std::optional<TaskChoice> best;
    for (TaskIndex task = 0; task < tasks.size(); ++task) {
      const Locality here = locality(job, kind, task);
      if (tasks[task] != TaskState::waiting || here > at_most) continue;
      if (!best || here < best->locality) best = TaskChoice{job, task, here};
    }
    return best;
  }
  [[nodiscard]] std::optional<TaskChoice> first_local() override {
    at_ = 0;
    const auto local = first_of(*this, Locality::node);
    at_ = 0;
    return local;
  }

 private:
  [[nodiscard]] Locality locality(JobIndex job, Kind kind, TaskIndex task) const {
    const auto& blocks = cluster_.setup_.jobs[job].blocks;
    if (kind != Kind::map || task >= blocks.size()) return Locality::node;
    const bool here = std::find(blocks[task].begin(), blocks[task].end(), node_) != blocks[task].end();
    return here ? Locality::node : Locality::off_rack;
  }

  const FakeCluster& cluster_;
  std::vector<JobIndex> jobs_;
  std::size_t at_ = 0;
  Kind kind_;
  NodeIndex node_;
};

std::vector<JobIndex> FakeCluster::eligible(Kind kind) const {
  std::vector<JobIndex> jobs;
  OrderTree::Walk walk(ledger_.order(kind));
  walk.restart();
  while (const std::optional<JobIndex> job = walk.next()) jobs.push_back(*job);
  return jobs;
}

// With containers a job asks for its master first, then for maps, then for reduces.
Kind FakeCluster::next_kind(JobIndex job, Kind kind) const {
  if (!containers()) return kind;
  if (wants(job, Kind::master)) return Kind::master;
  return wants(job, Kind::map) ? Kind::map : Kind::reduce;
}

bool FakeCluster::may_take(JobIndex job, Kind kind, NodeIndex node) const {
  if (!ledger_.below_class_cap(job, kind, node_class(node))) return false;
  if (ledger_.reservations().empty()) return true;
  std::vector<Count> free(classes(), 0);
  for (const Place& place : places(kind)) {
    if (!place.busy && nodes_[place.node].up) free[node_class(place.node)] += unit();
  }
  return ledger_.reservations().allow(
      job, kind, node_class(node), now_,
      {free, containers(), [this](JobIndex j, Kind k, ClassId c) { return held(j, k, c); },
       [this](JobIndex, Kind) { return unit(); }});
}

std::optional<SlotIndex> FakeCluster::free_place(Kind kind, NodeIndex node) const {
  const std::vector<Place>& all = places(kind);
  for (SlotIndex slot = 0; slot < all.size(); ++slot) {
    if (all[slot].node == node && !all[slot].busy && nodes_.at(node).up) return slot;
  }
  return std::nullopt;
}

std::string FakeCluster::order(Kind kind) const {
  std::vector<std::string> ids;
  for (const JobIndex job : eligible(kind)) ids.push_back(setup_.jobs[job].id);
  return fmt::format("{}", fmt::join(ids, " "));
}

std::string FakeCluster::next(Kind kind) const {
  const std::vector<JobIndex> jobs = eligible(kind);
  return jobs.empty() ? "" : setup_.jobs[jobs.front()].id;
}

std::string FakeCluster::give(Kind kind, NodeIndex node) {
  if (!has_room(kind, node)) return "";
  std::vector<JobIndex> jobs = eligible(kind);
  std::erase_if(jobs, [&](JobIndex job) { return !may_take(job, next_kind(job, kind), node); });
  if (jobs.empty()) return "";
  const std::optional<TaskChoice> choice = choose(jobs, kind, node);
  if (!choice) return "";
  start(choice->job, next_kind(choice->job, kind), choice->task, node);
  return setup_.jobs[choice->job].id;
}

std::optional<TaskChoice> FakeCluster::choose(const std::vector<JobIndex>& jobs, Kind kind, NodeIndex node) {
  Shortlist all(*this, jobs, kind, node);
  if (!policy_.placer) return all.closest(jobs.front(), Locality::off_rack);
  const Offer offer{node, kind, now_};
  const auto place = [&](Shortlist& candidates) {
    const auto choice = policy_.placer->place(offer, candidates, *this, placer_);
    ledger_.decided();
    return choice;
  };
  if (!containers()) return place(all);
  bool passed = false;
  do {
    for (const JobIndex job : jobs) {
      if (next_kind(job, kind) != Kind::map) return all.closest(job, Locality::off_rack);
      Shortlist one(*this, {job}, kind, node);
      if (const auto choice = place(one)) return choice;
      passed = true;
    }
  } while (passed && policy_.placer->again(offer));
  return std::nullopt;
}

std::string FakeCluster::fill(Kind kind) {
  std::vector<std::string> ids;
  for (bool some = true; some;) {
    some = false;
    for (NodeIndex node = 0; node < nodes_.size(); ++node) {
      const std::string id = give(kind, node);
      if (id.empty()) continue;
      ids.push_back(id);
      some = true;
    }
  }
  return fmt::format("{}", fmt::join(ids, " "));
}

std::size_t FakeCluster::count(const std::string& beginning) const {
  return static_cast<std::size_t>(std::count_if(
      decisions().begin(), decisions().end(), [&](const auto& line) { return line.starts_with(beginning); }));
}

std::size_t FakeCluster::told(Part part, Event::What what) const {
  const auto found = told_.find({part, what});
  return found == told_.end() ? 0 : found->second;
}

std::size_t FakeCluster::arrivals_left() const {
  return static_cast<std::size_t>(
      std::count_if(jobs_.begin(), jobs_.end(), [](const JobState& each) { return !each.arrived; }));
}

std::string FakeCluster::standing_of(const std::string& id) const {
  const JobState& of = state(index(id));
  if (of.over) return of.admitted ? "finished" : "rejected";
  return of.admitted ? "admitted" : of.arrived ? "waiting" : "absent";
}

// An amount that is no limit is left out, and so is the cap of a master that runs.
std::string FakeCluster::standing() const {
  std::string text = fmt::format("maps: {}\nreduces: {}\n", order(Kind::map), order(Kind::reduce));
  const auto amount = [](Count count) { return count == unlimited ? "any" : std::to_string(count); };
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    if (!state(job).arrived || state(job).over) continue;
    text += fmt::format("{}: {}", setup_.jobs[job].id, standing_of(setup_.jobs[job].id));
    if (const auto caps = decided_.caps.find(job); caps != decided_.caps.end()) {
      for (const auto& [key, count] : caps->second) {
        const bool idle = key.first == Kind::master && (count > 0 || pending(job, Kind::master) == 0);
        if (count != unlimited && !idle)
          text += fmt::format(", {} {} {}", name_of(key.first), key.second, count);
      }
    }
    const auto group = decided_.admitted.find(job);
    for (GroupId at = group == decided_.admitted.end() ? root_group : group->second; at != root_group;) {
      const Decided::Group& of = decided_.groups.at(at);
      text +=
          fmt::format(", {}/{} of {}/{}", amount(of.guaranteed.map_slots), amount(of.guaranteed.reduce_slots),
                      amount(of.max.map_slots), amount(of.max.reduce_slots));
      at = of.parent;
    }
    text += "\n";
  }
  return text;
}

}  // namespace wavewright
