#include "wavewright/dispatch/reorder_policy.h"

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/dispatch/adaptive_interval.h"
#include "wavewright/dispatch/by_number.h"
#include "wavewright/dispatch/fixed_interval.h"

namespace wavewright {

namespace {

Range<Duration> above_zero() {
  return {.least = Duration{}, .above = true};
}

std::unique_ptr<ReorderPolicy> by_number_from(Parameters& parameters, Time /*begin*/) {
  constexpr Count jobs = 7;
  const Count number = parameters.whole("number", jobs, {.least = 1, .noun = "number of jobs"});
  return make_by_number(static_cast<std::size_t>(number),
                        parameters.duration("at_latest", ms(600'000), above_zero()));
}

std::unique_ptr<ReorderPolicy> fixed_interval_from(Parameters& parameters, Time begin) {
  return make_fixed_interval(parameters.duration("interval", ms(60'000), above_zero()), begin);
}

std::unique_ptr<ReorderPolicy> adaptive_interval_from(Parameters& parameters, Time begin) {
  return make_adaptive_interval(parameters.duration("interval", ms(10'000), above_zero()), begin);
}

}  // namespace

const std::vector<ReorderPolicyEntry>& reorder_policies() {
  static const std::vector<ReorderPolicyEntry> entries = {
      {"pnj",
       "as soon as so many jobs wait, or one has waited so long",
       {{"number", "JOBS", "that wait (7)", true}, {"at_latest", "TIME", "that one has waited (10min)"}},
       by_number_from},
      {"tp-fti",
       "at every interval",
       {{"interval", "INTERVAL", "from one round to the next (60s)", true}},
       fixed_interval_from},
      {"tp-ati",
       "when what was dispatched last should be done, an interval later at least",
       {{"interval", "INTERVAL", "from one round to the next, at least (10s)", true}},
       adaptive_interval_from},
  };
  return entries;
}

std::unique_ptr<ReorderPolicy> make_reorder_policy(std::string_view text, Time begin) {
  const Spec spec = parse_spec(text);
  std::vector<std::string> names;
  for (const ReorderPolicyEntry& entry : reorder_policies()) {
    names.push_back(entry.name);
    if (entry.name != spec.name) continue;
    Parameters parameters(spec, "'" + spec.name + "'", entry.parameters);
    std::unique_ptr<ReorderPolicy> policy = entry.make(parameters, begin);
    parameters.finish();
    return policy;
  }
  throw UsageError("unknown policy of the queue '" + shortened(spec.name) + "'",
                   suggestion(spec.name, names));
}

}  // namespace wavewright
