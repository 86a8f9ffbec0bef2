#include "wavewright/live/batch/live_batch.h"

#include <algorithm>
#include <array>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright {

namespace {

constexpr std::array<std::string_view, 9> state_words = {
    "waiting", "held", "submitting", "accepted", "running", "done", "failed", "cancelled", "unknown"};

}  // namespace

std::string_view to_string(LiveState state) {
  return state_words[static_cast<std::size_t>(state)];
}

LiveState parse_live_state(std::string_view text, const std::string& source) {
  for (std::size_t i = 0; i < state_words.size(); ++i) {
    if (state_words[i] == text) return static_cast<LiveState>(i);
  }
  throw InputError({source}, "'" + std::string(text) + "' is no state of a job",
                   "restore the store from a copy");
}

std::string refusal_of(Wish wish, LiveState state) {
  const std::string shown(to_string(state));
  if (has_ended(state)) return "it has ended: " + shown;
  if (wish == Wish::hold && has_begun(state)) return "it is " + shown;
  if (wish == Wish::hold && state == LiveState::held) return "it is held";
  if (wish == Wish::release && state != LiveState::held) return "it is not held";
  return {};
}

OrderingEngine engine_of(const LiveOrdering& ordering) {
  return {.pool = ordering.pool,
          .objective = ordering.objective,
          .mode = ordering.mode,
          .search_up_to = ordering.search_up_to,
          .planned = ordering.planned};
}

WaitingJob waiting_job(const LiveJob& job, Time wall, Time now) {
  WaitingJob waiting{.id = job.id, .maps = job.maps, .reduces = job.reduces, .weight = job.weight};
  if (job.deadline) waiting.deadline = now + (*job.deadline - wall);
  return waiting;
}

std::string why_it_waits(const LiveBatch& batch, const LiveJob& job, Time now) {
  if (!job.reason.empty()) return job.reason;
  if (job.state == LiveState::held) return "held by its user";
  if (job.state == LiveState::submitting) return "its command was started";
  if (job.state == LiveState::accepted) return "YARN has it, and has no room for its master yet";
  if (job.state != LiveState::waiting) return {};
  std::string before;
  std::size_t ahead = 0;
  bool behind = false;
  for (const LiveJob& each : batch.jobs) {
    behind = behind || each.id == job.id;
    ahead += !behind && each.state == LiveState::waiting && each.not_before <= now;
    if (each.state == LiveState::done ||
        std::find(job.after.begin(), job.after.end(), each.id) == job.after.end())
      continue;
    before += (before.empty() ? "" : ", ") + each.id + " (" + std::string(to_string(each.state)) + ")";
  }
  if (!before.empty()) return "after " + before;
  if (job.not_before > now) return "not before " + format_instant(job.not_before);
  if (batch.has_queue()) return "in the dispatching queue, " + batch.ordering->when;
  return ahead == 0 ? "next" : "behind " + std::to_string(ahead) + (ahead == 1 ? " other" : " others");
}

}  // namespace wavewright
