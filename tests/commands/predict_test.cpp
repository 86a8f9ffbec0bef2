#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/commands/even_runs.h"
#include "tests/commands/run.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/outlook/outlook_store.h"
#include "wavewright/predict/track_record.h"
#include "wavewright/store/phases.h"
#include "wavewright/store/store.h"

namespace wavewright {
namespace {

using Json = nlohmann::json;

class Predict : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    (void)Store::open(store_url(), Store::Access::create).add(std::vector{even_run(1, 8), even_run(2, 8)});
  }

  void refused(const std::string& arguments, int status, const std::string& told) const {
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.status, status) << arguments << result.err;
    EXPECT_EQ(lines_of(result.err), 1U) << result.err;
    // With --json a 'no' is a document of its own; every other refusal leaves standard output empty.
    const bool answers_no = status == 1 && arguments.find("--json") != std::string::npos;
    EXPECT_EQ(result.out.find("\"answer\": \"no\"") != std::string::npos, answers_no) << result.out;
    EXPECT_EQ(result.out.empty(), !answers_no) << result.out;
    EXPECT_NE(result.err.find(told), std::string::npos) << arguments << ": " << result.err;
  }
};

TEST_F(Predict, AJobThatNamesAProfileHasTheTasksThatItPredicts) {
  write("jobs.jsonl",
        "{\"id\":\"a\",\"profile\":\"nightly sort\"}\n{\"id\":\"b\",\"map_ms\":[1],\"profile\":\"nightly "
        "sort\"}\n"
        "{\"id\":\"c\",\"profile\":\"nightly sort\",\"input_bytes\":1073741824}\n");
  const CommandResult result = run("workload describe jobs.jsonl --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json told = Json::parse(result.out);
  EXPECT_EQ(told["map"]["tasks"], 8 + 1 + 16) << "16 maps for twice the input";
  EXPECT_EQ(told["map"]["work_ms"], 24 * 100'000 + 1);
  EXPECT_EQ(told["reduce"]["tasks"], 4);
  EXPECT_EQ(told["first_shuffle"]["tasks"], 4);
  EXPECT_EQ(told["shuffle"], told["first_shuffle"]) << "no run had later waves";
  for (const char* command : {"simulate jobs.jsonl", "plan jobs.jsonl", "queue jobs.jsonl"})
    EXPECT_EQ(run(std::string(command) + " --map-slots 8 --reduce-slots 2").status, 0) << command;
  write("unknown.jsonl", "{\"id\":\"a\"}\n{\"id\":\"b\",\"profile\":\"nightly port\"}\n");
  refused("workload describe unknown.jsonl", 3,
          "unknown.jsonl:2: job 'b': no runs of a job named 'nightly port'; did you");
}

TEST_F(Predict, ShowsAProfileByPhase) {
  const CommandResult result = run("profile 'nightly sort' --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json profile = Json::parse(result.out);
  EXPECT_EQ(profile["runs"], 2);
  EXPECT_EQ(profile["phases"]["map"]["count"], 16);
  EXPECT_EQ(profile["phases"]["map"]["p50_ms"], 100'000);
  EXPECT_EQ(profile["phases"]["first_shuffle"]["max_ms"], 5'000);
  EXPECT_EQ(profile["phases"]["shuffle"], nullptr) << "no later wave was seen";
  EXPECT_EQ(profile["phases"]["reduce"]["mean_ms"], 15'000);
  EXPECT_EQ(profile["overhead_ms"], 12'000);
  EXPECT_EQ(profile["over_runs"]["map_waves"]["mean"], 2.0);
  EXPECT_EQ(profile["input_bytes_per_map"], 64 << 20);
  const CommandResult shown = run("profile 'Nightly Sort'");
  EXPECT_LE(width_of(shown.out), 100U) << shown.out;
  EXPECT_NE(shown.out.find("first shuffle"), std::string::npos);
  EXPECT_NE(run("profile").out.find("Nightly Sort"), std::string::npos);
  refused("profile 'Nightly Srot'", 2, "did you mean 'Nightly Sort'?");
}

TEST_F(Predict, PredictsOtherSlots) {
  const CommandResult result = run("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json told = Json::parse(result.out);
  EXPECT_EQ(told["p50_ms"], 12'000 + 4 * 100'000 + 5'000 + 15'000);
  EXPECT_EQ(told["wave_ms"], told["p50_ms"]);
  EXPECT_EQ(told["low_ms"], told["p50_ms"]);
  EXPECT_GE(told["up_ms"], told["p50_ms"]);
  EXPECT_EQ(told["maps"], 8);
  const CommandResult shown = run("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2");
  EXPECT_LE(width_of(shown.out), 100U) << shown.out;
}

TEST_F(Predict, PredictsOtherInputSizes) {
  const CommandResult result =
      run("predict 'Nightly Sort' --map-slots 4 --reduce-slots 2 --input-bytes 1GiB --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json told = Json::parse(result.out);
  EXPECT_EQ(told["maps"], 16);
  EXPECT_EQ(told["scaling"], "proportional");
  EXPECT_EQ(told["p50_ms"], 12'000 + 4 * 100'000 + 10'000 + 30'000);
}

TEST_F(Predict, EvaluatesEveryRunFromTheOthers) {
  const CommandResult result = run("predict --evaluate --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json told = Json::parse(result.out);
  ASSERT_EQ(told["runs"].size(), 2U);
  EXPECT_EQ(told["runs"][0]["measured_ms"], 232'000);
  EXPECT_EQ(told["runs"][0]["p50_ms"], 232'000);
  EXPECT_EQ(told["runs"][0]["runs"], 1) << "not from itself";
  EXPECT_EQ(told["mean_absolute_error"]["p50"], 0.0);
  EXPECT_EQ(told["runs"][0]["shared"], false);
  EXPECT_EQ(told["mean_absolute_error"]["runs"], 2);
  EXPECT_EQ(told["mean_absolute_error_shared"]["runs"], 0);
  EXPECT_EQ(told["not_predicted"], 0);
  const CommandResult shown = run("predict --evaluate");
  EXPECT_LE(width_of(shown.out), 100U) << shown.out;
  EXPECT_NE(shown.out.find("all, cluster alone"), std::string::npos) << shown.out;
}

TEST_F(Predict, DrawsTheEvaluationAndHoldsOutSizes) {
  ASSERT_EQ(run("predict --evaluate --out errors.svg").status, 0);
  ASSERT_EQ(run("predict --evaluate --out errors.html --json").status, 0);
  for (const char* file : {"errors.svg", "errors.html"}) {
    std::ifstream in(folder_ / file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    EXPECT_NE(text.find("Nightly Sort"), std::string::npos) << file;
    EXPECT_NE(text.find("2 of 2 runs within"), std::string::npos) << file;
    EXPECT_EQ(text.find("http://www.w3.org/2000/svg") == std::string::npos, false) << file;
  }
  refused("predict --evaluate --out errors.png", 2, "neither .html nor .svg");
  refused("predict --evaluate --hold-out sizes", 2, "--hold-out 'sizes'");
  refused("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 --out x.svg", 2, "add --evaluate");
  const Json told = Json::parse(run("predict --evaluate --hold-out size --json").out);
  EXPECT_EQ(told["not_predicted"], 2) << "both runs are of one size";
}

TEST_F(Predict, GivesAnIntervalAndTheStages) {
  const Json told = Json::parse(run("predict 'Nightly Sort' --map-slots 4 --reduce-slots 2 --json").out);
  EXPECT_LT(told["p5_ms"], told["p50_ms"]);
  EXPECT_GT(told["p95_ms"], told["p50_ms"]);
  EXPECT_EQ(told["stages"]["startup_ms"], 10'000);
  EXPECT_EQ(told["stages"]["map_ms"], 200'000);
  EXPECT_EQ(told["stages"]["reduce_ms"], 20'000);
  EXPECT_EQ(told["stages"]["commit_ms"], 2'000);
  EXPECT_EQ(told["calibration_runs"], 2);
  EXPECT_EQ(told["input_used"], nullptr);
}

TEST_F(Predict, SaysThatAnInputHasNoEffect) {
  std::vector<JobRun> runs = {even_run(5, 4), even_run(6, 4)};
  for (JobRun& run : runs) {
    run.name = "sleepy";
    for (TaskRun& task : run.tasks) task.input.reset();
  }
  (void)Store::open(store_url(), Store::Access::create).add(runs);
  const CommandResult result = run("predict sleepy --map-slots 2 --reduce-slots 2 --input-bytes 1GiB --json");
  EXPECT_EQ(Json::parse(result.out)["input_used"], false);
  EXPECT_NE(result.err.find("--input-bytes has no effect"), std::string::npos) << result.err;
}

TEST_F(Predict, AnswersForHugeJobsOrRefusesThem) {
  const CommandResult huge =
      run("predict 'Nightly Sort' --map-slots 400 --reduce-slots 2 --maps 100000000 --json");
  ASSERT_EQ(huge.status, 0) << huge.err;
  EXPECT_NEAR(Json::parse(huge.out)["p50_ms"].get<double>(), 25e9, 1e8);
  refused("predict 'Nightly Sort' --map-slots 9000000 --reduce-slots 2 --maps 100000000", 2,
          "too many to simulate");
}

TEST_F(Predict, ExplainsWhereANumberComesFrom) {
  const Json why = Json::parse(run("profile 'Nightly Sort' --why map.max --json").out);
  EXPECT_EQ(why["tasks"], 16);
  EXPECT_EQ(why["nearest"][0]["length_ms"], 100'000);
  EXPECT_EQ(why["runs"].size(), 2U);
  EXPECT_EQ(why["runs"][0]["left_out"], nullptr);
  const CommandResult shown = run("profile 'Nightly Sort' --why reduce");
  EXPECT_LE(width_of(shown.out), 100U) << shown.out;
  EXPECT_NE(shown.out.find("job_1700000000000_0002"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("4 reduce tasks; 4 of them, the longest first"), std::string::npos) << shown.out;
  EXPECT_NE(run("profile 'Nightly Sort' --why map.mean").out.find("nearest to their mean first"),
            std::string::npos);
  refused("profile 'Nightly Sort' --why mpa", 2, "did you mean 'map'?");
  refused("profile 'Nightly Sort' --why shuffle", 1, "no shuffle task");
  refused("profile --why map", 2, "no job named");
}

TEST_F(Predict, ShowsGroupsFindingsAndFits) {
  std::vector<JobRun> runs;
  for (int i = 3; i < 9; ++i) runs.push_back(even_run(i, i < 5 ? 4 : 32));
  (void)Store::open(store_url(), Store::Access::create).add(runs);
  const Json told = Json::parse(run("profile 'Nightly Sort' --json --as-of 2023-12-30").out);
  EXPECT_EQ(told["groups"].size(), 3U);
  EXPECT_EQ(told["group"], 1);
  EXPECT_EQ(told["runs"], 4) << "those of the fullest group";
  EXPECT_EQ(told["by_slots"].size(), 3U) << "sizes";
  EXPECT_NEAR(told["fits"][0]["line"]["slope"].get<double>() * (64 << 20), 1, 1e-9);
  bool stale = false;
  for (const Json& finding : told["findings"]) stale = stale || finding["code"] == "Stale";
  EXPECT_TRUE(stale) << told["findings"];
  EXPECT_EQ(Json::parse(run("profile 'Nightly Sort' --group all --json").out)["runs"], 8);
  EXPECT_EQ(Json::parse(run("profile 'Nightly Sort' --group 3 --json").out)["runs"], 2);
  refused("profile 'Nightly Sort' --group 4", 2, "there is no group 4");
  const CommandResult shown = run("profile 'Nightly Sort' --fit");
  EXPECT_LE(width_of(shown.out), 100U) << shown.out;
  EXPECT_NE(shown.out.find("what tells it apart"), std::string::npos) << shown.out;
}

TEST_F(Predict, NamesThatDifferInDatesAreTakenTogether) {
  std::vector<JobRun> runs = {even_run(3, 8), even_run(4, 8)};
  runs[0].name = "etl-2026-11-19";
  runs[1].name = "etl-2026-11-20";
  (void)Store::open(store_url(), Store::Access::create).add(runs);
  refused("profile etl-2026-11-21", 2, "use 'etl-*' (or --like)");
  for (const char* name : {"'ETL-*'", "etl-2026-11-21 --like"}) {
    const Json told = Json::parse(run(std::string("profile ") + name + " --json").out);
    EXPECT_EQ(told["runs"], 2);
    EXPECT_EQ(told["names"].size(), 2U);
  }
  EXPECT_EQ(run("predict 'etl-*' --map-slots 4 --reduce-slots 2").status, 0);
  refused("profile 'zzz-*'", 2, "named like 'zzz-*'");
}

TEST_F(Predict, TheTablesOfOneJobObeyTheFlagsOfLists) {
  EXPECT_EQ(run("profile 'Nightly Sort' -P -o phase,count,p50_ms").out,
            "phase|count|p50_ms\nmap|16|100000\nfirst_shuffle|4|5000\nshuffle|0|\nreduce|4|15000\n");
  EXPECT_EQ(run("profile 'Nightly Sort' -n -o phase,max_ms").out.substr(0, 20), "map            1m40s");
  const CommandResult tasks = run("profile 'Nightly Sort' --why map.max --output csv -o length_ms,node");
  EXPECT_EQ(tasks.out.substr(0, tasks.out.find('\n', 15) + 1), "length_ms,node\n100000,\n");
  EXPECT_EQ(lines_of(tasks.out), 6U) << tasks.out;
  const CommandResult fits = run("profile 'Nightly Sort' --fit --output jsonl -o phase,points,slope");
  EXPECT_EQ(lines_of(fits.out), 4U) << fits.out;
  EXPECT_EQ(Json::parse(fits.out.substr(0, fits.out.find('\n')))["points"], 2);
  const std::string predict = "predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 ";
  const CommandResult methods = run(predict + "--output csv -o method,time_ms");
  EXPECT_EQ(methods.out.substr(0, methods.out.find('\n', 15) + 1), "method,time_ms\nlow,432000\n");
  EXPECT_EQ(lines_of(methods.out), 8U) << methods.out;
  EXPECT_EQ(lines_of(run(predict + "-n").out), 7U) << "the methods and nothing else";
}

TEST_F(Predict, TheFieldsOfEveryTableAreNamedAndUnknownOnesRefused) {
  const auto named = [&](const std::string& arguments, const std::string& field) {
    const std::string told = run(arguments + " --help-fields").out;
    EXPECT_NE(told.find(field + " "), std::string::npos) << arguments << ": " << told;
  };
  named("profile", "succeeded");
  named("profile 'Nightly Sort'", "p25_ms");
  named("profile 'Nightly Sort' --fit", "slope_low");
  named("profile 'Nightly Sort' --why map", "length_ms");
  named("predict 'Nightly Sort'", "method");
  named("predict --evaluate", "error_p50");
  refused("profile 'Nightly Sort' -o phase,p50ms", 2, "did you mean 'p50_ms'?");
  refused("profile 'Nightly Sort' --fit -o slop", 2, "did you mean 'slope'?");
  refused("profile 'Nightly Sort' --why map -o atempt", 2, "did you mean 'attempt'?");
  refused("profile 'Nightly Sort' --output cvs", 2, "did you mean 'csv'?");
  refused("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 -o methd", 2, "did you mean 'method'?");
}

TEST_F(Predict, FlagsWithoutEffectAreRefused) {
  for (const char* flag : {"--map-slots", "--reduce-slots", "--input-bytes", "--maps", "--reduces"}) {
    refused(std::string("predict 'Nightly Sort' --evaluate ") + flag + " 4", 2,
            flag + std::string(" has no effect with --evaluate"));
  }
  refused("predict --evaluate --like", 2, "--like has no effect without a NAME");
  refused("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 --hold-out run", 2, "add --evaluate");
  for (const char* flag : {"--fit", "--group 1", "--as-of 2026-11-20", "--before-change", "--like"}) {
    refused(std::string("profile ") + flag, 2, "is of one job; give a NAME");
  }
  refused("profile 'Nightly Sort' --why map --fit", 2, "--fit has no effect with --why");
  refused("profile 'Nightly Sort' --why map --as-of now", 2, "--as-of has no effect with --why");
}

TEST_F(Predict, SaysWhereFewerRunsWereSimulatedThanAskedFor) {
  const std::string many = "predict 'Nightly Sort' --map-slots 40 --reduce-slots 2 --maps 200000 ";
  const CommandResult result = run(many + "--json");
  const Json told = Json::parse(result.out);
  EXPECT_GE(told["replications"], 20) << "p5 and p95 rest on them";
  EXPECT_LT(told["replications"], 300);
  EXPECT_NE(result.err.find(
                fmt::format("rest on {} simulated runs instead of 300", told["replications"].get<int>())),
            std::string::npos)
      << result.err;
  EXPECT_EQ(run("predict 'Nightly Sort' --map-slots 4 --reduce-slots 2").err, "");
}

TEST_F(Predict, NewestIsTheSubmissionEverywhere) {
  const Json told = Json::parse(run("profile 'Nightly Sort' --json").out);
  EXPECT_EQ(told["newest_ms"], 1'700'000'000'000 + 20'000'000);
  EXPECT_EQ(told["groups"][0]["newest_ms"], told["newest_ms"]);
  EXPECT_NE(run("profile 'Nightly Sort'").out.find("newest submitted 2023-11-15 03:46:40 UTC"),
            std::string::npos);
}

TEST_F(Predict, AJobWithoutANameIsAskedForAsItIsShown) {
  std::vector<JobRun> runs = {even_run(3, 8), even_run(4, 8)};
  for (JobRun& run : runs) run.name.clear();
  (void)Store::open(store_url(), Store::Access::create).add(runs);
  for (const char* list :
       {"profile", "jobs", "jobs --name '(no name)'", "profile '(no name)'", "profile '(no name)' --why map",
        "predict '(no name)' --map-slots 4 --reduce-slots 2", "predict --evaluate",
        "slots '(no name)' --deadline 8min"}) {
    const CommandResult result = run(list);
    EXPECT_EQ(result.status, 0) << list << ": " << result.err;
    EXPECT_NE(result.out.find("(no name)"), std::string::npos) << list << ": " << result.out;
  }
  EXPECT_EQ(Json::parse(run("profile --json").out)["names"][0]["name"], "");
  for (const char* one : {"profile '(no name)' --json", "slots '(no name)' --deadline 8min --json",
                          "predict '(no name)' --map-slots 4 --reduce-slots 2 --json"}) {
    EXPECT_EQ(Json::parse(run(one).out)["name"], "") << one;
  }
  EXPECT_EQ(Json::parse(run("profile '(no name)' --json").out)["runs"], 2);
  refused("profile ' '", 2, "'wavewright profile' lists the names");
  refused("profile '(no nmae)'", 2, "did you mean '(no name)'?");
}

TEST_F(Predict, EvaluatesNamesTakenTogether) {
  std::vector<JobRun> runs = {even_run(3, 8), even_run(4, 8)};
  runs[0].name = "etl-2026-11-19";
  runs[1].name = "etl-2026-11-20";
  (void)Store::open(store_url(), Store::Access::create).add(runs);
  for (const char* name : {"'etl-*'", "etl-2026-11-21 --like"}) {
    const CommandResult result = run(std::string("predict --evaluate --json ") + name);
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(Json::parse(result.out)["mean_absolute_error"]["runs"], 2);
  }
}

TEST_F(Predict, FindsTheFewestSlotsForADeadline) {
  const CommandResult result = run("slots 'Nightly Sort' --deadline 8min --model wave --curve --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json told = Json::parse(result.out);
  EXPECT_EQ(told["best"]["map_slots"], 2);
  EXPECT_EQ(told["best"]["reduce_slots"], 1);
  EXPECT_EQ(told["best"]["completion_ms"], 12'000 + 4 * 100'000 + 2 * 20'000);
  EXPECT_EQ(told["curve"].size(), 1U);
  EXPECT_EQ(told["lagrange"]["model"], "simple");
  const Json beside =
      Json::parse(run("slots 'Nightly Sort' --deadline 8min --reduce-slots 2 --model bounds --json").out);
  EXPECT_EQ(beside["best"]["reduce_slots"], 2);
  EXPECT_TRUE(beside.contains("map_slots_real"));
  for (const char* model : {"wave", "bounds", "simple"}) {
    const CommandResult shown =
        run(std::string("slots 'Nightly Sort' --deadline 8min --curve --model ") + model);
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_LE(width_of(shown.out), 100U) << shown.out;
  }
}

TEST_F(Predict, ADeadlineThatNoSlotsMeetIsANo) {
  refused("slots 'Nightly Sort' --deadline 1min", 1, "no slots meet 1min");
  refused("slots 'Nightly Sort' --deadline 1min --json", 1, "take 3m");
  refused("slots 'Nightly Sort' --deadline 1min --model bounds", 1, "take 2m");
}

TEST_F(Predict, NumbersThatMakeNoSenseAreWrongUsage) {
  refused("predict 'Nightly Sort' --map-slots 0 --reduce-slots 2", 2, "--map-slots '0'");
  refused("predict 'Nightly Sort' --map-slots=-4 --reduce-slots 2", 2, "--map-slots '-4'");
  refused("predict 'Nightly Sort' --map-slots nan --reduce-slots 2", 2, "--map-slots 'nan'");
  refused("predict 'Nightly Sort' --map-slots 1.5 --reduce-slots 2", 2, "--map-slots '1.5'");
  refused("predict 'Nightly Sort' --map-slots 99999999999999999999 --reduce-slots 2", 2, "--map-slots");
  refused("predict 'Nightly Sort' --reduce-slots 2", 2, "no --map-slots given");
  refused("predict 'Nightly Sort' --map-slots 2", 2, "no --reduce-slots given; say on how many the job's 2");
  refused("predict 'Nightly Sort' --map-slots 2 --reduce-slots 0", 1, "no reduce slots");
  EXPECT_EQ(run("predict 'Nightly Sort' --map-slots 2 --reduces 0").status, 0) << "needs none";
  refused("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 --replications 19", 2,
          "--replications 19 are too few for p5 and p95");
  refused("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 --input-bytes lots", 2,
          "not a number of bytes");
  refused("predict 'Nightly Sort' --map-slots 2 --reduce-slots 2 --input-bytes 0", 2, "no input bytes");
  refused("predict", 2, "no job named");
  refused("slots 'Nightly Sort' --deadline nan", 2, "not a duration");
  refused("slots 'Nightly Sort' --deadline=-5min", 2, "not a duration");
  refused("slots 'Nightly Sort' --deadline 0s", 2, "deadline");
  refused("slots 'Nightly Sort' --deadline 8min --reduce-slots 0", 2, "--reduce-slots '0'");
  refused("slots 'Nightly Sort' --deadline 8min --model boudns", 2, "did you mean 'bounds'?");
  refused("slots 'Nightly Sort'", 2, "--deadline");
  refused("slots Nightly --deadline 8min", 2, "no runs of a job named");
}

TEST_F(Predict, AJobThatHasNotChangedIsShownWithItsErrorsAlone) {
  for (const char* command :
       {"predict 'Nightly Sort' --map-slots 4 --reduce-slots 2", "slots 'Nightly Sort' --deadline 8min"}) {
    const CommandResult shown = run(command);
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_NE(shown.out.find(" % in its last 2 runs\n"), std::string::npos) << shown.out;
    EXPECT_EQ(shown.out.find("WARNING"), std::string::npos) << shown.out;
    const Json told = Json::parse(run(std::string(command) + " --json").out)["record"];
    EXPECT_EQ(told["runs"], 2);
    EXPECT_EQ(told["live_runs"], 0);
    EXPECT_EQ(told["changed"], nullptr);
  }
}

// A job whose last six of thirty runs took longer, and a batch in which it ran 10 % longer than promised and
// 24 % less. It waits once more in that batch.
class Drifted : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    Store store = Store::open(store_url(), Store::Access::create);
    (void)store.add(drifted_runs());
    LiveBatch night;
    night.name = "night";
    night.began = began;
    night.jobs = {done_job("longer", "Drifter", 100, 110), done_job("shorter", "drifter", 200, 152),
                  done_job("other", "Nightly Sort", 100, 200)};
    LiveJob failed = done_job("failed", "drifter", 100, 900);
    failed.state = LiveState::failed;
    night.jobs.push_back(failed);
    LiveJob next;
    next.id = "next";
    next.tag = "wavewright-night-next";
    next.command = {"true"};
    next.profile = "drifter";
    night.jobs.push_back(next);
    const BatchStore batches(store);
    batches.create(night);
    const OutlookStore outlooks(store);
    const std::optional<LiveBatch> stored = batches.read("night");
    ASSERT_TRUE(stored);
    for (const LiveJob& job : stored->jobs) {
      if (const auto promise = kept_promise(job, std::nullopt)) outlooks.keep("night", job.id, *promise);
    }
    std::vector<double> errors;
    for (const KeptPromise& each : outlooks.promises("drifter", runs_of_a_record))
      errors.push_back(each.error());
    Outlook outlook;
    outlook.at = began;
    outlook.model = "60 continuations";
    outlook.jobs["next"].end = Forecast{began + ms(3'600'000), began + ms(3'700'000), began + ms(3'800'000)};
    outlook.records["drifter"] = track_record(Predictor("drifter", load_phases(store, "drifter")), errors);
    outlooks.keep("night", outlook);
    write("cluster.toml",
          "[mode]\nkind = \"slots\"\n[[nodes]]\ncount = 2\nmap_slots = 4\nreduce_slots = 2\n"
          "[[queues]]\nname = \"etl\"\nweight = 1\n");
  }

  // It waited for a minute longer than expected, which is no error of its estimate.
  static LiveJob done_job(const std::string& id, const std::string& profile, int promised, int ran) {
    LiveJob job;
    job.id = id;
    job.tag = "wavewright-night-" + id;
    job.command = {"true"};
    job.profile = profile;
    job.state = LiveState::done;
    job.attempts = 1;
    job.expected_start = began;
    job.expected_end = began + ms(1'000 * promised);
    job.started_at = began + ms(60'000);
    job.ended_at = *job.started_at + ms(1'000 * ran);
    return job;
  }

  [[nodiscard]] Json json(const std::string& arguments) const {
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << arguments << ": " << result.err;
    return Json::parse(result.out);
  }

  static constexpr Time began = at_ms(1'700'000'000'000);
};

constexpr const char* submit_drifter =
    "submit --test-only --cluster cluster.toml --run night --job more --profile drifter -- true '{options}'";

TEST_F(Drifted, EachEstimateIsShownWithPastErrorsAndThatTheJobHasChanged) {
  for (const char* command :
       {"predict drifter --map-slots 4 --reduce-slots 2", "slots drifter --deadline 20min",
        "instances --for drifter --deadline 20min --model up --only m5.xlarge", "queue --run night",
        "queue --start --run night", "night --run night", "why next --run night", submit_drifter}) {
    const CommandResult shown = run(command);
    EXPECT_EQ(shown.status, 0) << command << ": " << shown.err;
    for (const char* text : {"±", " % in its last 12 runs, ±17 % in 2 live runs", "WARNING: ",
                             " has changed: its maps take 2.00 times as long since ", " (6 runs)"})
      EXPECT_NE(shown.out.find(text), std::string::npos) << command << ": " << text << " in " << shown.out;
  }
}

// |10 %| and |-24 %| are 17 % in the mean. Neither another profile's promise counts nor a job that failed.
TEST_F(Drifted, EachEstimateTellsProgramsTheSame) {
  Json next;
  const Json queue = json("queue --run night --json");
  for (const Json& job : queue["jobs"]) {
    if (job["id"] == "next") next = job["record"];
  }
  const Json records[] = {
      json("predict drifter --map-slots 4 --reduce-slots 2 --json")["record"],
      json("slots drifter --deadline 20min --json")["record"],
      json("instances --for drifter --deadline 20min --model up --only m5.xlarge --json")["record"],
      next,
      json("night --run night --json")["records"]["drifter"],
      json("why next --run night --json")["record"],
      json(std::string("--json ") + submit_drifter)["jobs"][0]["record"]};
  for (const Json& record : records) {
    ASSERT_TRUE(record.is_object()) << record;
    EXPECT_EQ(record["runs"], 12);
    EXPECT_GT(record["error"], 0.1) << "half of the last twelve runs are of the old length";
    EXPECT_LT(record["error"], 0.6);
    EXPECT_EQ(record["live_runs"], 2);
    EXPECT_NEAR(record["live_error"].get<double>(), 0.17, 1e-9);
    EXPECT_EQ(record["changed"]["phase"], "map");
    EXPECT_NEAR(record["changed"]["factor"].get<double>(), 2, 1e-9);
    EXPECT_EQ(record["changed"]["runs"], 6);
    EXPECT_EQ(record["changed"]["when_ms"], 1'700'000'000'000 + 125 * std::int64_t{10'000'000});
  }
  const std::string shown = run("predict drifter --map-slots 4 --reduce-slots 2").out;
  const std::string error =
      fmt::format("such predictions: ±{:.0f} % in its last 12 runs", 100 * records[0]["error"].get<double>());
  EXPECT_NE(shown.find(error), std::string::npos) << error << " in " << shown;
}

}  // namespace
}  // namespace wavewright
