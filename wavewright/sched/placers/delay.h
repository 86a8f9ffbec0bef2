// Delay scheduling: a job whose turn it is but that has no block on the offered node lets the next jobs go
// first, for a while; after waiting `node` it takes a node of its block's rack, after `rack` more any node
// [Zaharia et al. 2010, Alg. 2; UNL §4.1]. Each launch ends the wait and sets the job's level: a job that
// launched in the rack may do so again at once, and waits only `rack` for any other node. A wait counts from
// the first offer that the job let go after its last launch. After a restart jobs wait anew.
//
// Hadoop's Fair scheduler counts otherwise: after a heartbeat at which a job let its node go, the job has
// waited only until the next heartbeat of any node, busy or free. With heartbeats spread evenly that is the
// period / nodes each time; `skip` counts so [Hadoop 0.21, FairScheduler.updateLocalityWaitTimes].
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

struct DelayOptions {
  Duration node = ms(3000);  // wait for a node that holds the block
  Duration rack{};           // then for its rack
  Duration skip{};           // what each heartbeat counts at which the job let its node go; 0 = real time
};

// O(jobs passed over) an offer. Without `skip`, a job that waits for its nodes is passed over once a wait.
[[nodiscard]] std::unique_ptr<Placer> make_delay(const DelayOptions& options);
[[nodiscard]] PolicyEntry delay_entry();

}  // namespace wavewright
