#include "wavewright/profile/why.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/profile/task_times.h"

namespace wavewright {

namespace {

const std::vector<std::string>& phase_names() {
  static const std::vector<std::string> names = {"map", "first_shuffle", "shuffle", "reduce"};
  return names;
}

// `First shuffle`, as tables name it, is `first_shuffle`; `later shuffle` is `shuffle`.
std::string phase_of(std::string text) {
  for (char& c : text) {
    if (c == ' ' || c == '-') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text == "later_shuffle" ? "shuffle" : text;
}

std::optional<Duration> length_in(const TaskTime& time, PhaseName phase) {
  switch (phase) {
    case PhaseName::map:
      return time.map;
    case PhaseName::first_shuffle:
      return time.first_wave ? time.shuffle : std::nullopt;
    case PhaseName::shuffle:
      return time.first_wave ? std::nullopt : time.shuffle;
    case PhaseName::reduce:
      break;
  }
  return time.reduce;
}

std::optional<double> quantile_of(const std::string& text) {
  int percent = 0;
  const char* const end = text.data() + text.size();
  if (text.size() < 2 || text[0] != 'p') return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data() + 1, end, percent);
  if (error != std::errc{} || stop != end || percent < 0 || percent > 100) return std::nullopt;
  return percent / 100.0;
}

// Distance of each length (ascending) from the statistic: in ranks, or in ms for a mean.
std::vector<double> distances(const Statistic& statistic, const std::vector<Duration>& lengths) {
  const bool by_length = statistic.kind == Statistic::Kind::mean;
  const auto count = static_cast<double>(lengths.size());
  const auto length = [&](std::size_t i) { return static_cast<double>(lengths[i].count()); };
  double place = count - 1;
  if (statistic.kind == Statistic::Kind::min) place = 0;
  if (statistic.kind == Statistic::Kind::quantile) place *= statistic.q;
  if (by_length) {
    place = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) place += length(i) / count;
  }
  std::vector<double> far;
  far.reserve(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    far.push_back(std::abs((by_length ? length(i) : static_cast<double>(i)) - place));
  }
  return far;
}

}  // namespace

std::string to_string(PhaseName phase) {
  return phase_names()[static_cast<std::size_t>(phase)];
}

Statistic parse_statistic(const std::string& text) {
  const std::size_t dot = text.find('.');
  const std::string phase = phase_of(text.substr(0, dot));
  const auto known = std::find(phase_names().begin(), phase_names().end(), phase);
  if (known == phase_names().end()) {
    throw UsageError("no phase '" + phase + "' to explain", suggestion(phase, phase_names()));
  }
  Statistic statistic;
  statistic.phase = static_cast<PhaseName>(known - phase_names().begin());
  if (dot == std::string::npos) return statistic;
  const std::string kind = text.substr(dot + 1);
  if (kind == "min" || kind == "mean" || kind == "max") {
    statistic.kind = kind == "min"    ? Statistic::Kind::min
                     : kind == "mean" ? Statistic::Kind::mean
                                      : Statistic::Kind::max;
  } else if (const auto q = quantile_of(kind)) {
    statistic.kind = Statistic::Kind::quantile;
    statistic.q = *q;
  } else {
    throw UsageError("no statistic '" + kind + "'", "min, mean, max, or a percentile like p95");
  }
  return statistic;
}

void add_sources(const JobRun& run, PhaseName phase, std::vector<TaskSource>& sources) {
  for (const TaskTime& time : task_times(run)) {
    if (const std::optional<Duration> length = length_in(time, phase)) {
      sources.push_back({run.id, time.task->id, time.attempt->id, time.attempt->node, *length});
    }
  }
}

std::vector<std::size_t> nearest_to(const Statistic& statistic, std::span<const Duration> lengths,
                                    std::size_t most) {
  std::vector<std::size_t> places(lengths.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
  std::vector<Duration> ascending;
  ascending.reserve(lengths.size());
  for (const std::size_t place : places) ascending.push_back(lengths[place]);
  const std::vector<double> far = distances(statistic, ascending);
  std::vector<std::size_t> near(lengths.size());
  std::iota(near.begin(), near.end(), std::size_t{0});
  std::stable_sort(near.begin(), near.end(), [&](std::size_t a, std::size_t b) { return far[a] < far[b]; });
  near.resize(std::min(most, near.size()));
  for (std::size_t& each : near) each = places[each];
  return near;
}

std::vector<TaskSource> sources_of(const Statistic& statistic, std::vector<TaskSource> sources,
                                   std::size_t most) {
  std::vector<Duration> lengths;
  lengths.reserve(sources.size());
  for (const TaskSource& source : sources) lengths.push_back(source.length);
  std::vector<TaskSource> chosen;
  for (const std::size_t place : nearest_to(statistic, lengths, most)) chosen.push_back(sources[place]);
  return chosen;
}

std::string order_of(const Statistic& statistic) {
  switch (statistic.kind) {
    case Statistic::Kind::min:
      return "the shortest first";
    case Statistic::Kind::mean:
      return "nearest to their mean first";
    case Statistic::Kind::quantile:
      return fmt::format("nearest to the {:.0f} % point first", 100 * statistic.q);
    case Statistic::Kind::whole:
    case Statistic::Kind::max:
      break;
  }
  return "the longest first";
}

}  // namespace wavewright
