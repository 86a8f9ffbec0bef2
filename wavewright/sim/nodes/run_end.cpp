#include "wavewright/sim/nodes/run_end.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/sim/pool/stage.h"

namespace wavewright::sim {

void RunEnd::sum_up() {
  if (!w_.result.stopped && !lifecycle_.all_settled()) {
    // Admitted jobs first: those never admitted may have waited for one of them.
    for (const bool admitted : {true, false}) {
      for (JobIndex job = 0; job < w_.jobs.size(); ++job) {
        if (w_.jobs[job].admitted == admitted) refuse_stuck(job);
      }
    }
  }
  compute_totals();
}

void RunEnd::refuse_kills() const {
  for (JobIndex job = 0; job < w_.jobs.size(); ++job) {
    if (!w_.jobs[job].arrived || w_.jobs[job].settled) continue;
    throw Infeasible(
        fmt::format("job '{}' never ends: policy '{}' kills attempts; {} started since the last one ended",
                    w_.id(job), w_.policy.name(), w_.result.starts - starts_then_),
        "give its queue more room, or let the policy wait longer before it preempts");
  }
}

void RunEnd::refuse_timers() {
  instants_in_vain_ = 0;
  constexpr std::uint64_t never = NodeJob::never;
  const bool more = w_.maps.next_end() != never || w_.reduces.next_end() != never ||
                    w_.masters.next_end() != never || runner_.next_launch() != never ||
                    runner_.next_transfer() != never || lifecycle_.next_arrival() != never ||
                    changes_.next() != never;
  if (more || lifecycle_.all_settled()) return;
  w_.idle_since_ms = progressed_ms_;
  for (JobIndex job = 0; job < w_.jobs.size(); ++job) {
    if (!w_.jobs[job].arrived || w_.jobs[job].settled) continue;
    if (w_.jobs[job].admitted) explain_waiting(job);
    throw Infeasible("job '" + w_.id(job) + "' is never placed: nothing is left but timers of policy '" +
                         w_.policy.name() + "'",
                     "give it room: larger nodes, fewer jobs at once, or nodes that do not refuse it");
  }
}

void RunEnd::end_stuck(const Infeasible& why) {
  const std::string what = why.problem() + holders();
  if (!keep_stuck_) throw Infeasible(what, why.remedy());
  w_.now_ms = w_.idle_since_ms.value_or(w_.now_ms);
  w_.result.stopped = w_.now();
  w_.result.stuck = {what, why.remedy()};
  compute_totals();
}

// The jobs that hold most, such as "; 'A' holds its master and 6 reduces, 7680 MiB".
std::string RunEnd::holders() const {
  constexpr std::size_t most_named = 3;
  struct Holder {
    JobIndex job = 0;
    Count amount = 0;
    std::vector<std::string> what;
  };
  std::vector<Holder> found;
  for (JobIndex job = 0; job < w_.jobs.size(); ++job) {
    Holder holder{job, 0, {}};
    for (const Kind kind : {Kind::master, Kind::map, Kind::reduce}) {
      const Count count = w_.held(job, kind, any_class);
      if (count == 0) continue;
      holder.amount += count * w_.size(job, kind);
      const std::string name = kind == Kind::map ? "map" : "reduce";
      holder.what.push_back(
          kind == Kind::master ? "its master" : fmt::format("{} {}{}", count, name, count == 1 ? "" : "s"));
    }
    if (holder.amount > 0) found.push_back(std::move(holder));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Holder& a, const Holder& b) { return a.amount > b.amount; });
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), most_named); ++i) {
    text += fmt::format("{} '{}' holds {}", i == 0 ? ";" : ",", w_.id(found[i].job),
                        fmt::join(found[i].what, " and "));
    if (w_.model.containers) text += fmt::format(" ({} MiB)", found[i].amount);
  }
  if (found.size() > most_named)
    text += fmt::format(", and {} more jobs hold some", found.size() - most_named);
  return text;
}

void RunEnd::compute_totals() {
  close_records();
  if (w_.result.stopped) break_off();
  w_.result.sum_up();
  w_.result.leases = w_.leases.billed(static_cast<std::uint64_t>(to_ms(w_.result.makespan)));
  w_.result.map_busy = ms(static_cast<std::int64_t>(w_.maps.busy));
  w_.result.reduce_busy = ms(static_cast<std::int64_t>(w_.reduces.busy));
}

