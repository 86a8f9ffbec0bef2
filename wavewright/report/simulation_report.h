// The HTML page of one simulated run: its schedule, use of the cluster, waits and costs. Self-contained like
// the report of a plan (report/report.h).
//
// A pure function of its data: equal data give equal bytes. User-given text is escaped everywhere. The size
// is at most a few MB for any number of tasks and nodes: charts are reduced to screen resolution, and beyond
// `job_table_limit` jobs or nodes the tables list those that took longest or were busiest.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

inline constexpr std::size_t why_limit = 20;

struct SimulationReport {
  std::string title;
  std::string generated;  // time as text; empty = not shown
  std::string policy;     // its name
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  const SimulationResult* result = nullptr;  // of that workload on that cluster, with trace

  std::vector<JobIndex> why;  // jobs to explain; of more than `why_limit` those that took longest
};

// Leaves out sections without data. Throws InternalError if the result does not match workload and cluster.
// O(tasks · (log tasks + columns spanned) + nodes).
void write_simulation_report(std::ostream& out, const SimulationReport& data);

}  // namespace wavewright
