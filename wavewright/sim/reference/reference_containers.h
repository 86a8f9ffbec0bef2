// Containers in the reference engine: how they end, are reported, fail, are stopped and lost with their
// nodes, and the effects on their jobs. The engine decides who gets room and what masters ask for.
#pragma once

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "wavewright/sim/reference/reference_attempts.h"

namespace wavewright::sim {

class ReferenceContainers : protected ReferenceAttempts {
 protected:
  using Room = NodeModel::Room;
  struct Container : ReferenceAttempt {
    bool over = false;  // ended, not reported
  };
  using Containers = std::list<Container>;

  ReferenceContainers(const Workload& workload, Policy& policy, const NodeModel& model)
      : ReferenceAttempts(workload, policy, model), mode_(model.cluster.mode) {}

  [[nodiscard]] Room request(JobIndex index, Kind kind) const { return model_.request(job(index), kind); }

  // Containers of the kind that satisfy `holds`, by number. Tasks that share a container have one entry each.
  template <class Holds>
  std::vector<Containers::iterator> those(Kind kind, Holds holds) {
    std::vector<Containers::iterator> found;
    for (auto each = containers_.begin(); each != containers_.end(); ++each) {
      if (each->kind == kind && holds(*each)) found.push_back(each);
    }
    std::sort(found.begin(), found.end(),
              [](auto a, auto b) { return std::pair(a->slot, a->place) < std::pair(b->slot, b->place); });
    return found;
  }
  // True if other tasks share the container.
  [[nodiscard]] bool shared(const Container& container) const;
  // True for the first of the entries that share a container.
  [[nodiscard]] bool leads(const Container& container) const;
  [[nodiscard]] Containers::iterator place_of(const ReferenceAttempt& attempt);
  using ReferenceAttempts::running;
  [[nodiscard]] std::vector<ReferenceAttempt*> running() override;

  void end_containers(Kind kind);  // that end at this instant
  void report(Kind kind);
  // Stops an attempt; with `again` its task runs again, unless another attempt of it runs.
  void stop(Containers::iterator container, AttemptOutcome outcome, bool again);
  void stop_all_of(const Container& container);  // in this container; they run again
  void node_closes(NodeIndex node) override { end_reservation(node); }
  void lose_attempts(NodeIndex node) override;

  void ask_for_master(JobIndex index) {
    jobs_[index].asked(Kind::master) = jobs_[index].cap[static_cast<std::size_t>(Kind::master)] > 0 ? 1 : 0;
  }

  [[nodiscard]] Count holds(JobIndex index, Kind kind) const override;
  [[nodiscard]] Count holds_on(JobIndex index, Kind kind, ClassId node_class) const override;
  [[nodiscard]] Count free_on(Kind kind, ClassId node_class) const override;
  [[nodiscard]] Count size_of(JobIndex index, Kind kind) const override {
    return request(index, kind).memory;
  }
  [[nodiscard]] std::optional<Occupant> occupant(Kind kind, SlotIndex slot) const override;
  // The job's attempt of the kind that started last on a node of the class; null if none runs.
  [[nodiscard]] const ReferenceAttempt* last_started(JobIndex index, Kind kind, ClassId on);
  void preempt();  // containers whose grace is over
  [[nodiscard]] SortedOrder::Held memory_held() const;
  [[nodiscard]] Room room(NodeIndex node) const;  // free
  [[nodiscard]] Count free_memory();              // of nodes that are present

  const ClusterMode& mode_;
  Containers containers_;
  struct Reservation {
    JobIndex job = 0;
    Count memory = 0;  // MiB
    std::uint64_t number = 0;
  };
  std::map<NodeIndex, Reservation> reserved_;
  std::map<JobIndex, Count>
      small_again_;  // reports of nodes reserved for it, since one of its reservations ended
  void end_reservation(NodeIndex node) {
    if (!reserved_.contains(node)) return;
    small_again_.erase(reserved_.at(node).job);
    reserved_.erase(node);
  }
  void end_reservations_of(JobIndex index) {
    small_again_.erase(index);
    std::erase_if(reserved_, [index](const auto& each) { return each.second.job == index; });
  }
  std::set<NodeIndex> reported_;  // nodes that reported an end at this instant
  std::uint64_t ends_ = 0;

 private:
  [[nodiscard]] bool is_there(Containers::iterator container);
  void end_task(Kind kind, const Container& each);
  void end_of_master(Container& master);
  void attempt_failed(Kind kind, const Container& each);
  // Cancels the planned second attempt; requests are never more than what could start.
  void unmark(JobIndex index, Kind kind, std::uint32_t task);
  void fail(JobIndex index);
  void stop_all(JobIndex index, bool again);
  void end_master(JobIndex index);
  void lose_master(Containers::iterator master);

  void settle_maps(JobIndex index);
  void settle(JobIndex index);
  void tell_if_ready(JobIndex index);
};

}  // namespace wavewright::sim
