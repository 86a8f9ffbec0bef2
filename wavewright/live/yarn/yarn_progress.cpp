#include "wavewright/live/yarn/yarn_progress.h"

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/history/rest/answers.h"

namespace wavewright {

std::optional<JobProgress> YarnProgress::progress(const std::string& application) {
  if (!rest::is_application_id(application)) return std::nullopt;
  const std::string path = fmt::format("/proxy/{}/ws/v1/mapreduce/jobs/job_{}", application,
                                       application.substr(application.find('_') + 1));
  const std::string url = resource_manager_.base() + path;
  const ServerAnswer job = resource_manager_.json(path, nullptr, silence_);
  if (!job.good()) return std::nullopt;  // another kind of application, or its master is not up yet
  const JobProgress counts = parse_progress(job.body, {}, url, now_instant());
  if (counts.maps.total + counts.reduces.total > most_tasks) return counts;
  const ServerAnswer tasks = resource_manager_.json(path + "/tasks", nullptr, silence_);
  return tasks.good() ? parse_progress(job.body, tasks.body, url, now_instant()) : counts;
}

}  // namespace wavewright
