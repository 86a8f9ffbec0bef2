// EFH, the energy-efficient scheduler for hybrid CPU–GPU clusters [UNL §6.2].
//
// Level I, the application scheduler [UNL tables 6.2, 6.3]: whenever a job arrives or ends, a map ends or a
// node comes or goes, the map slots that are free, and that none has been given, are given out:
//
//   R = maps of the job that have not started, less the containers that it has been given for them; jobs with
//       R = 0 take no part. A container counts as one map's, also where maps share it
//   r = free containers of the job's optset / R         (energy/ranking.h). Where blocks have no places,
//       containers count as free until a task has taken them, also those that were given
//   1. jobs that have waited longer than the threshold, most r first: each gets its best free relevant
//      containers, R of them or all there are;
//   2. if none of these still wants a container, the other jobs, most r first: each gets its best R free
//      relevant containers; the first that finds fewer ends the round.
//
// Equal r go by arrival. A job waits from its arrival on, whatever it has got; the paper's table says no
// more.
//
// A container stays given until a node's heartbeat starts a task in it, as in YARN. Only rounds of one
// instant give out anew what they gave out. A restart forgets what was given.
//
// Level II, the application master [UNL table 6.4]: energy/dispatcher.h, where blocks have places. Then a
// task is on its way to the container. This is free again if the job ends or comes to avoid the node, or the
// node goes.
//
// Elsewhere any slot of the granted class does, and h is 0 for all nodes. Containers of a class are free
// again if their job ends, or a node of the class comes or goes. Once some job avoids a node, a round
// replaces what the last one gave out and no task has taken yet: a slot that is left may be one that its job
// avoids.
//
// A job with R above all its relevant containers never passes step 2 as printed, and starts only once it has
// waited for the threshold. With `oversize = clamp` it asks step 2 for at most all of them. With `wait` it
// waits as printed, and a remark (MoreThanAllContainers) names it. A job without adaptive execution may have
// no relevant container at all: NoContainers.
//
// Only maps are scheduled [UNL §6.1.2]; reduces go by arrival. Second attempts of slow tasks are not started.
#pragma once

#include <optional>

#include "wavewright/core/time.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct EfhOptions {
  bool adaptive = true;                            // adaptive execution: table 6.2, else 6.3
  std::optional<Duration> threshold = ms(60'000);  // none = never
  bool clamp = true;                               // oversize = clamp
};

// `places`: blocks have places, so that level II takes part. A round takes O(jobs with free containers in
// their optset · log of them + containers given out + classes · nodes / 64), and less than O(log jobs) for
// each change since the last one and each job whose optset it concerns (energy/optset_index.h). Most rounds
// come where a map ends and nobody waits, or the first job still finds too few containers: such a round takes
// O(1).
[[nodiscard]] Policy make_efh(const EfhOptions& options, bool places);
[[nodiscard]] PolicyEntry efh_entry();

// Why a job waits that wants more containers than the `all` that could run it.
[[nodiscard]] Reason why_it_waits(const EfhOptions& options, const View& view, JobIndex job, Count wanted,
                                  Count all);

}  // namespace wavewright
