// The HTML report of histories, predictions and a plan, in one self-contained file: no network, fonts, images
// or scripts from outside.
//
// A pure function of its data, without clock or locale: equal data give equal bytes. User-given text (names,
// ids, labels) is escaped everywhere. The size is at most a few MB for any number of tasks: charts are
// reduced to screen resolution (report/charts/grid.h), and beyond `job_table_limit` jobs the table lists
// those with the largest changes.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"
#include "wavewright/job/profile.h"
#include "wavewright/predict/track_record.h"
#include "wavewright/profile/fit.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct ReportJob {
  std::string id;
  std::string name;
  std::string user = {};
  std::string queue = {};
  std::optional<Time> deadline = {};
};

struct ReportSchedule {
  std::string label;                  // for the middle of a sentence: `Johnson's order`, `submission order`
  SimulationResult result;            // with trace; `jobs` in the order of ReportData::jobs
  std::optional<SlotPool> pool = {};  // if it ran on other slots than ReportData::pool
  std::string note = {};              // sentences above its chart
};

// A measured run and its prediction from other runs.
struct ReportPrediction {
  std::string job_id;
  std::string name;
  Duration measured{};  // must be positive for a relative error
  Duration low{};       // bounds and mean of the stage model [HP §II]
  Duration average{};
  Duration up{};
  std::optional<Duration> p50;  // simulated
  std::optional<Duration> p95;
  bool shared = false;  // other jobs ran at the same time: shown, but not counted in the accuracy
};

// Growth of a phase's lengths with the input (profile/fit.h).
struct ReportFit {
  std::string name;  // of the job
  PhaseFit phase;    // must have a line
};

// What decided the end of the schedule during a span (plan/analysis/bottlenecks.h).
struct ReportSpan {
  std::string by;    // `map-slots`, …
  std::string what;  // for people: `map slots`, `map 3 of J17`
  Duration from{};
  Duration to{};
};

struct ReportLimits {
  std::string text;  // sentences
  std::vector<ReportSpan> spans;
};

// Makespan over pools of growing size (plan/analysis/curve.h).
struct ReportCurve {
  struct Point {
    Count slots = 0;  // value on the axis
    SlotPool pool;
    Duration value{};
    Duration bound{};  // no plan on that pool is shorter
    bool idle = false;
  };
  std::string axis;           // `slots`, `map slots`, `reduce slots`
  std::string value;          // `makespan`
  std::vector<Point> points;  // by slots
  std::optional<std::size_t> knee;
};

// Risk of the plan if task lengths vary (plan/analysis/risk.h).
struct ReportRisk {
  struct Job {
    std::size_t job = 0;  // index in ReportData::jobs
    double critical = 0;  // share of draws in which it is in the critical chain
    Duration moves{};     // mean delay of the end if the job takes `longer` more
  };
  Count draws = 0;     // at least 1
  std::string source;  // of the lengths: `a spread of 10 % a task`
  Duration p50{}, p95{};
  struct Meets {
    double probability = 0, low = 0, high = 0;  // probability with its 95 % interval
  };
  std::optional<Meets> meets;  // ReportData::deadline
  double longer = 0;           // a share
  std::vector<Job> jobs;       // largest move first
  // [i]: draws above `above` + i·`step`, up to `above` + (i + 1)·`step`. Empty: no histogram.
  Duration above{}, step{};
  std::vector<Count> counts;
};

struct ReportData {
  std::string title;
  std::string generated;  // time as text; empty = not shown
  SlotPool pool;
  std::vector<ReportJob> jobs;            // in submission order
  std::vector<ReportSchedule> schedules;  // the others are compared with the first; the headline is about
                                          // the second; further ones are shown beside them
  Duration makespan_bound{};              // no schedule is shorter; 0 = none known
  std::vector<JobProfile> profiles;
  std::map<std::string, TrackRecord> records;  // of estimates, by name of a profile; others are not shown
  std::vector<ReportPrediction> predictions;
  std::string predictions_leave_out;  // runs that none is made from, `1 shared the cluster`; empty = none
  std::vector<ReportFit> fits;
  std::optional<ReportLimits> limits;  // of the schedule in the headline
  std::optional<ReportCurve> curve;    // with at least one point
  std::optional<Duration> deadline;    // of the makespan
  std::optional<ReportRisk> risk;      // of the schedule in the headline
};

inline constexpr std::size_t job_table_limit = 3000;

// Leaves out sections without data. Throws InternalError if a schedule does not match the jobs or the pool
// (its trace is missing, or names an unknown job or slot). O(tasks · log tasks + slots).
void write_report(std::ostream& out, const ReportData& data);

}  // namespace wavewright
