#include "wavewright/energy/meters/energy_spans.h"

#include <algorithm>
#include <optional>

namespace wavewright {

namespace {

// A usual interval and half: the next reading was missed.
bool is_long(Duration length, Duration usual) {
  return 2 * length > 3 * usual;
}

Duration usual_interval(const std::vector<Reading>& readings) {
  std::vector<Duration> lengths;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    if (readings[i].at > readings[i - 1].at) lengths.push_back(readings[i].at - readings[i - 1].at);
  }
  if (lengths.empty()) return ms(0);
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

// µJ over ms are mW.
Milliwatts power_of(const EnergySpan& span) {
  return span.energy / to_ms(span.to - span.from);
}

class Spans {
 public:
  explicit Spans(const SourceSeries& series) : series_(series), usual_(usual_interval(series.readings)) {}

  SourceSpans all() {
    result_.found.readings = static_cast<Count>(series_.readings.size());
    const Reading* before = nullptr;
    bool chained = false;  // `before` is the reading before
    for (const Reading& each : series_.readings) {
      if (before != nullptr && each.at <= before->at) {
        ++result_.found.backwards;
        chained = false;
        continue;
      }
      if (!each.broke.empty() && before != nullptr) {
        ++result_.found.broken;
        chained = false;
      }
      if (chained) add(*before, each);
      before = &each;
      chained = true;
    }
    const Milliwatts highest = highest_power();
    for (const Span& each : spans_) keep_or_not(each, highest);
    return std::move(result_);
  }

 private:
  struct Span {
    EnergySpan span;
    bool wrapped = false;
    bool gap = false;
  };

  void add(const Reading& from, const Reading& to) {
    const bool gap = is_long(to.at - from.at, usual_);
    if (gap) ++result_.found.dropped;
    const bool power = series_.source.unit == MeterUnit::power;
    if (power && gap) return;
    Span found{{from.at, to.at, 0}, !power && to.value < from.value, gap};
    if (power) {
      found.span.energy = energy_of(std::min(from.value, most_plausible) + std::min(to.value, most_plausible),
                                    to.at - from.at) /
                          2;
    } else {
      found.span.energy = to.value - from.value + (found.wrapped ? series_.source.wraps_at : 0);
    }
    spans_.push_back(found);
  }

  // Spans with a gap or a wrap do not count: their energy is not sure.
  [[nodiscard]] Milliwatts highest_power() const {
    Milliwatts highest = 0;
    for (const Span& each : spans_) {
      const Milliwatts power = power_of(each.span);
      if (!each.gap && !each.wrapped && power <= most_plausible) highest = std::max(highest, power);
    }
    return highest;
  }

  void keep_or_not(const Span& each, Milliwatts highest) {
    constexpr Milliwatts far_above = 3;
    const Milliwatts power = power_of(each.span);
    const bool reset = each.span.energy < 0 || power > most_plausible ||
                       (each.wrapped && highest > 0 && power > far_above * highest);
    if (reset) {
      ++result_.found.resets;
    } else if (each.gap && could_wrap_again(each.span, highest)) {
      ++result_.found.ambiguous;
    } else {
      result_.found.wraps += each.wrapped ? 1 : 0;
      result_.spans.push_back(each.span);
    }
  }

  // At the highest power, could the counter have gone round once more?
  [[nodiscard]] bool could_wrap_again(const EnergySpan& span, Milliwatts highest) const {
    const auto round = static_cast<double>(series_.source.wraps_at);
    return round > 0 && static_cast<double>(highest) * static_cast<double>(to_ms(span.to - span.from)) >
                            static_cast<double>(span.energy) + round;
  }

  const SourceSeries& series_;
  Duration usual_;
  std::vector<Span> spans_;
  SourceSpans result_;
};

// Goes along spans, from one end to the next of those that touch.
class Walk {
 public:
  explicit Walk(const std::vector<EnergySpan>& spans) : spans_(spans) {}

  [[nodiscard]] bool ended() const { return at_ >= spans_.size(); }
  [[nodiscard]] Time from() const { return spans_[at_].from; }
  [[nodiscard]] Time to() const { return spans_[at_].to; }
  [[nodiscard]] MicroJoules energy() const { return spans_[at_].energy; }
  void next() { ++at_; }
  // False, and at the next span, where that one does not touch.
  [[nodiscard]] bool extend() {
    ++at_;
    return !ended() && spans_[at_].from == spans_[at_ - 1].to;
  }

 private:
  const std::vector<EnergySpan>& spans_;
  std::size_t at_ = 0;
};

// From a common beginning to the first common end; none if a span is missing before.
std::optional<EnergySpan> common_span(Walk& one, Walk& other) {
  EnergySpan sum{one.from(), one.to(), one.energy() + other.energy()};
  while (one.to() != other.to()) {
    Walk& shorter = one.to() < other.to() ? one : other;
    if (!shorter.extend()) return std::nullopt;
    sum.energy += shorter.energy();
  }
  sum.to = one.to();
  one.next();
  other.next();
  return sum;
}

}  // namespace

SpanFindings& SpanFindings::operator+=(const SpanFindings& other) {
  readings += other.readings;
  wraps += other.wraps;
  dropped += other.dropped;
  backwards += other.backwards;
  resets += other.resets;
  ambiguous += other.ambiguous;
  broken += other.broken;
  return *this;
}

SourceSpans spans_of(const SourceSeries& series) {
  return Spans(series).all();
}

std::vector<EnergySpan> added_spans(const std::vector<EnergySpan>& one,
                                    const std::vector<EnergySpan>& other) {
  std::vector<EnergySpan> sums;
  Walk a(one), b(other);
  while (!a.ended() && !b.ended()) {
    if (a.from() != b.from()) {
      (a.from() < b.from() ? a : b).next();
    } else if (const std::optional<EnergySpan> sum = common_span(a, b)) {
      sums.push_back(*sum);
    }
  }
  return sums;
}

std::vector<EnergySpan> joined_spans(const std::vector<EnergySpan>& spans, Duration least) {
  std::vector<EnergySpan> joined;
  std::optional<EnergySpan> open;
  for (const EnergySpan& each : spans) {
    if (open && open->to == each.from) {
      open->to = each.to;
      open->energy += each.energy;
    } else {
      open = each;
    }
    if (open->to - open->from < least) continue;
    joined.push_back(*open);
    open.reset();
  }
  return joined;
}

}  // namespace wavewright
