#include "wavewright/job/summary.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace wavewright {

namespace {

std::optional<double> load(Duration work, Count slots, Duration span) {
  if (slots <= 0 || span <= Duration{}) return std::nullopt;
  return static_cast<double>(to_ms(work)) / (static_cast<double>(slots) * static_cast<double>(to_ms(span)));
}

}  // namespace

std::optional<double> WorkloadSummary::offered_map_load(Count slots) const {
  return load(maps.work, slots, last_submit - first_submit);
}

std::optional<double> WorkloadSummary::offered_reduce_load(Count slots) const {
  return load(reduces.work + shuffle.work, slots, last_submit - first_submit);
}

void WorkloadSummarizer::Stage::add(const std::vector<Duration>& more) {
  if (more.empty()) return;
  ++jobs;
  work = std::accumulate(more.begin(), more.end(), work);
  durations.insert(durations.end(), more.begin(), more.end());
}

StageSummary WorkloadSummarizer::Stage::finish() {
  StageSummary result;
  result.jobs = jobs;
  result.work = work;
  result.tasks = static_cast<Count>(durations.size());
  if (durations.empty()) return result;
  // Selects order statistics in ascending order; each search starts where the last one ended.
  auto sorted_to = durations.begin();
  const auto at = [&](std::size_t index) {
    const auto place = durations.begin() + static_cast<std::ptrdiff_t>(index);
    if (place >= sorted_to) {
      std::nth_element(sorted_to, place, durations.end());
      sorted_to = place + 1;
    }
    return *place;
  };
  const std::size_t last = durations.size() - 1;
  for (std::size_t quarter = 0; quarter < result.quantiles.size(); ++quarter) {
    const std::size_t below = last / 4 * quarter + last % 4 * quarter / 4;
    const auto part = static_cast<std::int64_t>(last * quarter - below * 4);  // quarters above `below`
    const Duration low = at(below);
    const Duration high = part > 0 ? at(below + 1) : low;
    result.quantiles.at(quarter) = low + (high - low) / 4 * part + (high - low) % 4 * part / 4;
  }
  return result;
}

void WorkloadSummarizer::add(const Job& job) {
  maps_.add(job.maps);
  reduces_.add(job.reduces);
  first_shuffle_.add(job.first_shuffles);
  shuffle_.add(job.shuffles);
  summary_.first_submit = summary_.jobs == 0 ? job.submit : std::min(summary_.first_submit, job.submit);
  summary_.last_submit = summary_.jobs == 0 ? job.submit : std::max(summary_.last_submit, job.submit);
  ++summary_.jobs;
  summary_.with_deadline += job.deadline ? 1 : 0;
  summary_.with_after += job.after.empty() ? 0 : 1;
  const auto tasks = job.maps.size() + job.reduces.size();
  ++bins_.at(static_cast<std::size_t>(std::bit_width(tasks)));

  Duration work{};
  for (const auto* list : {&job.maps, &job.reduces, &job.shuffles}) {
    work = std::accumulate(list->begin(), list->end(), work);
  }
  std::vector<JobSize>& biggest = summary_.biggest;
  if (biggest.size() == WorkloadSummary::biggest_count && work <= biggest.back().work) return;
  const auto place =
      std::find_if(biggest.begin(), biggest.end(), [&](const JobSize& each) { return each.work < work; });
  biggest.insert(place, {job.id, job.name, static_cast<Count>(job.maps.size()),
                         static_cast<Count>(job.reduces.size()), work});
  if (biggest.size() > WorkloadSummary::biggest_count) biggest.pop_back();
}

WorkloadSummary WorkloadSummarizer::finish() {
  summary_.maps = maps_.finish();
  summary_.reduces = reduces_.finish();
  summary_.first_shuffle = first_shuffle_.finish();
  summary_.shuffle = shuffle_.finish();
  const auto filled = [](Count jobs) { return jobs > 0; };
  const auto begin = std::find_if(bins_.begin(), bins_.end(), filled) - bins_.begin();
  const auto end = bins_.rend() - std::find_if(bins_.rbegin(), bins_.rend(), filled);
  for (auto bin = begin; bin < end; ++bin) {
    const Count from = bin == 0 ? 0 : Count{1} << (bin - 1);
    summary_.sizes.push_back({from, bin == 0 ? 0 : from * 2 - 1, bins_.at(static_cast<std::size_t>(bin))});
  }
  return std::move(summary_);
}

}  // namespace wavewright
