#include "wavewright/store/fullness.h"

#include <algorithm>
#include <string>

#include "wavewright/history/sanity_checks.h"
#include "wavewright/store/row.h"

namespace wavewright {

namespace {

std::int64_t replaced_characters(const std::string& text) {
  constexpr std::string_view mark = "\xef\xbf\xbd";
  const std::string clean = storable(text);
  std::int64_t count = 0;
  for (std::size_t at = 0; (at = clean.find(mark, at)) != std::string::npos; at += mark.size()) ++count;
  return count;
}

// Submission and launch are of different clocks.
bool launched_in_between(const JobRun& run) {
  constexpr Duration slack = std::chrono::minutes(10);
  if (!run.launch) return false;
  return (!run.submit || *run.launch + slack >= *run.submit) &&
         (!run.finish || *run.launch <= *run.finish + slack);
}

class FactCount {
 public:
  void text(const std::string& text) {
    if (text.empty()) return;
    ++fullness.facts;
    fullness.faults += replaced_characters(text);
  }
  template <class T>
  void maybe(const std::optional<T>& value) {
    if (value) ++fullness.facts;
  }

  void job(const JobRun& run) {
    for (const std::string* one : {&run.id, &run.name, &run.user, &run.queue, &run.diagnostics_text})
      text(*one);
    maybe(run.submit);
    if (launched_in_between(run)) ++fullness.facts;
    maybe(run.finish);
    for (const auto& [name, value] : run.counters) text(name);
    for (const auto& [name, value] : run.settings) {
      text(name);
      text(value);
    }
    // A history repeats a warning for each of its attempts: no sum of them overflows.
    constexpr Count most = 1'000'000'000;
    for (const auto& [reason, count] : run.quality_warnings)
      fullness.faults += std::clamp<Count>(count, 0, most);
  }

  void task(const TaskRun& task) {
    if (task.state == AttemptState::unknown) return;
    ++fullness.facts;
    maybe(task.start);
    maybe(task.finish);
    maybe(task.input);
    maybe(task.output);
    text(task.successful_attempt);
    for (const std::string& node : task.split_nodes) text(node);
  }

  void attempt(const Attempt& attempt, const SanityChecks& checks) {
    if (attempt.state == AttemptState::unknown || !checks.possible(attempt)) return;
    fullness.facts += 3;  // its state, start and finish
    maybe(attempt.shuffle_finish);
    maybe(attempt.sort_finish);
    maybe(attempt.map_finish);
    for (const std::string* one : {&attempt.id, &attempt.node, &attempt.rack, &attempt.error}) text(*one);
  }

  Fullness fullness;
};

}  // namespace

Fullness fullness_of(const JobRun& run) {
  FactCount count;
  count.job(run);
  const SanityChecks checks(run);
  for (const MasterRun& master : run.masters) {
    if (!checks.possible(master)) continue;
    count.maybe(master.start);
    count.text(master.node);
  }
  for (const TaskRun& task : run.tasks) {
    count.task(task);
    for (const Attempt& attempt : task.attempts) count.attempt(attempt, checks);
  }
  return count.fullness;
}

}  // namespace wavewright
