#include "wavewright/energy/meters/energy_spans.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

namespace wavewright {

namespace {

// A usual interval and half: the next reading was missed.
bool is_long(Duration length, Duration usual) {
  return 2 * length > 3 * usual;
}

// In the order of the series, each of those that are there several times once.
std::vector<const Reading*> different_readings(const std::vector<Reading>& readings) {
  std::vector<std::size_t> order(readings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::tie(readings[i].at, readings[i].value); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<bool> repeated(readings.size(), false);
  for (std::size_t i = 1; i < order.size(); ++i) repeated[order[i]] = key(order[i]) == key(order[i - 1]);
  std::vector<const Reading*> different;
  different.reserve(readings.size());
  for (std::size_t i = 0; i < readings.size(); ++i)
    if (!repeated[i]) different.push_back(&readings[i]);
  return different;
}

// For each reading, whether it is in the longest run of rising times. A single one that is ahead of those
// that follow is not, nor one that is behind those before it. Of runs as long, the one that ends first.
std::vector<bool> in_order(const std::vector<const Reading*>& readings) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> ends;  // by length: the last reading of the run of that length that ends first
  std::vector<std::size_t> before(readings.size(), none);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const auto end = std::lower_bound(ends.begin(), ends.end(), readings[i]->at,
                                      [&](std::size_t last, Time at) { return readings[last]->at < at; });
    if (end != ends.begin()) before[i] = *(end - 1);
    if (end == ends.end()) {
      ends.push_back(i);
    } else if (readings[*end]->at > readings[i]->at) {
      *end = i;
    }
  }
  std::vector<bool> kept(readings.size(), false);
  for (std::size_t i = ends.empty() ? none : ends.back(); i != none; i = before[i]) kept[i] = true;
  return kept;
}

Duration usual_interval(const std::vector<const Reading*>& readings, const std::vector<bool>& kept) {
  std::vector<Duration> lengths;
  const Reading* before = nullptr;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!kept[i]) continue;
    if (before != nullptr) lengths.push_back(readings[i]->at - before->at);
    before = readings[i];
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
  explicit Spans(const SourceSeries& series)
      : series_(series),
        readings_(different_readings(series.readings)),
        kept_(in_order(readings_)),
        usual_(usual_interval(readings_, kept_)) {}

