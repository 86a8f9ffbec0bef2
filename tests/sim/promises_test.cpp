// Lateness and lease totals of a run, counted by hand.
#include "wavewright/sim/metrics/promises.h"

#include <gmock/gmock.h>

namespace wavewright {
namespace {

TEST(Tardiness, CountsWhatIsLateAndWhatIsNotDone) {
  // Done: 5 s late, on time to the millisecond, 1 ms late, without a deadline. Rejected; unfinished.
  Workload workload;
  SimulationResult result;
  const auto add = [&](std::optional<Time> deadline, JobOutcome outcome) {
    workload.jobs.emplace_back().deadline = deadline;
    result.jobs.push_back(outcome);
  };
  JobOutcome done;
  done.finish = at_ms(25'000);
  JobOutcome rejected, unfinished = done;
  rejected.rejected = true;
  unfinished.unfinished = true;
  add(at_ms(20'000), done);
  add(at_ms(25'000), done);
  add(at_ms(24'999), done);
  add(std::nullopt, done);
  add(at_ms(90'000), rejected);
  add(at_ms(90'000), unfinished);
  const Tardiness found = tardiness_of(workload, result);
  EXPECT_EQ(found, (Tardiness{.jobs = 5, .tardy = 4, .without = 2, .total = ms(5'001)}));
  EXPECT_DOUBLE_EQ(*found.mean_ms(), 1'667);
  EXPECT_EQ(tardiness_of({}, {}).mean_ms(), std::nullopt);
}

TEST(AdmissionTotals, AreThoseOfTheFormulas) {
  // Accepted: in time, late by 1 ms, without a deadline. Rejected: one.
  Workload workload;
  SimulationResult result;
  const auto add = [&](std::optional<Time> deadline, std::int64_t finish, bool rejected = false) {
    workload.jobs.emplace_back().deadline = deadline;
    JobOutcome& job = result.jobs.emplace_back();
    job.submit = at_ms(100);
    job.finish = at_ms(finish);
    job.rejected = rejected;
  };
  add(at_ms(300), 300);
  add(at_ms(300), 301);
  add(std::nullopt, 500);
  add(at_ms(90'000), 100, true);
  result.map_busy = ms(900);
  AdmissionTotals found = admission_of(workload, result, 4);
  EXPECT_EQ(found.accepted, 3);
  EXPECT_EQ(found.successful, 2);
  EXPECT_DOUBLE_EQ(*found.accept_ratio(), 0.75);
  EXPECT_DOUBLE_EQ(*found.success_ratio(), 2.0 / 3);
  EXPECT_FALSE(found.utilisation) << "whose slot time it is, only a trace tells";
  EXPECT_DOUBLE_EQ(*found.utilisation_of_all, 900.0 / (4 * 400)) << "as of FIFO, without a trace";
  const auto task = [&](JobIndex job, std::int64_t from, std::int64_t to, std::uint32_t slot) {
    TaskRecord& record = result.trace.emplace_back();
    record.job = job;
    record.start = at_ms(from);
    record.end = at_ms(to);
    record.slot = slot;
  };
  task(0, 100, 300, 0);
  task(1, 100, 301, 1);
  task(2, 300, 500, 0);
  EXPECT_DOUBLE_EQ(*admission_of(workload, result, 4).utilisation, 400.0 / (4 * 400));
  JobSlotTimes times;  // the same, of tasks that are not kept
  for (const TaskRecord& record : result.trace) times.add(record);
  result.trace.clear();
  EXPECT_FALSE(admission_of(workload, result, 4).utilisation);
  EXPECT_DOUBLE_EQ(*admission_of(workload, result, 4, &times).utilisation, 400.0 / (4 * 400));
  workload.jobs[1].deadline = at_ms(301);  // all are successful: the time in use of all slots
  EXPECT_DOUBLE_EQ(*admission_of(workload, result, 4).utilisation, 900.0 / (4 * 400));
  EXPECT_DOUBLE_EQ(*admission_of(workload, result, 4).utilisation_of_all, 900.0 / (4 * 400));
  EXPECT_FALSE(admission_of({}, {}, 4).accept_ratio());
  EXPECT_FALSE(admission_of({}, {}, 4).utilisation_of_all);
  EXPECT_FALSE(admission_of(workload, result, 0).utilisation_of_all);
}

TEST(LeaseTotals, AddUpLeases) {
  SimulationResult result;
  result.makespan = ms(100'000);
  const auto lease = [](std::optional<Time> joined, std::optional<Time> left, bool revoked, Money cost) {
    Lease each;
    each.joined = joined;
    each.left = left;
    each.ended_by = revoked ? LeaseEnd::market : LeaseEnd::policy;
    each.cost = cost;
    return each;
  };
  result.leases = {lease(at_ms(10'000), at_ms(30'000), false, {7}),  // 20 s
                   lease(at_ms(10'000), at_ms(11'000), true, {1}),   // 1 s
                   lease(at_ms(95'000), std::nullopt, false, {2}),   // 5 s, to the end
                   lease(std::nullopt, at_ms(9'000), true, Money{})};
  EXPECT_EQ(
      totals_of(result),
      (LeaseTotals{.leases = 4, .never_joined = 1, .revoked = 2, .machine_time = ms(26'000), .cost = {10}}));
}

}  // namespace
}  // namespace wavewright
