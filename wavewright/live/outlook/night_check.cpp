#include "wavewright/live/outlook/night_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wavewright {

namespace {

std::string longer(Duration by, const char* what) {
  const char* how = by > Duration{} ? "longer" : "less";
  return fmt::format("{} {} {}", what, format_duration(std::chrono::abs(by)), how);
}

void add(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : ", ") + part;
}

// Lengths beside those of the profile, where the job has drifted.
std::string drift_text(const LiveJob& job) {
  std::string text;
  if (job.map_drift) add(text, fmt::format("its maps took {:.1f} times as long", *job.map_drift));
  if (job.reduce_drift) add(text, fmt::format("its reduces took {:.1f} times as long", *job.reduce_drift));
  return text;
}

std::string reason(const LiveJob& job, const CheckedJob& checked, const JobHistory& history) {
  if (job.state != LiveState::done && has_ended(job.state))
    return std::string(to_string(job.state)) + (job.reason.empty() ? "" : ": " + job.reason);
  if (!checked.off || std::chrono::abs(*checked.off) <= not_off) return {};
  const Duration length = *checked.promised_end - checked.promised_start.value_or(*checked.promised_end);
  if (std::chrono::abs(*checked.off) * 20 <= length) return {};
  std::string why;
  if (checked.start && checked.promised_start) {
    const Duration waited = *checked.start - *checked.promised_start, ran = *checked.off - waited;
    const auto counts = [&](Duration part) {
      return std::chrono::abs(part) * 4 >= std::chrono::abs(*checked.off);
    };
    if (counts(waited)) add(why, longer(waited, "waited"));
    if (counts(ran)) {
      add(why, longer(ran, "ran"));
      if (const std::string drift = drift_text(job); !drift.empty()) add(why, drift);
    }
  }
  if (history.failed_attempts > 0 && *checked.off > Duration{})
    add(why,
        fmt::format("{} failed attempt{}", history.failed_attempts, history.failed_attempts == 1 ? "" : "s"));
  if (job.attempts > 1) add(why, fmt::format("submitted at the {}. attempt", job.attempts));
  return why;
}

CheckedJob check(const LiveJob& job, const JobHistory& history, Time now) {
  CheckedJob checked{job.id, job.state, job.expected_start, job.expected_end, {}, {}, job.deadline, {}, {},
                     {},     {}};
  checked.start = history.first_task ? history.first_task : job.started_at;
  if (has_ended(job.state)) checked.end = job.ended_at;
  if (job.state == LiveState::done && job.expected_end && job.ended_at) {
    checked.off = *job.ended_at - *job.expected_end;
    const Duration length = *job.expected_end - job.expected_start.value_or(*job.expected_end);
    if (length > Duration{})
      checked.error = static_cast<double>(checked.off->count()) / static_cast<double>(length.count());
  }
  if (job.deadline) {
    const bool done = job.state == LiveState::done && job.ended_at;
    if (has_ended(job.state) || now > *job.deadline)
      checked.deadline_met = done && *job.ended_at <= *job.deadline;
  }
  checked.why = reason(job, checked, history);
  return checked;
}

}  // namespace

NightCheck check_night(const LiveBatch& batch, const std::unordered_map<std::string, JobHistory>& histories,
                       Time from, Time now) {
  NightCheck night;
  std::optional<Time> promised, last;
  bool all_promised = true, all_ended = true;
  for (const LiveJob& job : batch.jobs) {
    if (has_ended(job.state) && job.ended_at && *job.ended_at < from) continue;
    const auto history = histories.find(job.id);
    night.jobs.push_back(check(job, history == histories.end() ? JobHistory{} : history->second, now));
    const CheckedJob& checked = night.jobs.back();
    night.broken += checked.deadline_met == false;
    if (checked.error) {
      ++night.checked;
      night.mean_error += std::abs(*checked.error);
    }
    all_promised = all_promised && job.expected_end;
    all_ended = all_ended && has_ended(job.state);
    promised = std::max(promised, job.expected_end);
    if (!job.applications.empty()) last = std::max(last, job.ended_at);
  }
  if (night.checked > 0) night.mean_error /= static_cast<double>(night.checked);
  if (promised && all_promised && !batch.endless) night.promised = *promised - batch.began;
  if (last && all_ended && !batch.endless) night.took = *last - batch.began;
  return night;
}

}  // namespace wavewright
