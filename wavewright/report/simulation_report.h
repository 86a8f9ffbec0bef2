// The HTML page of one simulated run: who ran what where, how much of the cluster was in use, what waited,
// what it cost. It needs nothing else, like the report of a plan (report/report.h).
//
// A pure function of its data: equal data give equal bytes. Text that comes from users is escaped wherever it
// goes. The size is bounded by a few MB whatever the number of tasks and nodes: charts are merged to what a
// screen can show, and of more than `job_table_limit` jobs or nodes the tables list those that took longest
// or were busiest.
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
  std::string generated;  // when, as text; empty = not told
  std::string policy;     // its name
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  const SimulationResult* result = nullptr;  // of that workload on that cluster, with trace

  // Where the time of one job went.
  struct Why {
    JobIndex job = 0;
    Explanation explanation;
  };
  std::optional<Why> why;
};

// Sections without data are left out. O(tasks · (log tasks + columns spanned) + nodes). Throws InternalError
// when the result does not fit workload and cluster.
void write_simulation_report(std::ostream& out, const SimulationReport& data);

}  // namespace wavewright
