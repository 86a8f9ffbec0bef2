// Progress of running MapReduce jobs, from their application masters through the ResourceManager's proxy.
#pragma once

#include <chrono>

#include "wavewright/history/source/server.h"
#include "wavewright/live/outlook/job_progress.h"

namespace wavewright {

class YarnProgress : public ProgressReader {
 public:
  // The server, a ResourceManager, must outlive it. A master that says nothing for so long gives no answer.
  explicit YarnProgress(const WebServer& resource_manager,
                        std::chrono::milliseconds silence = HttpLimits().silence)
      : resource_manager_(resource_manager), silence_(silence) {}

  // The tasks of a job with more than `most_tasks` are not asked for one by one: an application master would
  // send megabytes each time.
  static constexpr Count most_tasks = 5'000;
  [[nodiscard]] std::optional<JobProgress> progress(const std::string& application) override;

 private:
  const WebServer& resource_manager_;
  std::chrono::milliseconds silence_;
};

}  // namespace wavewright
