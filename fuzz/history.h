// What must hold of whatever a history reader makes of any bytes.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "wavewright/history/reader.h"
#include "wavewright/history/to_job.h"
#include "wavewright/profile/run_phases.h"
#include "wavewright/store/task_codec.h"

namespace wavewright::fuzz {

// Ends the process, which libFuzzer reports with the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

// What reads the run next must take it, and the store must give it back as it was.
inline void use_run(const JobRun& run) {
  static_cast<void>(phases_of(run));
  std::string why;
  static_cast<void>(to_job(run, why));
  const std::string packed = pack_tasks(run);
  JobRun again;
  again.id = run.id;
  unpack_tasks(packed, again);
  require(again.tasks.size() == run.tasks.size() && again.counters == run.counters);
  require(pack_tasks(again) == packed);
}

inline const HistoryReader& reader_named(std::string_view format) {
  for (const auto& reader : history_readers()) {
    if (reader->format() == format) return *reader;
  }
  std::abort();
}

// Nothing is read in silence: no run means a reason.
inline void read_history_bytes(const HistoryReader& reader, std::string_view bytes) {
  int runs = 0;
  int reasons = 0;
  reader.read(
      bytes, "input",
      [&](JobRun&& run) {
        ++runs;
        use_run(run);
      },
      [&](Diagnostic&& diagnostic) {
        ++reasons;
        require(!diagnostic.reason.empty());
        require(diagnostic.reason.find('\n') == std::string::npos);
        require(diagnostic.detail.find('\n') == std::string::npos);
      });
  require(runs > 0 || reasons > 0);
}

inline std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace wavewright::fuzz
