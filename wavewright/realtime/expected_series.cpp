#include "wavewright/realtime/expected_series.h"

#include <algorithm>

namespace wavewright {

ExpectedSeries::ExpectedSeries(const std::vector<Series>& all) {
  series_.reserve(all.size());
  for (const Series& each : all) series_.push_back({each});
}

ExpectedSeries::Promised* ExpectedSeries::of(std::string_view name) {
  const auto found = std::find_if(series_.begin(), series_.end(),
                                  [&](const Promised& each) { return each.series.name == name; });
  return found == series_.end() ? nullptr : &*found;
}

AdmissionAnswer ExpectedSeries::admit_all(const RealtimeJob& first, Promised& series,
                                          AdmissionController& admission, Time now) {
  if (first.deadline == Time::max()) return {};
  std::vector<RealtimeJob> all{first};
  const JobIndex before = next_;
  for (Count i = 1; i < series.series.times; ++i) {
    all.push_back(first);
    all.back().job = next_--;
    all.back().series = static_cast<std::uint32_t>(&series - series_.data()) + 1;
    all.back().near_maps = 0;  // its blocks are not known yet
    all.back().release = now + i * series.series.every;
    all.back().deadline = first.deadline + i * series.series.every;
  }
  const AdmissionAnswer answer = admission.admit_expected(all, now);
  if (answer.accepted) {
    series.begun = true;
    series.expected.assign(all.begin() + 1, all.end());
  } else {
    next_ = before;
  }
  return answer;
}

void ExpectedSeries::forget_missed(AdmissionController& admission, Time now) {
  for (Promised& series : series_) {
    for (; !series.expected.empty() && series.expected.front().release < now; series.expected.pop_front())
      admission.finished(series.expected.front().job, {}, {}, now);
  }
}

bool ExpectedSeries::came_as_expected(const RealtimeJob& job, Promised& series,
                                      AdmissionController& admission, Time now) {
  forget_missed(admission, now);
  if (series.expected.empty()) return false;
  const RealtimeJob promised = series.expected.front();
  series.expected.pop_front();
  if (job.maps > promised.maps || job.reduces > promised.reduces || job.map > promised.map ||
      job.reduce > promised.reduce || job.deadline < promised.deadline) {
    admission.finished(promised.job, {}, {}, now);
    return false;
  }
  admission.came(promised.job, job, now);
  return true;
}

}  // namespace wavewright
