#include "wavewright/store/sharing.h"
#include "tests/property.h"

#include <rapidcheck.h>

namespace wavewright {
namespace {

RunStay run(const std::string& id, std::int64_t submit, std::int64_t finish) {
  return {id, at_ms(submit), at_ms(finish)};
}

TEST(SharedRuns, AreThoseUnderWayAtTheSameTimeOnTheSameCluster) {
  const std::vector runs = {run("job_1_0001", 0, 100), run("job_1_0002", 50, 70), run("job_1_0003", 100, 120),
                            run("job_2_0001", 60, 80)};
  EXPECT_EQ(shared_runs(runs), (std::set<std::string>{"job_1_0001", "job_1_0002"}));
}

TEST(SharedRuns, AgreeWithComparingEveryPair) {
  holds_always([] {
    std::vector<RunStay> runs;
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
      const std::int64_t submit = *rc::gen::inRange(0, 60);
      runs.push_back(run("job_1_" + std::to_string(i), submit, submit + *rc::gen::inRange(1, 15)));
    }
    std::set<std::string> expected;
    for (const RunStay& a : runs) {
      for (const RunStay& b : runs) {
        if (a.id != b.id && a.submit < b.finish && b.submit < a.finish) expected.insert(a.id);
      }
    }
    RC_ASSERT(shared_runs(runs) == expected);
  });
}

}  // namespace
}  // namespace wavewright
