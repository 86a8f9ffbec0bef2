#include "wavewright/live/promise/promises.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/when.h"
#include "wavewright/live/promise/asked_promise.h"

namespace wavewright {

namespace {

// The fault of the job itself; absent if it may be asked about.
std::optional<PromiseRefusal> refusal_of(const LiveJob& job, const PromiseRules& rules, Time now) {
  const auto refuse = [&](const char* code, std::string sentence) {
    return PromiseRefusal{
        .job = job.id, .code = code, .sentence = std::move(sentence), .profile = job.profile};
  };
  if (!job.deadline) return refuse("NoDeadline", "it has no deadline that could be promised");
  if (*job.deadline <= now)
    return refuse("DeadlinePast", fmt::format("its deadline {} is past", format_instant(*job.deadline)));
  if (!job.after.empty())
    return refuse("StartNotKnown", fmt::format("it waits for {}, so that its end cannot be promised",
                                               fmt::join(job.after, ", ")));
  if (job.not_before > now) return refuse("StartNotKnown", "it may not be submitted yet; ask when it may");
  if (job.many_applications)
    return refuse("TasksNotKnown", "its command starts several applications, and nothing is known of each");
  if (!job.bounds || job.bounds->maps + job.bounds->reduces == 0)
    return refuse("TasksNotKnown",
                  "nothing is known of its tasks; list them in its line, or name a profile with runs");
  if (std::max(job.bounds->map, job.bounds->reduce) >= never_ends)
    return refuse("TasksNotKnown", fmt::format("a task may take {}, and {} is as good as for ever",
                                               format_duration(std::max(job.bounds->map, job.bounds->reduce)),
                                               format_duration(never_ends)));
  const bool no_maps = job.bounds->maps > 0 && rules.slots.map_slots == 0;
  if (no_maps || (job.bounds->reduces > 0 && rules.slots.reduce_slots == 0))
    return refuse("NoSlots", fmt::format("the cluster has no slot for its {}", no_maps ? "maps" : "reduces"));
  return std::nullopt;
}

std::string risk_text(const PromisedEnd& promised, const LiveJob& job, Time now) {
  const std::string by = format_instant(promised.deadline);
  if (!promised.at_risk) return fmt::format("it surely ends by {} again", by);
  if (promised.master_lost)
    return fmt::format("it is promised by {}, and its master's node {} does not answer", by, job.master_node);
  if (promised.end >= now + never_ends) return fmt::format("it is promised by {}, and might never end", by);
  return fmt::format("it is promised by {}, and might end only at {}", by, format_instant(promised.end));
}

}  // namespace

std::vector<PromisedEnd> promised_ends(const LiveBatch& batch, const ProgressByJob& progress,
                                       const PromiseRules& rules, Time now) {
  return PromiseStanding(jobs_of(batch), progress, rules, Readings::fresh, now).ends();
}

std::vector<FoundRisk> found_risks(const LiveBatch& batch, const ProgressByJob& progress,
                                   const PromiseRules& rules, Time now, const Outlook* outlook) {
  std::unordered_map<std::string, const LiveJob*> held;
  for (const LiveJob& job : batch.jobs) {
    if (job.promise) held[job.id] = &job;
  }
  std::vector<FoundRisk> found;
  if (held.empty()) return found;
  for (const PromisedEnd& each : promised_ends(batch, progress, rules, now)) {
    const LiveJob& job = *held.at(each.job);
    if (job.promise->at_risk == each.at_risk) continue;
    const JobOutlook* const forecast = outlook == nullptr ? nullptr : outlook->of(each.job);
    if (!each.at_risk && forecast != nullptr && forecast->on_time.value_or(1) < likely) continue;
    found.push_back({each.job, each.at_risk, risk_text(each, job, now)});
  }
  return found;
}

std::optional<PromiseRefusal> ask_for_promise(const LiveBatch& batch, const ProgressByJob& progress,
                                              const PromiseRules& rules, LiveJob& job, Time now) {
  if (auto refusal = refusal_of(job, rules, now)) return refusal;
  const AskedPromise asked(jobs_of(batch), progress, rules, job, now);
  const AskedPromise::Answer& answer = asked.answer();
  if (asked.is_in_time()) {
    job.promise->end = answer.end;
    return std::nullopt;
  }
  PromiseRefusal refusal{.job = job.id, .code = "DeadlineNotSure", .profile = job.profile};
  const bool unknown = answer.end >= now + never_ends;
  if (unknown && !asked.unbounded().empty()) {
    refusal.code = "OthersNotKnown";
    refusal.sentence =
        fmt::format("job '{}' runs, and nothing is known of the lengths of its tasks", asked.unbounded());
    return refusal;
  }
  if (!unknown) refusal.end = answer.end;
  refusal.sentence = answer.late.empty()
                         ? "it might end only at " + format_instant(answer.end)
                         : fmt::format("job '{}', which is promised, might end late", answer.late);
  refusal.earliest_deadline = asked.earliest_deadline();
  refusal.lacks = asked.lacks();
  refusal.give_way = asked.give_way();
  return refusal;
}

}  // namespace wavewright
