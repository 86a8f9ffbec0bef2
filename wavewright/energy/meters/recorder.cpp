#include "wavewright/energy/meters/recorder.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "wavewright/core/when.h"

namespace wavewright {

namespace {

Duration read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::duration_cast<Duration>(std::chrono::seconds(now.tv_sec) +
                                              std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

RecorderClocks clocks_now() {
  return {now_instant(), read_clock(CLOCK_BOOTTIME), read_clock(CLOCK_MONOTONIC)};
}

MeterRecorder::MeterRecorder(std::vector<std::unique_ptr<Meter>> meters, const std::string& node,
                             std::function<RecorderClocks()> clocks)
    : meters_(std::move(meters)), clocks_(std::move(clocks)), anchor_(clocks_()), last_(anchor_) {
  for (const auto& meter : meters_) {
    first_.push_back(series_.size());
    for (const MeterSource& source : meter->sources()) series_.push_back({node, source, {}});
  }
  pending_.resize(series_.size());
  missed_.resize(series_.size());
}

Time MeterRecorder::instant(std::string& broke) {
  constexpr Duration set = ms(1000), asleep = ms(100);
  const RecorderClocks now = clocks_();
  const Time expected = anchor_.wall + (now.running - anchor_.running);
  if ((now.running - last_.running) - (now.awake - last_.awake) > asleep) broke = "suspended";
  if (now.wall - expected > set || expected - now.wall > set) {
    broke = "clock";
    anchor_ = now;
  }
  last_ = now;
  return anchor_.wall + (now.running - anchor_.running);
}

std::vector<MeterSample> MeterRecorder::read(std::size_t meter, Time now) {
  try {
    return meters_[meter]->read(now);
  } catch (const Error& error) {
    const std::pair<std::size_t, ExitStatus> kind{meter, error.status()};
    if (std::find(failed_.begin(), failed_.end(), kind) == failed_.end()) {
      failed_.push_back(kind);
      // One line, whatever the data hold.
      failures_.emplace_back(ExternalError(error.where(), error.problem()).what());
    }
  }
  try {
    return meters_[meter]->read(now);  // the rest
  } catch (const Error&) {
    return {};
  }
}

void MeterRecorder::take(const std::function<void(const std::vector<const SourceSeries*>&)>& each) {
  std::string broke;
  const Time now = instant(broke);
  if (!broke.empty()) std::fill(pending_.begin(), pending_.end(), broke);
  ++rounds_;
  std::vector<const SourceSeries*> round;
  for (std::size_t m = 0; m < meters_.size(); ++m) {
    const std::vector<MeterSample> samples = read(m, now);
    std::vector<bool> told(meters_[m]->sources().size(), false);
    for (const MeterSample& sample : samples) {
      const std::size_t at = first_[m] + sample.source;
      // A second reading of the source: what is there goes out first.
      if (told[sample.source] && each) each({&series_[at]});
      told[sample.source] = true;
      series_[at].readings.push_back({sample.at, sample.value, std::exchange(pending_[at], {})});
    }
    for (std::size_t s = 0; s < told.size(); ++s) {
      if (told[s]) {
        round.push_back(&series_[first_[m] + s]);
      } else if (!meters_[m]->at_own_times()) {
        ++missed_[first_[m] + s];
      }
    }
  }
  if (each && !round.empty()) each(round);
}

Milliwatts MeterRecorder::power() const {
  Milliwatts sum = 0;
  for (const SourceSeries& each : series_) {
    if (each.readings.empty()) continue;
    const Reading& last = each.readings.back();
    if (each.source.unit == MeterUnit::power) sum += last.value;
    if (each.source.unit == MeterUnit::power || each.readings.size() < 2) continue;
    const Reading& before = each.readings[each.readings.size() - 2];
    const Duration time = last.at - before.at;
    // A counter that wrapped says nothing here; the next round does.
    if (time > ms(0) && last.value > before.value) sum += (last.value - before.value) / to_ms(time);
  }
  return sum;
}

}  // namespace wavewright
