#include "wavewright/sched/policy.h"

#include "wavewright/core/error.h"

namespace wavewright {

std::string Policy::name() const {
  std::string name = allocator->name();
  if (placer && placer->name() != name) name.append("+").append(placer->name());
  return name;
}

Features Policy::needs() const {
  return placer ? allocator->needs() | placer->needs() : allocator->needs();
}

std::optional<TaskChoice> first_of(Candidates& candidates, Locality at_most) {
  while (const std::optional<JobIndex> job = candidates.next()) {
    if (const auto choice = candidates.closest(*job, at_most)) return choice;
  }
  return std::nullopt;
}

std::string_view name_of(AttemptOutcome outcome) {
  switch (outcome) {
    case AttemptOutcome::done:
      return "done";
    case AttemptOutcome::failed:
      return "failed";
    case AttemptOutcome::lost:
      return "lost";
    case AttemptOutcome::killed:
      return "killed";
    case AttemptOutcome::running:
      return "running";
  }
  return "";
}

std::string to_string(Feature feature) {
  switch (feature) {
    case Feature::rank:
      return "rank";
    case Feature::rank_per_kind:
      return "rank-per-kind";
    case Feature::groups:
      return "groups";
    case Feature::shares:
      return "shares";
    case Feature::caps:
      return "caps";
    case Feature::reservations:
      return "reservations";
    case Feature::preemption:
      return "preemption";
    case Feature::timers:
      return "timers";
    case Feature::placement:
      return "placement";
    case Feature::occupancy:
      return "occupancy";
    case Feature::node_classes:
      return "node-classes";
    case Feature::leases:
      return "leases";
  }
  return "unknown";
}

void require_features(Features needed, Features offered, const std::string& policy,
                      const std::string& driver) {
  std::string missing;
  for (auto i = static_cast<unsigned>(Feature::rank); i <= static_cast<unsigned>(Feature::leases); ++i) {
    const auto feature = static_cast<Feature>(i);
    if (needed.has(feature) && !offered.has(feature))
      missing += (missing.empty() ? "" : ", ") + to_string(feature);
  }
  if (missing.empty()) return;
  throw UsageError("policy '" + policy + "' needs " + missing + ", which " + driver + " cannot enforce",
                   "choose another policy");
}

}  // namespace wavewright
