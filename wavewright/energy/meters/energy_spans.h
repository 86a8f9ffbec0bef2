// From readings to energy between instants: wraps undone, gaps and jumps left out.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/energy/meters/source_series.h"

namespace wavewright {

// [from, to)
struct EnergySpan {
  Time from{}, to{};
  MicroJoules energy = 0;

  friend bool operator==(const EnergySpan&, const EnergySpan&) = default;
};

// Counts of readings that were mended, and of those that were left out.
struct SpanFindings {
  Count readings = 0;   // without those that are repeated
  Count repeated = 0;   // equal to another one in time and value: both count once
  Count wraps = 0;      // of a counter, undone
  Count dropped = 0;    // spans of more than 1.5 usual intervals; a counter's energy holds
  Count lost = 0;       // of these: a gauge's, left out
  Count backwards = 0;  // readings out of order in time, of which the longest run in order is kept: left out
  // A counter jumped back, or by more than any machine draws, or a gauge shows more: the span is left out. So
  // is the step to or from a reading that alone is too low or too high, and a step back above the value
  // before the jump with more than three times the highest power of other spans.
  Count resets = 0;
  Count ambiguous = 0;  // spans in which the counter may have wrapped more than once: left out
  // Dropped spans with less than a third of the lowest power of other spans, or more than three times their
  // highest: left out. A reading had a wrong time.
  Count implausible = 0;
  // The machine was suspended, its clock was set, or another recording began: the span is left out.
  Count broken = 0;
  Count between = 0;  // of these: between two recordings

  SpanFindings& operator+=(const SpanFindings& other);
};

struct SourceSpans {
  std::vector<EnergySpan> spans;  // in order of time, none overlaps another
  SpanFindings found;
};

// More than any source draws: a reading of a gauge or a step of a counter above it does not count.
inline constexpr Milliwatts most_plausible = 100'000'000;

// A gauge's energy is that of the straight line between two readings. O(readings log readings).
[[nodiscard]] SourceSpans spans_of(const SourceSeries& series);

// Spans of both at once: those between instants at which both begin and end. O(spans).
[[nodiscard]] std::vector<EnergySpan> added_spans(const std::vector<EnergySpan>& one,
                                                  const std::vector<EnergySpan>& other);

// Neighbours joined until each is `least` long; a shorter rest is left out. O(spans).
[[nodiscard]] std::vector<EnergySpan> joined_spans(const std::vector<EnergySpan>& spans, Duration least);

}  // namespace wavewright
