// What a policy must not do is stopped with a word on what it was. All throw Defect.
#pragma once

#include <string>

#include "wavewright/sched/policy.h"

namespace wavewright::sim {

[[noreturn]] void refuse_unknown_job(const std::string& policy, JobIndex job);  // it has not arrived
[[noreturn]] void refuse_second_decision(const std::string& policy, const std::string& job);
[[noreturn]] void refuse_undeclared(const std::string& policy,
                                    Feature feature);  // used without a need for it

}  // namespace wavewright::sim
