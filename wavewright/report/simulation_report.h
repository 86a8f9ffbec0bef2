// The HTML page of one simulated run: its schedule, use of the cluster, waits and costs. Self-contained like
// the report of a plan (report/report.h).
//
// A pure function of its data: equal data give equal bytes. User-given text is escaped everywhere. The size
// is at most a few MB for any number of tasks and nodes: charts are reduced to screen resolution, and beyond
// `job_table_limit` jobs or nodes the tables list those that took longest or were busiest.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "wavewright/job/job.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct SimulationReport {
  std::string title;
  std::string generated;  // time as text; empty = not shown
  std::string policy;     // its name
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  const SimulationResult* result = nullptr;  // of that workload on that cluster, with trace

  struct Why {
    JobIndex job = 0;
    Explanation explanation;
  };
  std::optional<Why> why;
};

// Leaves out sections without data. Throws InternalError if the result does not match workload and cluster.
// O(tasks · (log tasks + columns spanned) + nodes).
void write_simulation_report(std::ostream& out, const SimulationReport& data);

}  // namespace wavewright
