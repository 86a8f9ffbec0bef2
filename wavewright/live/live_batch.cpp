#include "wavewright/live/live_batch.h"

#include <array>

#include "wavewright/core/error.h"

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
          .search_up_to = ordering.search_up_to};
}

}  // namespace wavewright
