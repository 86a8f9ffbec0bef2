// Reads meters round by round and keeps what they say.
//
// Its times are the wall clock's at the beginning, and from then on those of a clock that nobody sets. Where
// the wall clock is set by more than a second, the recording follows it and says so (`clock`). Where the
// machine was suspended, it says that (`suspended`). The reader leaves out what lies between
// (energy_spans.h). A meter that fails meanwhile ends no recording.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/energy/meters/source_series.h"

namespace wavewright {

struct RecorderClocks {
  Time wall{};         // ms since 1970; may be set
  Duration running{};  // since the machine started, time asleep included
  Duration awake{};    // without the time asleep
};
[[nodiscard]] RecorderClocks clocks_now();

class MeterRecorder {
 public:
  MeterRecorder(std::vector<std::unique_ptr<Meter>> meters, const std::string& node,
                std::function<RecorderClocks()> clocks = clocks_now);

  // Reads all meters once. Returns the series that have a new reading; where one has several (of a file),
  // `each` is called for every one as the series' last. A meter that fails gives no reading. O(sources + new
  // readings).
  void take(const std::function<void(const std::vector<const SourceSeries*>&)>& each = {});

  [[nodiscard]] const std::vector<SourceSeries>& series() const { return series_; }
  [[nodiscard]] Count rounds() const { return rounds_; }
  // By series: rounds in which the source could not be read. 0 of meters with samples at their own times.
  [[nodiscard]] const std::vector<Count>& missed() const { return missed_; }
  // How meters failed, in the order in which they did: malformed data and a meter that is gone once each.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  // The power of the last round's spans together, mW; 0 before the second round.
  [[nodiscard]] Milliwatts power() const;

 private:
  Time instant(std::string& broke);
  std::vector<MeterSample> read(std::size_t meter, Time now);

  std::vector<std::unique_ptr<Meter>> meters_;
  std::vector<std::size_t> first_;  // by meter: the series of its source 0
  std::vector<SourceSeries> series_;
  std::vector<std::string> pending_;  // why the next reading of each series is broken off
  std::function<RecorderClocks()> clocks_;
  RecorderClocks anchor_, last_;
  Count rounds_ = 0;
  std::vector<Count> missed_;
  std::vector<std::pair<std::size_t, ExitStatus>> failed_;  // meters, and the kinds of their errors
  std::vector<std::string> failures_;
};

}  // namespace wavewright
