#include "wavewright/job/workload_file.h"
#include "tests/property.h"

#include <zlib.h>

#include <numeric>
#include <sstream>

#include <rapidcheck.h>

#include "tests/job/temporary_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/line_reader.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

Workload read(std::string_view content, std::uint64_t seed = 1) {
  const TemporaryFile file(content);
  WorkloadReadOptions options;
  options.seed = seed;
  return read_workload(file.path(), options);
}

// The error's text without the file's folder: `FILE:2: …`.
std::string refusal(std::string_view content) {
  const TemporaryFile file(content);
  try {
    (void)read_workload(file.path());
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string name = file.path().string();
    if (const auto at = text.find(name); at != std::string::npos) text.replace(at, name.size(), "FILE");
    return text;
  }
  return "accepted";
}

TEST(WorkloadFile, ReadsTheContractsExample) {
  const Workload workload =
      read(R"j({"id":"J1","name":"wordcount","submit_ms":0,"map_ms":[4000,4100],"reduce_ms":[5000]})j");
  ASSERT_EQ(workload.jobs.size(), 1U);
  const Job& job = workload.jobs[0];
  EXPECT_EQ(job.id, "J1");
  EXPECT_EQ(job.name, "wordcount");
  EXPECT_EQ(job.maps, (std::vector{ms(4000), ms(4100)}));
  EXPECT_EQ(job.reduces, std::vector{ms(5000)});
  EXPECT_EQ(job.first_shuffle(0), ms(0));
  EXPECT_FALSE(job.deadline);
}

TEST(WorkloadFile, ReadsEveryField) {
  const Workload workload = read(
      R"j({"id":"a","map_ms":[1]})j"
      "\n\n"
      R"j({"id":"b","name":"n","user":"u","queue":"q","submit_ms":7,"map_ms":[1,2],"reduce_ms":[3],)j"
      R"j("command":["hadoop","jar","x y.jar"],"profile":"p","not_before_ms":5,)j"
      R"j("first_shuffle_ms":[4],"shuffle_ms":{"count":1,"dist":"const(5)"},"deadline_ms":99,"after":["a"],)j"
      R"j("input_bytes":10,"shuffle_bytes":11,"output_bytes":12,"splits":[["n3","n7"],["n1"]],)j"
      R"j("classes":{"gpu":{"speed":4.2,"parallelism":2,"energy_factor":1.41}},"value":2.5,"delay_cost_per_s":0.25,)j"
      R"j("master_memory_mb":1536,"reduce_memory_mb":4096,"task_failure":0.25,"processor_bound":true,"several_applications":true})j"
      "\r\n");
  const Job& job = workload.jobs.at(1);
  EXPECT_EQ(job.user + job.queue, "uq");
  EXPECT_EQ(job.command, (std::vector<std::string>{"hadoop", "jar", "x y.jar"}));
  EXPECT_EQ(job.profile, "p");
  EXPECT_EQ(job.submit, at_ms(7));
  EXPECT_EQ(job.not_before, at_ms(5));
  EXPECT_EQ(job.first_shuffle(0), ms(4));
  EXPECT_EQ(job.later_shuffle(0), ms(5));
  EXPECT_EQ(job.deadline, at_ms(99));
  EXPECT_EQ(job.after, std::vector<std::string>{"a"});
  EXPECT_EQ(job.shuffled, Bytes{11});
  EXPECT_EQ(job.splits.at(0).at(1), "n7");
  EXPECT_EQ(job.classes.at("gpu").speed, 4.2);
  EXPECT_EQ(job.classes.at("gpu").parallelism, 2);
  EXPECT_DOUBLE_EQ(job.delay_cost_per_s.value(), 0.25);
  EXPECT_DOUBLE_EQ(job.task_failure, 0.25);
  EXPECT_TRUE(job.processor_bound);
  EXPECT_FALSE(workload.jobs.at(0).processor_bound);
  EXPECT_TRUE(job.several_applications);
  EXPECT_FALSE(workload.jobs.at(0).several_applications);
  EXPECT_EQ(job.memory, (JobMemory{Bytes{1536LL << 20}, {}, Bytes{4096LL << 20}}));
}