bool RunEnd::still_runs(const SlotTable& table, std::uint32_t slot) const {
  const Running& attempt = table.on[slot];
  const bool reads = !attempt.fails && runner_.transfers(table, slot);
  return !attempt.ends || attempt.until > w_.now_ms || reads;
}

void RunEnd::close_records() {
  for (SlotTable* const table : {&w_.masters, &w_.maps, &w_.reduces}) {
    for (std::uint32_t slot = 0; slot < table->slots(); ++slot) {
      const Running& attempt = table->on[slot];
      if (table->idle.contains(slot) || attempt.over) continue;
      if (w_.result.stopped && still_runs(*table, slot)) {
        runner_.close_record(*table, slot, w_.now_ms, AttemptOutcome::running);
      } else {
        runner_.close_record(*table, slot, attempt.until,
                             attempt.fails ? AttemptOutcome::failed : AttemptOutcome::done);
      }
    }
  }
}

void RunEnd::break_off() {
  for (JobIndex index = 0; index < w_.jobs.size(); ++index) {
    const NodeJob& state = w_.jobs[index];
    JobOutcome& outcome = w_.result.jobs[index];
    if (state.settled) continue;
    outcome.unfinished = true;
    if (!state.arrived) continue;
    outcome.finish = w_.now();
    if (!state.started) outcome.start = w_.now();
    if (state.maps_done_at == NodeJob::never) outcome.maps_done = w_.now();
  }
  for (SlotTable* const table : {&w_.maps, &w_.reduces}) {
    for (std::uint32_t slot = 0; slot < table->slots(); ++slot) {
      const Running& attempt = table->on[slot];
      if (table->idle.contains(slot) || attempt.over) continue;
      table->use(attempt.until, still_runs(*table, slot) ? w_.now_ms : attempt.until);
    }
  }
}

void RunEnd::refuse_stuck(JobIndex job) const {
  const NodeJob& state = w_.jobs[job];
  if (state.settled || !state.arrived) return;
  if (state.admitted) explain_waiting(job);
  throw_stuck(w_.id(job), w_.policy.name(), state.admitted, state.maps.left != 0);
}

// Nodes that are away for good may be why the job waits, whatever the policy says.
void RunEnd::explain_waiting(JobIndex job) const {
  if (changes_.nodes_away() == 0) refuse_explained(w_, job);
  resources_.explain_stuck(job);
}

void RunEnd::explain_stuck(JobIndex job) const {
  const Count away = changes_.nodes_away();
  if (away > 0) {
    throw Infeasible(fmt::format("job '{}' can never be placed: {} of {} nodes are away for good", w_.id(job),
                                 away, w_.model.topology.size()),
                     "end an outage (to_ms), let machines stay (leave_ms, bid), or add nodes");
  }
  const Kind kind = w_.jobs[job].maps.left != 0 ? Kind::map : Kind::reduce;
  const auto has_slots = [&](const NodeGroup& group) {
    const Resources machine = w_.model.resources_of(group);
    return (w_.model.containers || kind == Kind::map ? machine.map_slots : machine.reduce_slots) > 0;
  };
  Count there = 0, for_rent = 0;  // nodes that could run a task of the job
  for (std::size_t row = 0; row < w_.model.cluster.nodes.size(); ++row) {
    const NodeGroup& group = w_.model.cluster.nodes[row];
    if (!has_slots(group)) continue;
    there += group.rent ? w_.leases.there(row) : group.count;
    for_rent += group.rent ? group.count : 0;
  }
  if (there > 0) return;
  if (for_rent == 0) throw_stuck(w_.id(job), w_.policy.name(), true, kind == Kind::map);
  throw Infeasible(
      "job '" + w_.id(job) + "' can never be placed: no machine is there, and policy '" + w_.policy.name() +
          "' rents none",
      "let it rent if it is for deadlines (machines=on-demand or hybrid), raise its bid, take a plan that "
      "switches machines on (plan --objective energy), or add nodes that are always there");
}

}  // namespace wavewright::sim
