// Reads workload files for commands. A job that names a profile and lists no tasks has those that the store's
// runs of that name predict.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/job/validator.h"
#include "wavewright/job/workload_file.h"

namespace wavewright::app {

// Copies share what they read of the store, which is opened for the first job that needs it. May be used by
// several threads. `context` must outlive it.
class JobReader {
 public:
  explicit JobReader(const Context& context);

  // With the command's seed; warnings become notes.
  [[nodiscard]] Workload read(const std::string& path) const;
  // So many tasks may come with a request to a daemon.
  static constexpr Count most_tasks_of_request = 2'000'000;

  // Jobs that are added to those with the ids `elsewhere`. A text has at most `most_tasks`.
  [[nodiscard]] Workload read_more(const std::string& path, std::vector<std::string> elsewhere) const;
  [[nodiscard]] Workload parse_more(const std::string& text, const std::string& source,
                                    std::vector<std::string> elsewhere,
                                    Count most_tasks = wavewright::most_tasks()) const;
  // The same file for another seed, without warnings.
  [[nodiscard]] Workload read_again(const std::string& path, std::uint64_t seed) const;
  // For callers that take one job at a time; `warns` as in `read`.
  [[nodiscard]] WorkloadReadOptions options(std::uint64_t seed, bool warns) const;

 private:
  class Profiles;
  const Context& context_;
  std::shared_ptr<Profiles> profiles_;
};

}  // namespace wavewright::app
