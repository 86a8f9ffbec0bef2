#include "wavewright/sim/reference/reference_allocation.h"

#include <algorithm>
#include <utility>

namespace wavewright::sim {

// ---- whose turn it is

// A placer is asked job by job, because YARN decides whose turn it is.
class ReferenceAllocation::OneJob final : public Candidates {
 public:
  OneJob(ReferenceAllocation& engine, JobIndex job, NodeIndex node)
      : engine_(engine), only_(job), job_(job), node_(node) {}
  [[nodiscard]] std::optional<JobIndex> next() override { return std::exchange(job_, std::nullopt); }
  [[nodiscard]] bool may_start(JobIndex job) override { return job == only_; }
  [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
    return engine_.closest(job, node_, Kind::map, at_most);
  }
  [[nodiscard]] std::optional<TaskChoice> first_local() override {
    return job_ ? closest(*job_, Locality::node) : std::nullopt;
  }

 private:
  ReferenceAllocation& engine_;
  JobIndex only_;
  std::optional<JobIndex> job_;  // until next() has given it
  NodeIndex node_;
};

std::vector<JobIndex> ReferenceAllocation::candidates() const {
  const auto ready = [&](JobIndex index) { return jobs_[index].asked_in_all() > 0; };
  return ledger_.order(Kind::map).jobs(ready, memory_held());
}

Count ReferenceAllocation::least_to_offer() const {
  if (policy_.node_reservations().by_capacity && model_.cluster.limits.min_memory)
    return std::max<Count>(1, model_.cluster.limits.min_memory->count >> 20);
  return std::min({model_.smallest[0], model_.smallest[1], model_.smallest[2]});
}

bool ReferenceAllocation::end_reservations() {
  std::vector<NodeIndex> ended;
  for (const auto& [node, each] : reserved_) {
    if (jobs_[each.job].asked_in_all() == 0) ended.push_back(node);
  }
  for (const NodeIndex node : ended) end_reservation(node);
  return !ended.empty();
}

void ReferenceAllocation::give_out() {
  do {
    unreserved_ = false;
    each_node_gives();
  } while (unreserved_ && period() == Duration{});
}

void ReferenceAllocation::each_node_gives() {
  const NodeModel& model = model_;
  const auto most = [&](Count count) { return count == 0 || period() == Duration{} ? unlimited : count; };
  for (NodeIndex node = 0; node < model.topology.size(); ++node) {
    const bool out_of_turn = mode_.out_of_band && reported_.contains(node);
    if (is_closed(node) || (!beats(node, now_) && !out_of_turn)) continue;
    Heartbeat& heartbeat = heartbeats_[node];
    if (heartbeat.at != now_) heartbeat = {.at = now_};
    for (; heartbeat.given < most(model.cluster.containers.per_heartbeat); ++heartbeat.given) {
      if (room(node).memory < least_to_offer() || candidates().empty()) break;
      if (heartbeat.off_switch >= most(model.cluster.containers.off_switch_per_heartbeat)) break;
      const std::optional<Grant> grant = choose(node);
      if (!grant) break;
      heartbeat.off_switch += grant->off_switch ? 1 : 0;
      changed_now_ = true;
      this->heartbeat(node);
      if (grant->given_up) {
        end_reservation(*grant->given_up);
        unreserved_ = true;
      }
      start(node, *grant);
      unreserved_ = end_reservations() || unreserved_;
      if (grant->reserved && period() != Duration{}) {
        heartbeat.given = unlimited;
        break;
      }
    }
  }
}

Kind ReferenceAllocation::next_kind(JobState& state) {
  const bool failed_map = !state.failed_maps.empty() && state.asked(Kind::map) > 0;
  return state.asked(Kind::master) > 0                  ? Kind::master
         : state.asked(Kind::reduce) > 0 && !failed_map ? Kind::reduce
                                                        : Kind::map;
}

Count ReferenceAllocation::unreserved_memory(std::optional<JobIndex> but) const {
  Count memory = 0;
  for (NodeIndex node = 0; node < model_.topology.size(); ++node)
    memory += is_closed(node) ? 0 : room(node).memory;
  Count reserved = 0, own = 0;
  for (const auto& [node, each] : reserved_) (each.job == but ? own : reserved) += each.memory;
  if (!full_queues_.empty()) memory = std::min(memory, reserved + own);
  return memory - reserved;
}

Count ReferenceAllocation::reserved_for(JobIndex index) const {
  return std::count_if(reserved_.begin(), reserved_.end(),
                       [&](const auto& each) { return each.second.job == index; });
}

bool ReferenceAllocation::wants_more_nodes(JobIndex index) {
  const Count kept = reserved_for(index), asked = request(index, next_kind(jobs_[index])).memory;
  const auto again = small_again_.find(index);
  return kept < jobs_[index].asked_in_all() +
                    further_reservations(again == small_again_.end() ? 0 : again->second, kept, asked,
                                         model_.minimum_allocation(), model_.maximum_allocation());
}

bool ReferenceAllocation::may_reserve(NodeIndex node, JobIndex index) {
  JobState& state = jobs_[index];
  const NodeReservations most = policy_.node_reservations();
  Count present = 0;
  for (NodeIndex each = 0; each < model_.topology.size(); ++each) present += is_closed(each) ? 0 : 1;
  const Kind kind = next_kind(state);
  const Count asked = request(index, kind).memory;
  const bool any_map = kind == Kind::map && state.failed_maps.empty();
  const std::optional<TaskChoice> map =
      any_map ? closest(index, node, kind, Locality::off_rack) : std::nullopt;
  if (any_map && placer_ != nullptr &&
      !placer_->reserves({node, kind, now_}, index, map ? map->locality : Locality::off_rack, *this))
    return false;
  if (most.by_capacity) return wants_more_nodes(index) && asked <= unreserved_memory({});
  const bool local = any_map && !state.blocks.empty() && state.count(Kind::map, TaskState::pending) > 0 &&
                     map && map->locality == Locality::node;
  const Count kept = reserved_for(index);
  return kept < state.asked_in_all() && asked >= most.least_multiple * model_.minimum_allocation() &&
         (static_cast<double>(kept) < most.nodes * static_cast<double>(present) || local);
}

bool ReferenceAllocation::may_start(JobIndex index, NodeIndex node) {
  const Kind kind = next_kind(jobs_[index]);
  const Room asked = request(index, kind);
  return !refused(index, kind, node) && model_.room_of(node).holds(asked) &&
         ledger_.order(Kind::map).has_room(index, asked.memory, memory_held());
}

std::optional<ReferenceAllocation::Grant> ReferenceAllocation::choose(NodeIndex node) {
  const std::vector<JobIndex> jobs = candidates();
  if (reserved_.contains(node)) {
    const JobIndex index = reserved_.at(node).job;
    const bool still = std::find(jobs.begin(), jobs.end(), index) != jobs.end() && may_start(index, node);
    if (still && !room(node).holds(request(index, next_kind(jobs_[index])))) {
      if (period() != Duration{}) ++small_again_[index];
      return std::nullopt;
    }
    std::optional<Grant> found = still ? grant(index, node) : std::nullopt;
    end_reservation(node);
    if (found) {
      found->reserved = true;
      return found;
    }
  }
  const NodeReservations rule = policy_.node_reservations();
  do {
    passed_ = false;
    full_queues_.clear();
    for (const JobIndex index : jobs) {
      const std::string queue = rule.queues ? job(index).queue : "";
      if (full_queues_.contains(queue) || !may_start(index, node)) continue;
      const Room asked = request(index, next_kind(jobs_[index]));
      if (rule.by_capacity && asked.memory > unreserved_memory(index)) {
        if (!rule.queues) return std::nullopt;
        full_queues_.insert(queue);
        continue;
      }
      if (room(node).holds(asked)) {
        const bool gives_up = rule.by_capacity && reserved_for(index) > 0 &&
                              (!wants_more_nodes(index) || asked.memory > unreserved_memory({}));
        std::optional<Grant> found = grant(index, node);
        if (!found) continue;
        if (gives_up) found->given_up = oldest_of(index);
        return found;
      }
      if (may_reserve(node, index)) {
        reserved_[node] = {index, asked.memory, ++reservations_};
        return std::nullopt;
      }
    }
  } while (passed_ && placer_->again({node, Kind::map, now_}));
  return std::nullopt;
}

NodeIndex ReferenceAllocation::oldest_of(JobIndex index) const {
  std::optional<NodeIndex> oldest;
  for (const auto& [node, each] : reserved_) {
    if (each.job == index && (!oldest || each.number < reserved_.at(*oldest).number)) oldest = node;
  }
  return *oldest;
}

std::optional<ReferenceAllocation::Grant> ReferenceAllocation::grant(JobIndex index, NodeIndex node) {
  JobState& state = jobs_[index];
  const Kind kind = next_kind(state);
  const bool anywhere = kind != Kind::map || state.blocks.empty() || !state.failed_maps.empty();
  if (kind == Kind::master) return Grant{kind, {index, 0, Locality::node}, true};
  std::optional<TaskChoice> choice;
  const bool failed_map = kind == Kind::map && !state.failed_maps.empty();  // may run anywhere
  if (kind == Kind::map && placer_ != nullptr && !failed_map) {
    OneJob candidates(*this, index, node);
    choice = placer_->place({node, kind, now_}, candidates, *this, ledger_.placer());
    if (!choice) passed_ = true;
  } else {
    choice = closest(index, node, kind, Locality::off_rack);
  }
  if (!choice) return std::nullopt;
  return Grant{kind, *choice, anywhere || choice->locality == Locality::off_rack};
}

// ---- start of tasks and masters

std::uint32_t ReferenceAllocation::free_slot(NodeIndex node, Kind kind) {
  std::uint32_t slot = 0;
  for (NodeIndex before = 0; before < node; ++before)
    slot += static_cast<std::uint32_t>(model_.slots(before, kind));
  while (!those(kind, [&](const Container& c) { return c.slot == slot; }).empty()) ++slot;
  return slot;
}

ReferenceAllocation::Container& ReferenceAllocation::add(NodeIndex node, Kind kind, const TaskChoice& choice,
                                                         std::uint32_t slot) {
  containers_.emplace_back();
  Container& container = containers_.back();
  container.kind = kind;
  container.job = choice.job;
  container.task = choice.task;
  container.node = node;
  container.slot = slot;
  container.since = now_;
  return container;
}

void ReferenceAllocation::start(NodeIndex node, const Grant& grant) {
  const JobIndex index = grant.choice.job;
  JobState& state = jobs_[index];
  Container& container = add(node, grant.kind, grant.choice, free_slot(node, grant.kind));
  --state.asked(grant.kind);
  if (grant.kind == Kind::reduce) --state.decided;
  if (grant.kind != Kind::master) {
    start_task(container);
    if (!container.second) fill(container);
    return;
  }
  container.attempt = state.masters++;
  begin(container, now_ + mode_.launch);
  started(container);
}

void ReferenceAllocation::started(const Container& container) {
  result_.trace.back().memory = static_cast<std::uint32_t>(request(container.job, container.kind).memory);
  tell(Event::What::started, container);
}

void ReferenceAllocation::fill(const Container& first) {
  const std::uint32_t most = model_.sharing(job(first.job), first.node);
  for (std::uint32_t place = 1; place < most && pending(first.job, first.kind) > 0; ++place) {
    const std::optional<TaskChoice> choice =
        closest(first.job, first.node, first.kind, at_most_beside(first));
    if (!choice) return;
    Container& container = add(first.node, first.kind, *choice, first.slot);
    container.place = place;
    start_task(container);
  }
}

void ReferenceAllocation::start_task(Container& container) {
  JobState& state = jobs_[container.job];
  TaskInfo& task = state.tasks(container.kind)[container.task];
  JobOutcome& outcome = result_.jobs[container.job];
  if (!state.started) outcome.start = now_;
  state.started = true;
  container.attempt = task.attempts++;
  container.second = task.state == TaskState::running;
  if (container.second) ++outcome.second_attempts;
  std::erase(state.marked(container.kind), container.task);
  if (container.kind == Kind::map) std::erase(state.failed_maps, container.task);
  task.asked_again.reset();
  task.state = TaskState::running;
  state.ask_less(container.kind);
  if (container.kind == Kind::map) {
    container.where = locality(container.job, container.task, container.node);
    count_place(container.job, container.where);
  }
  Time fetched = now_ + ms(1);  // at its master's next heartbeat
  while (!asks(state, fetched)) fetched += ms(1);
  begin(container, fetched + mode_.launch);
  started(container);
}

}  // namespace wavewright::sim