TEST(WorkloadFile, AClassWithoutASpeedHasNone) {
  const Job job =
      read(R"j({"id":"a","map_ms":[1],"classes":{"gpu":{"energy_factor":3,"speed":null,"power_w":null}}})j")
          .jobs[0];
  EXPECT_FALSE(job.classes.at("gpu").speed) << "the node's own counts";
  EXPECT_EQ(to_line(job).find("speed"), std::string::npos);
  EXPECT_EQ(to_line(read(to_line(job)).jobs[0]), to_line(job));
}

TEST(WorkloadFile, AJobArrivesWhenItMayBeSubmitted) {
  const std::string line = R"j({"id":"a","submit_ms":3,"not_before_ms":8,"map_ms":[1]})j";
  const Job job = read(line).jobs[0];
  EXPECT_EQ(job.submit, at_ms(8));
  EXPECT_EQ(to_line(read(to_line(job)).jobs[0]), to_line(job));
}

TEST(WorkloadFile, AProfileGivesTasksToAJobWithoutAny) {
  const TemporaryFile file(R"j({"id":"a","profile":"p","input_bytes":7})j"
                           "\n"
                           R"j({"id":"b","profile":"p","map_ms":[1]})j"
                           "\n"
                           R"j({"id":"c"})j");
  WorkloadReadOptions options;
  options.tasks_of_profile = [](const Job& job) {
    if (job.id != "a") throw InternalError("asked for " + job.id);
    const auto length = static_cast<double>(job.input->count);
    return ProfiledTasks{
        1,
        0,
        {.maps = DurationRange{length, length, length}, .reduces = {}, .first_shuffles = {}, .shuffles = {}}};
  };
  EXPECT_EQ(read_workload(file.path(), options).jobs[0].maps, std::vector{ms(7)});
  options.most_tasks = 0;
  EXPECT_THROW((void)read_workload(file.path(), options), InputError) << "too many, before they are drawn";
  options.most_tasks = 9;
  options.tasks_of_profile = [](const Job&) -> ProfiledTasks {
    throw UsageError("no such profile", "import it");
  };
  try {
    (void)read_workload(file.path(), options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 1);
    EXPECT_THAT(error.what(), HasSubstr("job 'a': no such profile; import it"));
  }
  EXPECT_TRUE(read_workload(file.path()).jobs[0].maps.empty());
}

TEST(WorkloadFile, TasksOfAProfileAreDrawnAsAWrittenRange) {
  const TemporaryFile file(R"j({"id":"a","profile":"p"})j");
  WorkloadReadOptions options;
  const DurationRange range{10, 20, 80};
  options.tasks_of_profile = [&](const Job&) {
    return ProfiledTasks{3, 2, {.maps = range, .reduces = range, .first_shuffles = range, .shuffles = {}}};
  };
  const Job job = read_workload(file.path(), options).jobs[0];
  const std::string form = R"j("profile":{"min":10,"avg":20,"max":80}})j";
  const Job written = read(R"j({"id":"a","map_ms":{"count":3,)j" + form + R"j(,"reduce_ms":{"count":2,)j" +
                           form + R"j(,"first_shuffle_ms":{"count":2,)j" + form + "}")
                          .jobs[0];
  EXPECT_EQ(job.maps, written.maps);
  EXPECT_EQ(job.reduces, written.reduces);
  EXPECT_EQ(job.first_shuffles, written.first_shuffles);
  EXPECT_TRUE(job.shuffles.empty());
  options.most_tasks = 5;
  EXPECT_EQ(read_workload(file.path(), options).jobs[0].maps, job.maps);
  for (const Count fewer : {4, 3, 2}) {
    options.most_tasks = fewer;
    EXPECT_THROW((void)read_workload(file.path(), options), InputError) << fewer;
  }
}

