#include "wavewright/sim/nodes/allocation.h"

#include <cctype>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright::sim {

namespace {

// The sentence as a part of another one.
std::string clause(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  if (!sentence.empty())
    sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

}  // namespace

void refuse_explained(const World& world, JobIndex job) {
  const Reason* const why = world.ledger.explained(job);
  if (why == nullptr || why->remedy.empty()) return;
  const NodeJob::Tasks& maps = world.jobs[job].maps;
  if (maps.pending < maps.count) return;  // the reason may be an old one
  throw Infeasible(fmt::format("job '{}' can never be placed: policy '{}' lets it wait, as {}", world.id(job),
                               world.policy.name(), clause(why->text)),
                   why->remedy);
}

void Allocation::expect_progress(std::uint64_t next, JobIndex waits) {
  if (passes_ <= most_passes || (next - idle_since_) / most_idle_periods <= w_.heartbeats.period) return;
  w_.idle_since_ms = idle_since_;
  refuse_explained(w_, waits);
  throw Infeasible(
      "job '" + w_.id(waits) + "' is never placed: " + std::to_string(passes_) +
          " offers in a row were passed while nothing else runs" +
          (w_.placer ? " (placer '" + w_.placer->name() + "')" : ""),
      w_.placer ? "give it room (larger nodes, fewer jobs at once), or check the placer and its parameters"
                : "give it room: larger nodes, fewer jobs at once, or nodes that do not refuse it");
}

void Allocation::check_choice(const TaskChoice& choice, NodeIndex node, Kind kind) {
  const auto misplaced = [&](const std::string& what) {
    throw InternalError("placer '" + w_.placer->name() + "' chose task " + std::to_string(choice.task) +
                        " of job '" + w_.id(choice.job) + "' for node '" + w_.model.topology.names[node] +
                        "', " + what);
  };
  NodeJob& state = w_.known(choice.job);
  if (!w_.table_of(kind).ready.eligible(choice.job) || refused(choice.job, kind, node))
    misplaced("but the job may not start one there now");
  if (state.tasks(kind).pending == 0) {
    const std::vector<std::uint32_t>& marked = state.attempts->of(kind).marked;
    if (std::find(marked.begin(), marked.end(), choice.task) == marked.end() ||
        runs_on(state, kind, choice.task, node))
      misplaced("which is not one to double there");
  } else if (kind == Kind::map && state.local) {
    if (!state.local->has(choice.task)) misplaced("which has started or does not exist");
  } else if (choice.task != next_task(state, kind)) {
    misplaced("which is not the next one");
  }
}

void Allocation::pair(SlotTable& table, std::uint32_t slot, NodeJob& state) {
  Running& attempt = table.on[slot];
  Attempts::OfKind& attempts = state.attempts->of(table.kind);
  table.marked -= std::erase(attempts.marked, attempt.task);
  attempt.second = true;
  ++table.seconds;
  attempt.twin = attempts.tasks[attempt.task].slot;
  table.on[attempt.twin].twin = slot;
  ++w_.result.jobs[attempt.job].second_attempts;
  speculation_.all_started(table, attempt.job);
}

}  // namespace wavewright::sim
