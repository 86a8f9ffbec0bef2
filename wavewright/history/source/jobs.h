// Shared by the two REST sources: reads a job by several requests, and separates a fault of one job from a
// fault of the whole server.
//
// A job costs four requests (job, counters, settings, tasks) and two for each task (attempts, counters):
// Hadoop has no request for all of them. A JobHistory server keeps only the last few jobs parsed
// (mapreduce.jobhistory.loadedjobs.cache.size, default 5), so at most four are read at once.
#pragma once

#include <functional>
#include <semaphore>
#include <string>

#include "wavewright/history/source.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

inline constexpr int most_jobs_at_once = 4;

class JobReading {
 public:
  // `alive`: a path that a healthy server answers; requested after a request for a job got no answer.
  JobReading(const WebServer& server, std::string alive) : server_(server), alive_(std::move(alive)) {}

  // Reads the job at `path` (`/ws/v1/…/jobs/ID`) into `file`, which has its name. `prepare` sets what the
  // job's own responses lack. Throws ExternalError if the server is gone; any other fault is a diagnostic.
  void read(const std::string& path, const std::function<void(JobRun&)>& prepare, FileHistory& file) const;

 private:
  void take(const std::string& path, const std::function<void(JobRun&)>& prepare, FileHistory& file) const;

  const WebServer& server_;
  std::string alive_;
  mutable std::counting_semaphore<most_jobs_at_once> free_{most_jobs_at_once};
};

}  // namespace wavewright