TEST(WorkloadFile, UnknownFieldsAreKeptAndWarnedAboutOnce) {
  const TemporaryFile file(
      R"j({"id":"a","team":{"lead":"Ün\"x","size":[1,2.5,null,true]},"cost":18446744073709551615})j"
      "\n"
      R"j({"id":"b","team":1})j");
  std::vector<std::string> warnings;
  WorkloadReadOptions options;
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  const Workload workload = read_workload(file.path(), options);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_THAT(warnings[0], HasSubstr("'team'"));
  const std::string line = to_line(workload.jobs[0]);
  EXPECT_EQ(
      line,
      R"j({"id":"a","submit_ms":0,"team":{"lead":"Ün\"x","size":[1,2.5,null,true]},"cost":18446744073709551615})j");
  EXPECT_EQ(to_line(read(line).jobs[0]), line);
}

TEST(WorkloadFile, DrawnDurationsAreSeededByJobAndField) {
  const std::string a = R"j({"id":"a","map_ms":{"count":800,"dist":"lognormal(9.9511,1.6764)"}})j";
  const std::string b = R"j({"id":"b","map_ms":{"count":50,"dist":"normal(100,300)"},)j"
                        R"j("reduce_ms":{"count":40,"profile":{"min":10,"avg":20,"max":80}}})j";
  const Workload both = read(a + "\n" + b);
  EXPECT_EQ(both.jobs[0].maps.size(), 800U);
  EXPECT_EQ(read(b).jobs[0].maps, both.jobs[1].maps) << "one job's draws must not depend on the others";
  EXPECT_NE(read(b, 2).jobs[0].maps, both.jobs[1].maps);
  const std::string c = R"j({"id":"c","map_ms":{"count":50,"dist":"normal(100,300)"}})j";
  EXPECT_NE(read(c).jobs[0].maps, both.jobs[1].maps);
  for (const Duration d : both.jobs[1].maps) EXPECT_GE(d, ms(1));
  for (const Duration d : both.jobs[1].reduces) {
    EXPECT_GE(d, ms(10));
    EXPECT_LE(d, ms(80));
  }
}

struct BadFile {
  const char* content;
  const char* says;
};

class RefusedWorkload : public testing::TestWithParam<BadFile> {};

