// `wavewright queue` and `run --when` with a planner as the ordering engine.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class QueueCommand : public CommandTest {
 protected:
  // A map and a reduce each, for one slot of each kind: by Johnson's rule in the order b, e, a, d, c.
  void SetUp() override {
    CommandTest::SetUp();
    std::string jobs;
    for (const char* const job :
         {R"("id":"a","map_ms":[4000],"reduce_ms":[5000])", R"("id":"b","map_ms":[1000],"reduce_ms":[4000])",
          R"("id":"c","map_ms":[30000],"reduce_ms":[4000])",
          R"("id":"d","map_ms":[6000],"reduce_ms":[30000])",
          R"("id":"e","map_ms":[2000],"reduce_ms":[3000])"})
      jobs += std::string("{") + job + R"(,"command":["mapred","streaming"]})" + "\n";
    write("five.jsonl", jobs);
    write("cluster.toml", "[[nodes]]\ncount = 1\nmap_slots = 1\nreduce_slots = 1\n");
  }
  [[nodiscard]] Json queue(const std::string& engine) const {
    const CommandResult result =
        run("-q --json queue five.jsonl --map-slots 1 --reduce-slots 1 --when 'pnj(5)' --objective makespan "
            "--policy fifo --engine " +
            engine);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  }
};

std::vector<std::int64_t> starts(const Json& document) {
  std::vector<std::int64_t> at;
  for (const Json& job : document["jobs"]) at.push_back(job["start_ms"].get<std::int64_t>());
  return at;
}

TEST_F(QueueCommand, AnyPlannerOrdersIt) {
  const Json johnson = queue("johnson");
  EXPECT_EQ(johnson["engine"], "johnson");
  EXPECT_THAT(starts(johnson), ElementsAre(3'000, 0, 13'000, 7'000, 1'000));
  EXPECT_EQ(johnson["rounds"][0]["searched"], true);
  EXPECT_EQ(johnson["rounds"][0]["evaluated"], 1);
  EXPECT_THAT(starts(queue("reverse-johnson")), ElementsAre(36'000, 42'000, 0, 30'000, 40'000));
  EXPECT_EQ(queue("'genetic(population=4)' --evaluations 12")["rounds"][0]["evaluated"], 10);
}

// The dry run goes through the queue of the live batch. The last reduce ends after 47 s by Johnson's rule,
// after 78 s in the reverse order.
TEST_F(QueueCommand, ABatchIsExpectedInThatOrder) {
  const auto makespan = [&](const std::string& engine) {
    const CommandResult result =
        run("-q --json run five.jsonl --cluster cluster.toml --policy fifo --dry-run --when 'pnj(5)' "
            "--objective makespan --engine " +
            engine);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out)["expected"]["ordered"]["makespan_ms"].get<std::int64_t>();
  };
  EXPECT_EQ(makespan("johnson"), 47'000);
  EXPECT_EQ(makespan("reverse-johnson"), 78'000);
}

TEST_F(QueueCommand, HelpNamesTheMethods) {
  for (const char* const command : {"queue", "run", "serve"}) {
    const std::string help = run(std::string(command) + " --help").out;
    EXPECT_THAT(help, HasSubstr("reverse-johnson")) << command;
    EXPECT_THAT(help, HasSubstr("--evaluations")) << command;
  }
}

}  // namespace
}  // namespace wavewright
