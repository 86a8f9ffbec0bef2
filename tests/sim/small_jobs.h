// Jobs of a few tasks, written in milliseconds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

inline Job job_of(const char* id, std::vector<int> maps, std::vector<int> reduces, int submit = 0) {
  Job job;
  job.id = id;
  job.submit = at_ms(submit);
  for (const int map : maps) job.maps.push_back(ms(map));
  for (const int reduce : reduces) job.reduces.push_back(ms(reduce));
  return job;
}

// One that waits for others.
inline Job job_after(const char* id, std::vector<int> maps, std::vector<int> reduces,
                     std::vector<std::string> after) {
  Job job = job_of(id, std::move(maps), std::move(reduces));
  job.after = std::move(after);
  return job;
}

}  // namespace wavewright
