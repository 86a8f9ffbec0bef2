// The HTML report: what the histories say, what was predicted, and what the plan gains, in one file that
// needs nothing else (no network, fonts, images or scripts from outside).
//
// The report is a pure function of its data: no clock, no locale, so equal data give equal bytes. Text that
// comes from users (names, ids, labels) is escaped wherever it goes. The size is bounded by a few MB
// whatever the number of tasks: charts are merged to what a screen can show (report/grid.h), and of more
// than `job_table_limit` jobs the table lists those that change most.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"
#include "wavewright/job/profile.h"
#include "wavewright/profile/fit.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct ReportJob {
  std::string id;
  std::string name;
};

struct ReportSchedule {
  std::string label;        // as in the middle of a sentence: `Johnson's order`, `submission order`
  SimulationResult result;  // with trace; `jobs` as in ReportData::jobs
};

// A measured run beside what was predicted for it from other runs.
struct ReportPrediction {
  std::string job_id;
  std::string name;
  Duration measured{};  // positive, or the row has no relative error
  Duration low{};       // bounds and mean of the stage model [HP §II]
  Duration average{};
  Duration up{};
  std::optional<Duration> p50;  // simulated
  std::optional<Duration> p95;
  bool shared = false;  // other jobs ran at the same time: shown, but not counted in the accuracy
};

// How the lengths of a job's phase grow with its input (profile/fit.h).
struct ReportFit {
  std::string name;  // of the job
  PhaseFit phase;    // with a line
};

// What of the plan's schedule decided the end for a while (plan/analysis/bottlenecks.h).
struct ReportSpan {
  std::string by;    // `map-slots`, …
  std::string what;  // as a reader is told: `map slots`, `map 3 of J17`
  Duration from{};
  Duration to{};
};

struct ReportLimits {
  std::string text;  // sentences
  std::vector<ReportSpan> spans;
};

// How long the batch takes on pools of growing size (plan/analysis/curve.h).
struct ReportCurve {
  struct Point {
    Count slots = 0;  // on the axis
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

// What becomes of the plan where tasks take other times (plan/analysis/risk.h).
struct ReportRisk {
  struct Job {
    std::size_t job = 0;  // of ReportData::jobs
    double critical = 0;  // share of draws in which it is in the chain that decides the end
    Duration moves{};     // what the end moves by on average, where it takes `longer` more
  };
  Count draws = 0;     // at least 1
  std::string source;  // of the lengths: `a spread of 10 % a task`
  Duration p50{}, p95{};
  struct Meets {
    double probability = 0, low = 0, high = 0;  // with its 95 % interval
  };
  std::optional<Meets> meets;  // ReportData::deadline
  double longer = 0;           // a share
  std::vector<Job> jobs;       // largest move first
  // [i]: draws that took more than `above` + i·`step`, up to `above` + (i + 1)·`step`. Empty: no picture.
  Duration above{}, step{};
  std::vector<Count> counts;
};

struct ReportData {
  std::string title;
  std::string generated;  // when, as text; empty = not told
  SlotPool pool;
  std::vector<ReportJob> jobs;            // in submission order
  std::vector<ReportSchedule> schedules;  // the first is what the others are compared with; the second
                                          // is the one that the headline speaks of
  Duration makespan_bound{};              // no schedule is shorter; 0 = none known
  std::vector<JobProfile> profiles;
  std::vector<ReportPrediction> predictions;
  std::vector<ReportFit> fits;
  std::optional<ReportLimits> limits;  // of the schedule that the headline speaks of
  std::optional<ReportCurve> curve;    // of at least one point
  std::optional<Duration> deadline;    // of the makespan
  std::optional<ReportRisk> risk;      // of the schedule that the headline speaks of
};

inline constexpr std::size_t job_table_limit = 3000;

// Sections without data are left out. Throws InternalError when a schedule does not fit the jobs or the pool
// (a trace that names a job or a slot which is not there, or is missing). O(tasks · log tasks + slots).
void write_report(std::ostream& out, const ReportData& data);

}  // namespace wavewright
