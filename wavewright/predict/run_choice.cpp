#include "wavewright/predict/run_choice.h"

#include <numeric>

#include <fmt/format.h>

namespace wavewright {

std::string to_string(LeftOutWhy why) {
  switch (why) {
    case LeftOutWhy::not_succeeded:
      return "not_succeeded";
    case LeftOutWhy::incomplete:
      return "incomplete";
    case LeftOutWhy::size:
      return "size";
    case LeftOutWhy::shared:
      return "shared";
    case LeftOutWhy::configuration:
      return "configuration";
    case LeftOutWhy::older:
      break;
  }
  return "older";
}

std::string left_out_text(LeftOutWhy why) {
  switch (why) {
    case LeftOutWhy::not_succeeded:
      return "did not succeed";
    case LeftOutWhy::incomplete:
      return "told too few times of tasks";
    case LeftOutWhy::size:
      return "of the size that is held out";
    case LeftOutWhy::shared:
      return "shared the cluster";
    case LeftOutWhy::configuration:
      return "configured otherwise";
    case LeftOutWhy::older:
      break;
  }
  return "older";
}

bool is_never_used(LeftOutWhy why) {
  return why == LeftOutWhy::not_succeeded || why == LeftOutWhy::incomplete || why == LeftOutWhy::shared;
}

Count LeftOutCounts::total() const {
  return std::accumulate(counts.begin(), counts.end(), Count{0});
}

std::string LeftOutCounts::text() const {
  std::string text;
  for (const LeftOutWhy why : left_out_reasons) {
    if (of(why) == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", of(why), left_out_text(why));
  }
  return text;
}

LeftOutCounts& LeftOutCounts::operator+=(const LeftOutCounts& other) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  return *this;
}

LeftOutCounts RunChoice::never_used() const {
  LeftOutCounts never;
  for (const LeftOutRun& run : left_out) {
    if (is_never_used(run.why)) never.add(run.why);
  }
  return never;
}

LeftOutCounts RunChoice::counts() const {
  LeftOutCounts counts;
  for (const LeftOutRun& run : left_out) counts.add(run.why);
  return counts;
}

}  // namespace wavewright
