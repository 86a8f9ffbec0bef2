// Real-time policies promise slots, and need that these are given out at once.
#pragma once

#include <string>

#include "wavewright/sched/registry.h"

namespace wavewright {

// Throws UsageError if the cluster gives out containers.
void need_slots(const std::string& policy, const PolicyContext& context);

// Throws UsageError if a placer follows: it may let free slots wait, which no bound counts. `remedy` may name
// a parameter with which nothing is promised.
void need_no_placer(const std::string& policy, const PolicyContext& context,
                    const std::string& remedy = "write it without a placer");

// Throws UsageError if a node has more slots than it starts tasks a heartbeat. A job that holds fewer slots
// than are free takes starts of their nodes as often as its tasks end, and other slots there may never have
// their turn. `what` promises nothing then.
void need_all_starts(const std::string& policy, const std::string& what, const PolicyContext& context,
                     const std::string& remedy);

}  // namespace wavewright
