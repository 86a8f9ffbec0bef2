// The errors of past estimates of a job, and whether it has changed since most of its runs. Shown beside
// every estimate of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wavewright/predict/predictor.h"

namespace wavewright {

struct TrackRecord {
  Count runs = 0;         // the newest, each predicted from the others (predict/evaluate.h)
  double error = 0;       // mean of |p50 − measured| / measured
  Count live_runs = 0;    // of live batches, with a promise
  double live_error = 0;  // mean of |measured − promised| / promised
  // The latest change of its lengths (profile/changes.h), while older runs still weigh a tenth or more.
  struct Changed {
    std::string phase;  // `map` or `reduce`
    double factor = 1;  // length after / before
    std::optional<Time> when = std::nullopt;
    Count runs = 0;  // since then

    friend bool operator==(const Changed&, const Changed&) = default;
  };
  std::optional<Changed> changed = std::nullopt;

  friend bool operator==(const TrackRecord&, const TrackRecord&) = default;
};

inline constexpr std::size_t runs_of_a_record = 12;

// `live_errors`: signed, of (measured − promised) / promised. O(runs_of_a_record · a prediction).
[[nodiscard]] TrackRecord track_record(const Predictor& predictor, std::span<const double> live_errors = {},
                                       std::uint64_t seed = 1);

// `±9 % in its last 12 runs, ±4 % in 6 live runs`; empty if there are none.
[[nodiscard]] std::string record_text(const TrackRecord& record);
// `its maps take 1.40 times as long since 2026-11-20 06:00:00 (3 runs)`; empty without a change.
[[nodiscard]] std::string change_text(const TrackRecord& record);

}  // namespace wavewright
