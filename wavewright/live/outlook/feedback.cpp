#include "wavewright/live/outlook/feedback.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/when.h"

namespace wavewright {

namespace {

const LiveJob* job_with(const LiveBatch& batch, const std::string& id) {
  for (const LiveJob& job : batch.jobs) {
    if (job.id == id) return &job;
  }
  return nullptr;
}

std::string drift_text(const char* tasks, double factor, Count done) {
  return factor >= 1 ? fmt::format("its {} take {:.1f} times as long as expected, by {} that are done", tasks,
                                   factor, done)
                     : fmt::format("its {} take {:.0f} % of the time that was expected, by {} that are done",
                                   tasks, 100 * factor, done);
}

std::optional<FoundDrift> drift_in(const LiveJob& job, const KnownJob& known) {
  if (!known.lengths) return std::nullopt;
  FoundDrift found{job.id, std::nullopt, std::nullopt, {}};
  if (const auto by = drift_of(known.maps, known.lengths->maps)) {
    found.maps = *by * job.map_drift.value_or(1);
    found.detail = drift_text("maps", *found.maps, known.maps.done);
  }
  if (const auto by = drift_of(known.reduces, known.lengths->reduces)) {
    found.reduces = *by * job.reduce_drift.value_or(1);
    if (!found.detail.empty()) found.detail += "; ";
    found.detail += drift_text("reduces", *found.reduces, known.reduces.done);
  }
  return found.maps || found.reduces ? std::optional(std::move(found)) : std::nullopt;
}

std::string progress_text(const JobProgress& progress) {
  const auto stage = [](const char* name, const StageProgress& of) {
    return fmt::format("{} of {} {}", of.done, of.total, name);
  };
  if (progress.reduces.total == 0) return stage("maps", progress.maps);
  return stage("maps", progress.maps) + ", " + stage("reduces", progress.reduces);
}

Count quarter_of(const JobProgress& progress) {
  const Count total = progress.maps.total + progress.reduces.total;
  return total == 0 ? 0 : 4 * (progress.maps.done + progress.reduces.done) / total;
}

}  // namespace

std::shared_ptr<const LengthModel> ProgressFeedback::lengths_of(const LiveJob& job) const {
  if (auto model = job.profile.empty() ? nullptr : lengths_(job)) return model;
  if (job.maps.tasks + job.reduces.tasks == 0) return nullptr;
  const auto listed = [](const StageWork& work, const std::optional<double>& drift) {
    return ms(std::llround(static_cast<double>(work.mean.count()) / drift.value_or(1)));
  };
  return std::make_shared<const LengthModel>(
      fixed_lengths(listed(job.maps, job.map_drift), listed(job.reduces, job.reduce_drift)));
}

FeedbackNews ProgressFeedback::poll(const LiveBatch& batch, Time now, Duration steady) {
  FeedbackNews news;
  for (const std::string& id : poller_.step(batch, now, steady)) {
    const LiveJob* job = job_with(batch, id);
    const JobProgress& progress = poller_.known().at(id);
    if (job == nullptr) continue;
    const Count quarter = quarter_of(progress);
    Count& told = quarters_.try_emplace(id, quarter).first->second;  // the first reading tells nothing new
    if (quarter > std::exchange(told, quarter) && quarter < 4)
      news.events.push_back({id, "Progress", progress_text(progress)});
    if (job->many_applications) continue;  // the profile is of all of them
    if (auto drift = drift_in(*job, known_job(*job, lengths_of(*job), progress)))
      news.drifts.push_back(std::move(*drift));
  }
  if (news.drifts.empty()) return news;
  for (const LiveJob& job : batch.jobs) {
    const auto progress = poller_.known().find(job.id);
    const bool has_no_task = job.state == LiveState::running
                                 ? progress != poller_.known().end() && !progress->second.started
                                 : has_begun(job.state);
    if (has_no_task) news.idle.insert(job.id);
  }
  return news;
}

Outlook ProgressFeedback::look(const LiveBatch& batch, const OutlookOptions& how, Time now,
                               FeedbackNews& news) {
  KnownJobs known;
  for (const LiveJob& job : batch.jobs) {
    if (has_ended(job.state)) {
      quarters_.erase(job.id);
      at_risk_.erase(job.id);
      continue;
    }
    const auto progress = poller_.known().find(job.id);
    known[job.id] =
        known_job(job, lengths_of(job),
                  progress == poller_.known().end() ? std::nullopt : std::optional(progress->second));
  }
  Outlook outlook = look_ahead(batch, known, how, now);
  for (const LiveJob& job : batch.jobs) {
    const JobOutlook* of = outlook.of(job.id);
    if (of == nullptr || !of->end) continue;
    if (!job.expected_end) {
      const Time start = of->start ? of->start->p50 : job.started_at.value_or(now);
      news.promises.push_back({job.id, start, of->end->p50});
    }
    if (!of->on_time) continue;
    bool& at_risk = at_risk_[job.id];
    if (*of->on_time >= likely) at_risk = false;
    if (*of->on_time > 0.05 || std::exchange(at_risk, true)) continue;
    news.events.push_back(
        {job.id, "DeadlineAtRisk",
         fmt::format("it is to end by {}, and ends about {} ({} to {})", format_instant(*job.deadline),
                     format_clock(of->end->p50), format_clock(of->end->p5), format_clock(of->end->p95))});
  }
  return outlook;
}

}  // namespace wavewright