  SourceSpans all() {
    result_.found.readings = static_cast<Count>(readings_.size());
    result_.found.repeated = static_cast<Count>(series_.readings.size() - readings_.size());
    const Reading* before = nullptr;
    bool chained = false;  // `before` is the reading before
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      const Reading& each = *readings_[i];
      if (!kept_[i]) {
        ++result_.found.backwards;
        chained = false;
        continue;
      }
      if (!each.broke.empty() && before != nullptr) {
        ++result_.found.broken;
        result_.found.between += each.broke == "file" ? 1 : 0;
        chained = false;
      }
      if (chained) add(*before, each);
      before = &each;
      chained = true;
    }
    mark_doubtful();
    const PowersSeen seen = powers_seen();
    for (const Span& each : spans_) keep_or_not(each, seen);
    return std::move(result_);
  }

 private:
  static constexpr Milliwatts far = 3;

  struct Span {
    EnergySpan span;
    bool wrapped = false;
    bool gap = false;
    MicroJoules before = 0, after = 0;  // a counter's values
    std::optional<std::size_t> fall{};  // it is left out if that span is a reset
    bool rises_back = false;            // to the value before a fall, or above it

    [[nodiscard]] bool doubtful() const { return fall || rises_back; }
  };
  struct PowersSeen {
    Milliwatts lowest = most_plausible;
    Milliwatts highest = 0;  // 0 if none was seen
  };

  void add(const Reading& from, const Reading& to) {
    const bool gap = is_long(to.at - from.at, usual_);
    if (gap) ++result_.found.dropped;
    const bool power = series_.source.unit == MeterUnit::power;
    if (power && std::max(from.value, to.value) > most_plausible) {
      ++result_.found.resets;
      return;
    }
    if (power && gap) {
      ++result_.found.lost;
      return;
    }
    Span found{{from.at, to.at, 0}, !power && to.value < from.value, gap, from.value, to.value};
    if (power) {
      found.span.energy = energy_of(from.value + to.value, to.at - from.at) / 2;
    } else {
      found.span.energy = to.value - from.value + (found.wrapped ? series_.source.wraps_at : 0);
    }
    spans_.push_back(found);
  }

  // A counter rises. A reading that alone is below the one before it makes a step back up. One that alone is
  // above the one after it makes a step up before.
  void mark_doubtful() {
    if (series_.source.unit == MeterUnit::power) return;
    std::optional<MicroJoules> peak;  // before a fall, until the counter is there again
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      Span& each = spans_[i];
      if (each.wrapped) {
        Span* const next = touching(i, i + 1);
        Span* const last = i == 0 ? nullptr : touching(i - 1, i) == nullptr ? nullptr : &spans_[i - 1];
        if (next != nullptr && next->after >= each.before) {
          next->fall = i;
        } else if (last != nullptr && each.after >= last->before) {
          last->fall = i;
        }
        peak = each.before;
      } else if (peak && each.after >= *peak) {
        each.rises_back = true;
        peak.reset();
      }
    }
  }
  // The second span, if it begins where the first one ends.
  [[nodiscard]] Span* touching(std::size_t first, std::size_t second) {
    if (second >= spans_.size() || spans_[first].span.to != spans_[second].span.from) return nullptr;
    return &spans_[second];
  }

  // Spans with a gap or a wrap do not count, nor do doubtful ones: their energy is not sure.
  [[nodiscard]] PowersSeen powers_seen() const {
    PowersSeen seen;
    for (const Span& each : spans_) {
      const Milliwatts power = power_of(each.span);
      if (each.gap || each.wrapped || each.doubtful() || power > most_plausible) continue;
      seen.lowest = std::min(seen.lowest, power);
      seen.highest = std::max(seen.highest, power);
    }
    return seen;
  }

  static bool is_reset(const Span& each, const PowersSeen& seen) {
    const Milliwatts power = power_of(each.span);
    return each.span.energy < 0 || power > most_plausible ||
           ((each.wrapped || each.rises_back) && seen.highest > 0 && power > far * seen.highest);
  }

  void keep_or_not(const Span& each, const PowersSeen& seen) {
    const Milliwatts power = power_of(each.span);
    if (is_reset(each, seen) || (each.fall && is_reset(spans_[*each.fall], seen))) {
      ++result_.found.resets;
    } else if (each.gap && could_wrap_again(each.span, seen.highest)) {
      ++result_.found.ambiguous;
    } else if (each.gap && implausible(power, seen)) {
      ++result_.found.implausible;
    } else {
      result_.found.wraps += each.wrapped ? 1 : 0;
      result_.spans.push_back(each.span);
    }
  }

  // At either end of a series, a reading with a wrong time is not out of order. It makes a gap in which the
  // counter seems to stand almost still.
  static bool implausible(Milliwatts power, const PowersSeen& seen) {
    return seen.highest > 0 && (far * power < seen.lowest || power > far * seen.highest);
  }

  // At the highest power, could the counter have gone round once more?
  [[nodiscard]] bool could_wrap_again(const EnergySpan& span, Milliwatts highest) const {
    const auto round = static_cast<double>(series_.source.wraps_at);
    return round > 0 && static_cast<double>(highest) * static_cast<double>(to_ms(span.to - span.from)) >
                            static_cast<double>(span.energy) + round;
  }

  const SourceSeries& series_;
  std::vector<const Reading*> readings_;
  std::vector<bool> kept_;  // by reading: its time is in order
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
    add_energy(sum.energy, shorter.energy());
  }
  sum.to = one.to();
  one.next();
  other.next();
  return sum;
}

}  // namespace

SpanFindings& SpanFindings::operator+=(const SpanFindings& other) {
  readings += other.readings;
  repeated += other.repeated;
  wraps += other.wraps;
  dropped += other.dropped;
  lost += other.lost;
  backwards += other.backwards;
  resets += other.resets;
  ambiguous += other.ambiguous;
  implausible += other.implausible;
  broken += other.broken;
  between += other.between;
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
      add_energy(open->energy, each.energy);
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
