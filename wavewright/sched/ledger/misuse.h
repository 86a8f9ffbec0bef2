// Errors of a policy that breaks its promises. All throw InternalError with the policy's name.
#pragma once

#include <string>

#include "wavewright/core/quantity.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

[[noreturn]] void refuse_unknown_job(const std::string& policy, JobIndex job);  // it has not arrived
[[noreturn]] void refuse_second_decision(const std::string& policy, const std::string& job);
[[noreturn]] void refuse_undeclared(const std::string& policy, Feature feature);  // not announced by needs()
[[noreturn]] void refuse_unknown_class(const std::string& policy, ClassId node_class);
[[noreturn]] void refuse_masters(const std::string& policy);  // decisions that are only for maps and reduces
[[noreturn]] void refuse_past_timer(const std::string& policy, Time at, Time now);
[[noreturn]] void refuse_interval(const std::string& policy, Count count, Time from, Time to);

}  // namespace wavewright