TEST_P(RefusedWorkload, NamesFileLineAndReason) {
  const std::string text = refusal(std::string(R"j({"id":"ok"})j") + "\n" + GetParam().content);
  EXPECT_THAT(text, testing::StartsWith("FILE:2: "));
  EXPECT_THAT(text, HasSubstr(GetParam().says));
  EXPECT_THAT(text, HasSubstr("; ")) << "a remedy";
  EXPECT_LT(text.size(), 250U);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, RefusedWorkload,
    testing::Values(
        BadFile{R"j({"id":"x","map_ms":[1,NaN]})j", "no NaN"},
        BadFile{R"j({"id":"x","map_ms":[1.5]})j", "map_ms[0] is 1.5"},
        BadFile{R"j({"id":"x","command":"hadoop jar a.jar"})j", "not a list of texts"},
        BadFile{R"j({"id":"x","command":["",""]})j", "begins with an empty text"},
        BadFile{R"j({"id":"x","command":["a\u0000b"]})j", "holds a zero byte"},
        BadFile{R"j({"id":"x","not_before_ms":-1})j", "not_before_ms is out of range"},
        BadFile{R"j({"id":"x","not_before":5})j", "did you mean 'not_before_ms'"},
        BadFile{R"j({"id":"x","map_ms":[1,-5]})j", "map_ms[1] is negative (-5)"},
        BadFile{R"j({"id":"x","map_ms":[9223372036854775807]})j", "too long"},
        BadFile{R"j({"id":"x","map_ms":[18446744073709551615]})j", "not a whole number"},
        BadFile{R"j({"id":"x","map_ms":[99999999999999999999999]})j", "64 bits"},
        BadFile{R"j({"id":"x","map_ms":["5"]})j", "a text, not a whole number"},
        BadFile{R"j({"id":"x","map_ms":7})j", "map_ms is 7"},
        BadFile{R"j({"id":"x","submit_ms":-1})j", "submit_ms is out of range"},
        BadFile{R"j({"id":"x","submit_ms":0.5})j", "submit_ms is 0.5"},
        BadFile{R"j({"id":"ok"})j", "used before, on line 1"}, BadFile{R"j({"id":""})j", "empty id"},
        BadFile{R"j({"id":7})j", "id is 7, not a text"}, BadFile{R"j({"map_ms":[1]})j", "without 'id'"},
        BadFile{R"j({"id":"x","reduces_ms":[1]})j", "did you mean 'reduce_ms'"},
        BadFile{R"j({"id":"x","id":"y"})j", "appears twice"},
        BadFile{R"j({"id":"x","map_ms":[1,)j", "ends in the middle"},
        BadFile{"{\"id\":\"x\",\"map_ms\":[1,\n", "not one JSON object a line"},
        BadFile{R"j({"id":"x"} {"id":"y"})j", "not one JSON object a line"},
        BadFile{"[1,2]", "not a JSON object"}, BadFile{"\x80\x81", "not UTF-8"},
        BadFile{R"j({"id":"x","map_ms":{"count":1000000000000,"dist":"const(1)"}})j", "more than "},
        BadFile{R"j({"id":"x","map_ms":{"count":-1,"dist":"const(1)"}})j", "count"},
        BadFile{R"j({"id":"x","map_ms":{"count":1.5,"dist":"const(1)"}})j", "'count' is unknown or 1.5"},
        BadFile{R"j({"id":"x","map_ms":{"count":1}})j", "one of \"dist\" and \"profile\""},
        BadFile{R"j({"id":"x","map_ms":{"count":1,"dist":"lognorml(1,2)"}})j", "did you mean 'lognormal'"},
        BadFile{R"j({"id":"x","map_ms":{"count":9,"dist":"lognormal(60,1)"}})j", "beyond 2^48"},
        BadFile{R"j({"id":"x","map_ms":{"count":1,"profile":{"min":5,"avg":1,"max":9}}})j", "not in order"},
        BadFile{R"j({"id":"x","map_ms":{"count":1,"profile":{"min":5,"avg":6}}})j", "needs min, avg and max"},
        BadFile{R"j({"id":"x","reduce_ms":[1,2],"shuffle_ms":[1]})j", "1 entries for 2 reduces"},
        BadFile{R"j({"id":"x","reduce_ms":[1],"shuffle_ms":{"count":1000000000000,"dist":"const(1)"}})j",
                "1 reduces"},
        BadFile{R"j({"id":"x","reduce_ms":[1],"shuffle_ms":[1,2]})j",
                "shuffle_ms: more entries than the job's 1 reduces; give one entry for each reduce"},
        BadFile{R"j({"id":"x","reduce_ms":[1],"first_shuffle_ms":{"count":2,"dist":"const(1)"}})j",
                "count 2: more entries than the job's 1 reduces; give one entry for each reduce"},
        BadFile{R"j({"id":"x","map_ms":[1],"splits":["node1"]})j",
                R"j(splits[0] is a text, not a list of hosts; write [["node3","node7"],…], one list a map)j"},
        BadFile{R"j({"id":"x","map_ms":[1,1],"splits":[["a"],["b",7]]})j", "splits[1] holds 7, not a text"},
        BadFile{R"j({"id":"x","map_ms":[1],"splits":[]  ,"input_bytes":-5})j", "input_bytes is negative"},
        BadFile{R"j({"id":"x","map_ms":[1],"splits":[["a"],["b"]]})j", "splits has 2 entries for 1 maps"},
        BadFile{R"j({"id":"x","classes":{"gpu":{"speed":0}}})j", "0 or less"},
        BadFile{R"j({"id":"x","classes":{"gpu":{"energy_factor":-1.41}}})j", "energy factor of 0 or less"},
        BadFile{R"j({"id":"x","classes":{"gpu":{"energy_factor":1e300}}})j",
                "class 'gpu' has an energy_factor of 1e+300"},
        BadFile{R"j({"id":"x","classes":{"gpu":{"energy_factor":1e-300}}})j", "from 0.000001 to 1000000"},
        BadFile{R"j({"id":"x","classes":{"gpu":{"energy_factor":2,"power_w":30}}})j",
                "class 'gpu' has power_w and an energy_factor"},
        BadFile{R"j({"id":"x","classes":{"gpu":{"power_w":-30}}})j", "class 'gpu' has a power of -30 W"},
        BadFile{R"j({"id":"x","classes":{"gpu":{"sped":1}}})j", "did you mean 'speed'"},
        BadFile{R"j({"id":"x","map_memory_mb":0})j", "MiB from 1"},
        BadFile{R"j({"id":"x","task_failure":1.5})j", "a probability"},
        BadFile{R"j({"id":"x","processor_bound":1})j", "not true or false"},
        BadFile{R"j({"id":"x","several_applications":2})j", "not true or false"},
        BadFile{R"j({"id":"x","after":["nobody"]})j", "unknown job 'nobody'"},
        BadFile{R"j({"id":"x","after":["x"]})j", "circle"}));

