// The energy data of jobs against a cluster file.
#pragma once

#include <string>

#include "apps/context.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright::app {

// Throws InputError of the workload's `file` as check_energy_classes does. Notes what counts for nothing
// (unused_class_entries).
void check_energy_data(const Context& context, const std::string& file, const Workload& workload,
                       const Cluster& cluster);

// Notes rows of a class whose maps take unlike energy: rankings by class take the first row's. For clusters
// with powers. O(rows · log rows).
void note_unlike_rows(const Context& context, const Cluster& cluster);

// Notes what the named policy does not do with the cluster file: unlike rows, second attempts under efh.
void note_energy_policy(const Context& context, const std::string& policy, const Cluster& cluster);

}  // namespace wavewright::app
