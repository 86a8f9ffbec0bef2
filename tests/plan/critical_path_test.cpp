// The longest remaining chain first.
#include "wavewright/plan/methods/critical_path.h"

#include <algorithm>

#include "tests/plan/workflows.h"
#include "tests/property.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/planner.h"

namespace wavewright {
namespace {

// Two chains: a, b, c of 4 + 3, 2 and 5; and d alone, of 11, on two slots: its maps 6 and 6, its reduce 5.
TEST(CriticalPath, ByHand) {
  const Workload batch{{job_after("c", {5}, {}, {"b"}), job_after("d", {6, 6}, {5}, {}),
                        job_after("b", {2}, {}, {"a"}), job_after("a", {4}, {3}, {})}};
  EXPECT_EQ(chain_lengths(batch, {2, 1}), (std::vector<Duration>{ms(5), ms(11), ms(7), ms(14)}));
  EXPECT_EQ(critical_path_order(batch, {2, 1}), (std::vector<JobIndex>{3, 1, 2, 0}));
  const Plan plan = plan_by("critical-path", {shared(batch), {{2, 1}}}, Stop());
  EXPECT_EQ(plan.order, (std::vector<std::string>{"a", "d", "b", "c"}));
  // Maps: a 0–4, d 0–6 and 4–10; reduces: a 4–7, d 10–15; b 7–9, c 9–14.
  EXPECT_EQ(plan.makespan, ms(15));
}

TEST(CriticalPath, NoJobStandsBeforeOneItWaitsFor) {
  holds_always(
      [] {
        const Workload batch = worlds::some_positive_workflow();
        const std::vector<JobIndex> order =
            critical_path_order(batch, {*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5)});
        const auto place = [&](const std::string& id) {
          return std::find_if(order.begin(), order.end(),
                              [&](JobIndex job) { return batch.jobs[job].id == id; });
        };
        for (const Job& job : batch.jobs) {
          if (job.maps.empty() && job.reduces.empty()) continue;
          for (const std::string& id : job.after) {
            const auto before = place(id);
            if (batch.jobs[*before].maps.empty() && batch.jobs[*before].reduces.empty()) continue;
            RC_ASSERT(before < place(job.id));
          }
        }
      },
      500);
}

TEST(CriticalPath, IsForWorkflows) {
  const Workload batch{{job_after("a", {4}, {3}, {})}};
  EXPECT_THROW((void)plan_by("critical-path", {shared(batch), {{1, 1}}}, Stop()), UsageError);
  const Workload flow{{job_after("a", {4}, {3}, {}), job_after("b", {4}, {3}, {"a"})}};
  for (const char* method :
       {"exhaustive", "balanced-pools", "balanced-pools-sweep", "balanced-pools-genetic"})
    EXPECT_THROW((void)plan_by(method, {shared(flow), {{2, 2}}}, Stop()), UsageError) << method;
}

}  // namespace
}  // namespace wavewright