TEST(WorkloadFile, DeepNestingIsRefusedNotACrash) {
  const std::string deep =
      R"j({"id":"x","x_note":)j" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_THAT(refusal(deep), HasSubstr("nested deeper than 64"));
}

TEST(WorkloadFile, WorkThatCannotBeAddedUpIsRefused) {
  // 2^48 ms each: 8192 of them pass 2^61, where sums of several phases could no longer be trusted.
  const std::string line = R"j({"id":"x","map_ms":{"count":8193,"dist":"const(281474976710656)"}})j";
  EXPECT_THAT(refusal(line), HasSubstr("too long to be added up"));
}

TEST(WorkloadFile, TasksAreCountedOverTheWholeFile) {
  const auto job = [](const char* id, Count count) {
    return fmt::format("{{\"id\":\"{}\",\"map_ms\":{{\"count\":{},\"dist\":\"const(1)\"}}}}\n", id, count);
  };
  const TemporaryFile file(job("a", 1000) + job("b", 4001));
  WorkloadReadOptions options;
  options.most_tasks = 5001;
  EXPECT_EQ(read_workload(file.path(), options).tasks(), 5001U);
  options.most_tasks = 5000;
  try {
    (void)read_workload(file.path(), options);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("count 4001: more than 5000 tasks in one workload"));
  }
}

TEST(WorkloadFile, AFileWithoutAJobIsAnError) {
  EXPECT_EQ(refusal(""),
            "FILE: holds no job; write one JSON object a line, as in docs/formats/workload-file.md");
  EXPECT_THAT(refusal("\n \n"), HasSubstr("holds no job"));
}

// Deadlines that contradict other times. Those that may be met by some cluster are taken.
TEST(WorkloadFile, DeadlinesBeforeSubmissionsAreRefused) {
  const auto job = [](const std::string& id, const std::string& rest) {
    return R"({"id":")" + id + R"(",)" + rest + "}\n";
  };
  EXPECT_EQ(refusal(job("a", R"("submit_ms":7,"deadline_ms":7)")), "accepted");
  EXPECT_THAT(refusal(job("a", R"("submit_ms":7,"deadline_ms":6)")),
              HasSubstr("FILE:1: job 'a': deadline_ms (6) is before submit_ms (7)"));
  EXPECT_EQ(refusal(job("a", R"("submit_ms":7,"not_before_ms":5,"deadline_ms":7)")), "accepted");
  EXPECT_THAT(refusal(job("a", R"("submit_ms":5,"not_before_ms":7,"deadline_ms":6)")),
              HasSubstr("deadline_ms (6) is before not_before_ms (7)"));
  // The latest submission of those that it waits for counts, near or far, and wherever they stand.
  const std::string others = job("b", R"("submit_ms":3,"after":["c","d"])") + job("c", R"("submit_ms":9)") +
                             job("d", R"("submit_ms":8,"deadline_ms":100)");
  EXPECT_EQ(refusal(job("a", R"("after":["b"],"deadline_ms":9)") + others), "accepted");
  EXPECT_THAT(
      refusal(others + job("a", R"("after":["b"],"deadline_ms":8)")),
      HasSubstr("FILE:4: job 'a': it is due at 8 ms, and waits for 'c', which is not submitted before 9 ms"));
  EXPECT_EQ(refusal(job("a", R"("deadline_ms":8)") + others), "accepted") << "it waits for none";
  EXPECT_EQ(refusal(job("a", R"("submit_ms":8,"after":["b"])") + others), "accepted") << "no deadline";
}

