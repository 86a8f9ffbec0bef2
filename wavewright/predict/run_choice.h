// Which stored runs of a job a prediction is made from, and which are left out and why.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

// In the order in which the reasons are looked at; each run has the first one that holds.
enum class LeftOutWhy : std::uint8_t {
  not_succeeded,  // failed, killed, or not done
  incomplete,     // times of fewer than half of its maps, or of its reduces, are known
  size,           // of the size that is predicted from other sizes
  shared,         // shared the cluster with other jobs: it also waited for them
  configuration,  // other settings, generation of Hadoop or size of splits (profile/groups.h)
  older,          // more runs than needed are newer
};
inline constexpr std::array<LeftOutWhy, 6> left_out_reasons = {
    LeftOutWhy::not_succeeded, LeftOutWhy::incomplete,    LeftOutWhy::size,
    LeftOutWhy::shared,        LeftOutWhy::configuration, LeftOutWhy::older};
[[nodiscard]] std::string to_string(LeftOutWhy why);      // for programs: `not_succeeded`, `shared`, …
[[nodiscard]] std::string left_out_text(LeftOutWhy why);  // for people: `shared the cluster`, …

// Left out whatever run is predicted?
[[nodiscard]] bool is_never_used(LeftOutWhy why);

struct LeftOutRun {
  std::string id;
  LeftOutWhy why = LeftOutWhy::not_succeeded;

  friend bool operator==(const LeftOutRun&, const LeftOutRun&) = default;
};

// Number of runs left out, by reason.
struct LeftOutCounts {
  std::array<Count, left_out_reasons.size()> counts{};

  [[nodiscard]] Count of(LeftOutWhy why) const { return counts[static_cast<std::size_t>(why)]; }
  [[nodiscard]] Count total() const;
  LeftOutCounts& operator+=(const LeftOutCounts& other);
  void add(LeftOutWhy why) { ++counts[static_cast<std::size_t>(why)]; }
  // `2 shared the cluster, 1 did not succeed`; empty if there are none.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const LeftOutCounts&, const LeftOutCounts&) = default;
};

struct RunChoice {
  std::vector<RunPhases> runs;       // used, newest first
  std::vector<LeftOutRun> left_out;  // newest first
  // Runs that shared the cluster are used, because no other can answer.
  bool shared_used = false;

  [[nodiscard]] LeftOutCounts counts() const;
  // Those that did not succeed, are incomplete or shared the cluster: left out whatever run is predicted.
  [[nodiscard]] LeftOutCounts never_used() const;
};

}  // namespace wavewright
