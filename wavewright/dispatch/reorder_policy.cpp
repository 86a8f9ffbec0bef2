#include "wavewright/dispatch/reorder_policy.h"

#include <algorithm>
#include <charconv>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/dispatch/adaptive_interval.h"
#include "wavewright/dispatch/by_number.h"
#include "wavewright/dispatch/fixed_interval.h"

namespace wavewright {

namespace {

// The one argument, written alone or as `key=`; and of the others only those named.
std::string argument(const PolicySpec& spec, const std::string& key, const std::string& otherwise) {
  for (const auto& [name, value] : spec.parameters) {
    if (name != key) continue;
    if (!spec.positional.empty()) throw UsageError("'" + spec.name + "' is given " + key + " twice");
    return value;
  }
  return spec.positional.empty() ? otherwise : spec.positional.front();
}

std::string named(const PolicySpec& spec, const std::string& key, const std::string& otherwise) {
  for (const auto& [name, value] : spec.parameters) {
    if (name == key) return value;
  }
  return otherwise;
}

void refuse_others(const PolicySpec& spec, const std::vector<std::string>& keys) {
  if (spec.positional.size() > 1) {
    throw UsageError("'" + spec.name + "' does not take '" + spec.positional[1] + "'",
                     "'wavewright queue --help' shows how it is written");
  }
  for (const auto& [name, value] : spec.parameters) {
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      throw UsageError("'" + spec.name + "' has no parameter '" + name + "'", suggestion(name, keys));
  }
}

Duration positive_duration(const PolicySpec& spec, const std::string& what, const std::string& text) {
  const Duration duration = parse_duration(text);
  if (duration > Duration{}) return duration;
  throw UsageError("'" + spec.name + "': " + what + " is 0", "give a time above 0, such as 60s");
}

std::size_t positive_count(const PolicySpec& spec, const std::string& text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end == text.data() + text.size() && count > 0) return count;
  throw UsageError("'" + spec.name + "': '" + text + "' is not a number of jobs",
                   "give a whole number from 1");
}

std::unique_ptr<ReorderPolicy> by_number_from(const PolicySpec& spec, Time /*begin*/) {
  refuse_others(spec, {"number", "at_latest"});
  return make_by_number(positive_count(spec, argument(spec, "number", "7")),
                        positive_duration(spec, "at_latest", named(spec, "at_latest", "10min")));
}

std::unique_ptr<ReorderPolicy> fixed_interval_from(const PolicySpec& spec, Time begin) {
  refuse_others(spec, {"interval"});
  return make_fixed_interval(positive_duration(spec, "the interval", argument(spec, "interval", "60s")),
                             begin);
}

std::unique_ptr<ReorderPolicy> adaptive_interval_from(const PolicySpec& spec, Time begin) {
  refuse_others(spec, {"interval"});
  return make_adaptive_interval(positive_duration(spec, "the interval", argument(spec, "interval", "10s")),
                                begin);
}

}  // namespace

const std::vector<ReorderPolicyEntry>& reorder_policies() {
  static const std::vector<ReorderPolicyEntry> entries = {
      {"pnj", "pnj(JOBS, at_latest=TIME)", "as soon as so many jobs wait, or one has waited so long",
       by_number_from},
      {"tp-fti", "tp-fti(INTERVAL)", "at every interval", fixed_interval_from},
      {"tp-ati", "tp-ati(INTERVAL)",
       "when what was dispatched last should be done, an interval later at least", adaptive_interval_from},
  };
  return entries;
}

std::unique_ptr<ReorderPolicy> make_reorder_policy(std::string_view text, Time begin) {
  const PolicySpec spec = parse_policy_spec(text);
  std::vector<std::string> names;
  for (const ReorderPolicyEntry& entry : reorder_policies()) {
    if (entry.name == spec.name) return entry.make(spec, begin);
    names.push_back(entry.name);
  }
  throw UsageError("unknown policy of the queue '" + spec.name + "'", suggestion(spec.name, names));
}

}  // namespace wavewright
