// Forecasts and promises in a store: the latest outlook of each live batch, and promised and measured lengths
// of its jobs, by profile. Neither is needed to run a batch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/outlook.h"
#include "wavewright/store/store.h"

namespace wavewright {

// A job that was done: how long it was expected to run, from its first task on, and how long it ran.
struct KeptPromise {
  std::string profile;
  Time ended{};
  Duration expected{}, measured{};

  // (measured − expected) / expected
  [[nodiscard]] double error() const;
};

// The store must outlive it. Functions throw ExternalError if the database fails.
class OutlookStore {
 public:
  explicit OutlookStore(const Store& store) : store_(store) {}

  // Replaces the outlook of the batch.
  void keep(const std::string& batch, const Outlook& outlook) const;
  [[nodiscard]] std::optional<Outlook> read(const std::string& batch) const;

  // Once a job: the same one again replaces it.
  void keep(const std::string& batch, const std::string& job, const KeptPromise& promise) const;
  // Is one kept for the job, with that end?
  [[nodiscard]] bool holds(const std::string& batch, const std::string& job,
                           const KeptPromise& promise) const;
  // The latest promises of a profile, newest first.
  [[nodiscard]] std::vector<KeptPromise> promises(const std::string& profile, std::size_t most) const;

 private:
  const Store& store_;
};

// What was promised of a job that is done; absent without a promise, or without the instants to measure it.
// `started`: of its first task.
[[nodiscard]] std::optional<KeptPromise> kept_promise(const LiveJob& job, std::optional<Time> started);

}  // namespace wavewright
