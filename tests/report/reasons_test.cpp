// A rejected job's reason and what a policy explains: in the document of a simulation and in its report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/sim/small_jobs.h"
#include "wavewright/report/documents/simulation_document.h"
#include "wavewright/report/simulation_report.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// Rejects jobs of more than two maps, and says of the others that they wait.
class SmallOnly final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "small-only"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::rank); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (view.facts(event.job).maps > 2)
      return decisions.reject(event.job, {"TooLarge", "it has <more> than 2 maps"});
    decisions.admit(event.job, root_group);
    decisions.explain(event.job, {"Waits", "a slot is busy"});
    decisions.explain(event.job, {"Waits", "a slot is busy"});  // said once
  }
};

struct Case {
  Workload workload{
      {job_of("A", {10, 10, 10}, {}), job_of("B", {10}, {}, 5), job_after("C", {10}, {}, {"A"})}};
  Cluster cluster = flat_cluster({1, 1});
  SimulationResult result;
  Case() {
    Policy policy{std::make_unique<SmallOnly>(), nullptr};
    result = simulate_on(workload, policy, {cluster, 1, true});
  }
};

TEST(Reasons, StandInTheDocument) {
  const Case run;
  const Json document = simulation_document(run.workload, run.result, "small-only", run.cluster);
  EXPECT_EQ(document["jobs"][0]["rejected_because"]["code"], "TooLarge");
  EXPECT_FALSE(document["jobs"][1].contains("rejected_because"));
  EXPECT_EQ(document["jobs"][2]["rejected_because"]["code"], "PredecessorRejected");
  EXPECT_THAT(document["jobs"][2]["rejected_because"]["text"].get<std::string>(), testing::HasSubstr("'A'"));
  ASSERT_EQ(document["remarks"].size(), 1U);
  EXPECT_EQ(document["remarks"][0],
            (Json{{"at_ms", 5}, {"job", "B"}, {"code", "Waits"}, {"text", "a slot is busy"}}));
}

TEST(Reasons, AreWhatARejectedJobIsAskedFor) {
  const Case run;
  const Explainer explainer(run.result, run.workload, run.cluster);
  const Json why = why_document(run.workload, run.result, explainer, 0);
  EXPECT_EQ(why["state"], "rejected");
  EXPECT_EQ(why["job"], "A");
  EXPECT_EQ(why["rejected_because"]["text"], "it has <more> than 2 maps");
  EXPECT_TRUE(why["parts"].empty());
}

TEST(Reasons, StandInTheReportEscaped) {
  const Case run;
  std::ostringstream html;
  write_simulation_report(html, {.title = "t",
                                 .generated = "",
                                 .policy = "small-only",
                                 .workload = &run.workload,
                                 .cluster = &run.cluster,
                                 .result = &run.result,
                                 .why = {0, 1}});
  EXPECT_THAT(html.str(), testing::HasSubstr("it has &lt;more&gt; than 2 maps"));
  EXPECT_THAT(html.str(), testing::HasSubstr("Why job A was rejected"));
  EXPECT_THAT(html.str(), testing::HasSubstr("It has &lt;more&gt; than 2 maps (TooLarge)."));
  EXPECT_THAT(html.str(), testing::HasSubstr("<section id=\"why-2\""));
  EXPECT_THAT(html.str(), testing::HasSubstr("Why job B took so long"));
}

}  // namespace
}  // namespace wavewright