TEST(WorkloadFile, CyclesOfSeveralJobsAreFound) {
  EXPECT_THAT(refusal("{\"id\":\"a\",\"after\":[\"c\"]}\n{\"id\":\"b\",\"after\":[\"a\"]}\n"
                      "{\"id\":\"c\",\"after\":[\"b\"]}\n{\"id\":\"d\",\"after\":[\"a\"]}\n"),
              HasSubstr("circle"));
  EXPECT_EQ(read("{\"id\":\"a\",\"after\":[\"b\",\"c\"]}\n{\"id\":\"b\"}\n{\"id\":\"c\",\"after\":[\"b\"]}\n")
                .jobs.size(),
            3U)
      << "a job may wait for one that the file names later";
}

TEST(WorkloadFile, GzipIsRead) {
  const TemporaryFile file("", ".jsonl.gz");
  const gzFile out = gzopen(file.path().c_str(), "wb");
  for (int i = 0; i < 50'000; ++i) gzprintf(out, "{\"id\":\"J%d\",\"map_ms\":[%d]}\n", i, i);
  gzclose(out);
  const Workload workload = read_workload(file.path());
  ASSERT_EQ(workload.jobs.size(), 50'000U);
  EXPECT_EQ(workload.jobs.back().maps.at(0), ms(49'999));
}

TEST(WorkloadFile, AMissingFileIsOutsideNotBadInput) {
  EXPECT_THROW((void)read_workload("/nonexistent/w.jsonl"), ExternalError);
  EXPECT_THROW((void)read_workload("/tmp"), ExternalError);
}

TEST(LineReader, JoinsWhatBuffersCut) {
  // Lines around the buffer's sizes, so that every refill falls somewhere inside one.
  std::vector<std::string> lines;
  for (const std::size_t length : {0UL, 1UL, 262'143UL, 262'144UL, 3UL, 524'289UL, 70'000UL}) {
    lines.emplace_back(length, static_cast<char>('a' + lines.size()));
  }
  std::string content;
  for (const std::string& line : lines) content += line + "\n";
  const TemporaryFile file(content + "last");
  LineReader reader(file.path());
  for (const std::string& line : lines) EXPECT_EQ(reader.next(), line);
  EXPECT_FALSE(reader.ended_early());
  EXPECT_EQ(reader.next(), "last");
  EXPECT_TRUE(reader.ended_early());
  EXPECT_EQ(reader.next(), std::nullopt);
}

rc::Gen<Job> any_job(int number) {
  const auto durations = [](int count) {
    return rc::gen::container<std::vector<Duration>>(
        static_cast<std::size_t>(count), rc::gen::map(rc::gen::inRange<std::int64_t>(0, 1'000'000'000), ms));
  };
  return rc::gen::exec([=] {
    Job job;
    job.id = "J" + std::to_string(number);
    for (std::string* each : {&job.name, &job.user, &job.queue}) {
      *each = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
    }
    job.submit = at_ms(*rc::gen::inRange<std::int64_t>(0, 1'000'000));
    job.maps = *durations(*rc::gen::inRange(0, 9));
    const int reduces = *rc::gen::inRange(0, 9);
    job.reduces = *durations(reduces);
    if (*rc::gen::arbitrary<bool>()) job.first_shuffles = *durations(reduces);
    if (*rc::gen::arbitrary<bool>()) job.shuffles = *durations(reduces);
    // Later than all of them are submitted: an earlier one contradicts.
    if (*rc::gen::arbitrary<bool>())
      job.deadline = at_ms(*rc::gen::inRange<std::int64_t>(1'000'000, 1'001'000));
    if (*rc::gen::arbitrary<bool>()) job.input = Bytes{*rc::gen::inRange<std::int64_t>(0, 1LL << 60)};
    if (*rc::gen::arbitrary<bool>()) job.value = *rc::gen::inRange(-1000, 1000) / 7.0;
    if (*rc::gen::arbitrary<bool>())
      job.classes["gpu"] = {*rc::gen::inRange(1, 99) / 7.0, *rc::gen::inRange(1, 9), 0.1};
    job.memory.map = Bytes{*rc::gen::inRange<std::int64_t>(1, 9000) << 20};
    if (number > 0 && *rc::gen::arbitrary<bool>())
      job.after = {"J" + std::to_string(*rc::gen::inRange(0, number))};
    for (std::size_t i = 0; i < job.maps.size() && number % 2 == 1; ++i) job.splits.push_back({"n1", "n\"2"});
    return job;
  });
}

TEST(WorkloadFile, WhatIsWrittenReadsBackTheSame) {
  holds_always([] {
    Workload workload;
    const int jobs = *rc::gen::inRange(1, 6);
    for (int i = 0; i < jobs; ++i) workload.jobs.push_back(*any_job(i));
    std::ostringstream text;
    write_workload(text, workload);
    const Workload back = read(text.str());
    RC_ASSERT(back.jobs.size() == workload.jobs.size());
    for (std::size_t i = 0; i < back.jobs.size(); ++i) {
      const Job& a = workload.jobs[i];
      const Job& b = back.jobs[i];
      RC_ASSERT(std::tie(a.id, a.name, a.user, a.queue, a.submit, a.maps, a.reduces, a.first_shuffles,
                         a.shuffles) == std::tie(b.id, b.name, b.user, b.queue, b.submit, b.maps, b.reduces,
                                                 b.first_shuffles, b.shuffles));
      RC_ASSERT(std::tie(a.deadline, a.after, a.input, a.splits, a.value) ==
                std::tie(b.deadline, b.after, b.input, b.splits, b.value));
      RC_ASSERT(a.classes.size() == b.classes.size());
      RC_ASSERT(a.memory == b.memory);
      RC_ASSERT(to_line(a) == to_line(b));
    }
  });
}

TEST(WorkloadFile, AnyCutOfAFileIsReadOrRefusedNeverElse) {
  const std::string whole =
      R"j({"id":"a","map_ms":{"count":3,"profile":{"min":1,"avg":2,"max":3}},"classes":{"g":{"speed":2}},"after":[]})j"
      "\n"
      R"j({"id":"b","reduce_ms":[1,2],"splits":[],"note":{"x":[1]}})j"
      "\n";
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const std::string text = refusal(std::string_view(whole).substr(0, cut));
    EXPECT_TRUE(text == "accepted" || text.starts_with("FILE")) << text;
  }
}

TEST(WorkloadFile, JobsOfATextMayWaitForJobsElsewhere) {
  WorkloadReadOptions options;
  options.elsewhere = {"x", "y"};
  const Workload workload = parse_workload(
      "{\"id\":\"a\",\"after\":[\"x\"]}\r\n\n{\"id\":\"b\",\"after\":[\"a\",\"y\"]}", "text", options);
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[1].after, (std::vector<std::string>{"a", "y"}));
  const auto problem = [&](const char* text) -> std::string {
    try {
      (void)parse_workload(text, "text", options);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(problem("{\"id\":\"a\"}\n{\"id\":\"x\"}"),
              ::testing::HasSubstr("text:2: job 'x': there is a job of that id"));
  EXPECT_THAT(problem("{\"id\":\"a\",\"after\":[\"z\"]}"), ::testing::HasSubstr("unknown job 'z'"));
  EXPECT_THAT(problem(""), ::testing::HasSubstr("holds no job"));
  EXPECT_THAT(problem("{"), ::testing::HasSubstr("text:1"));
}

}  // namespace
}  // namespace wavewright
