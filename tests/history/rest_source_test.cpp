// A JobHistory server and a ResourceManager as sources, against answers recorded from Hadoop 3.4.2 and the
// histories that the same jobs left.
#include "wavewright/history/source/rest.h"

#include <fstream>

#include "tests/history/samples.h"
#include "tests/job/temporary_file.h"
#include "tests/paths.h"
#include "tests/server.h"
#include "wavewright/history/rest/answers.h"

namespace wavewright {
namespace {

using namespace tests;

const std::string data = wavewright::source_dir() + "/data/formats/rest/";
const std::string jobs_path = "/ws/v1/history/mapreduce/jobs";

Json recorded(const std::string& name) {
  std::ifstream in(data + name);
  return Json::parse(in);
}

std::vector<HistoryFile> listed(const HistorySource& source) {
  std::vector<HistoryFile> files;
  source.list(
      [&](HistoryFile&& file) {
        files.push_back(std::move(file));
        return true;
      },
      [](Diagnostic&& diagnostic) { ADD_FAILURE() << diagnostic.reason; });
  return files;
}

std::string failure_of_listing(const std::string& url) {
  try {
    (void)listed(*open_source(url));
    return "no failure";
  } catch (const ExternalError& error) {
    return error.what();
  }
}

// Without what REST does not tell (rest/answers.h).
JobRun as_rest_tells(JobRun run) {
  if (run.state != RunState::succeeded) run.counters.clear();  // REST sums them up, the file does not
  for (TaskRun& task : run.tasks) {
    task.split_nodes.clear();
    task.start.reset();
    std::erase_if(task.attempts, [](const Attempt& attempt) { return !attempt.start; });
    for (Attempt& attempt : task.attempts) {
      attempt.map_finish.reset();
    }
  }
  return run;
}

class RestServer : public ::testing::Test {
 protected:
  // Serves `answers` instead of those recorded.
  void serve(const Json& answers) {
    file = std::make_unique<TemporaryFile>(answers.dump(), ".json");
    server = std::make_unique<Server>(std::vector<std::string>{"replay", file->path()});
  }

  std::unique_ptr<TemporaryFile> file;
  std::unique_ptr<Server> server;
};

TEST_F(RestServer, TellsTheSameJobsAsTheirHistories) {
  serve(recorded("history.json"));
  const auto source = open_source(server->url());
  const std::vector<HistoryFile> files = listed(*source);
  ASSERT_EQ(files.size(), 3U);
  for (const HistoryFile& one : files) {
    const FileHistory told = source->read(one);
    ASSERT_EQ(told.runs.size(), 1U) << one.name;
    const JobRun& run = told.runs.front();
    EXPECT_EQ(run.source, one.name);
    EXPECT_EQ(run.settings.at("mapreduce.job.queuename"), "default");
    EXPECT_EQ(run.settings.at("mapreduce.job.jar"), "job.jar");
    std::vector<JobRun> written;
    read_history_path(data + run.id + ".jhist.gz",
                      [&](FileHistory&& history) { written = std::move(history.runs); });
    ASSERT_EQ(written.size(), 1U);
    EXPECT_EQ(describe(as_rest_tells(run)), describe(as_rest_tells(written.front())));
  }
}

// As Hadoop documents `jobattempts`; a server that has none of it (or an older one) is no reason to go
// without the job.
TEST_F(RestServer, TellsTheAttemptsAtAnApplicationMaster) {
  Json answers = recorded("history.json");
  answers[jobs_path + "/job_1795176260844_0001/jobattempts"] = Json::parse(R"({"jobAttempts": {"jobAttempt": [
      {"nodeId": "host2.example.org:8041", "nodeHttpAddress": "host2.example.org:8042", "startTime": 1795176500000,
       "id": 2, "logsLink": "http://host2.example.org:8042/node", "containerId": "container_1_0001_02_000001"},
      {"nodeId": "host1:8041", "nodeHttpAddress": "host1:8042", "startTime": 1795176490000, "id": 1},
      {"nodeHttpAddress": "host3:8042", "id": 0}, {"id": 3}]}})");
  answers[jobs_path + "/job_1795176260844_0002/jobattempts"] = Json::parse(R"({"jobAttempts": null})");
  serve(answers);
  const auto source = open_source(server->url());
  std::map<std::string, JobRun> runs;
  for (const HistoryFile& one : listed(*source)) {
    for (const JobRun& run : source->read(one).runs) runs[run.id] = run;
  }
  ASSERT_EQ(runs.size(), 3U);
  const std::vector<MasterRun>& masters = runs.at("job_1795176260844_0001").masters;
  ASSERT_EQ(masters.size(), 2U);
  EXPECT_EQ(masters[0].node, "host1");
  EXPECT_EQ(masters[1].number, 2);
  EXPECT_EQ(masters[1].start, at_ms(1'795'176'500'000));
  EXPECT_EQ(masters[1].node, "host2.example.org");
  EXPECT_TRUE(runs.at("job_1795176260844_0002").masters.empty());
  EXPECT_TRUE(runs.at("job_1795176260844_0003").masters.empty());
}

TEST_F(RestServer, ANumberOfTasksThatCannotBeRefusesThatJobOnly) {
  Json answers = recorded("history.json");
  answers[jobs_path + "/job_1795176260844_0001"]["job"]["mapsTotal"] = 2'147'483'647;
  answers[jobs_path + "/job_1795176260844_0002"]["job"]["reducesTotal"] = -7;
  serve(answers);
  const auto source = open_source(server->url());
  std::vector<std::string> ids, reasons;
  for (const HistoryFile& one : listed(*source)) {
    const FileHistory told = source->read(one);
    for (const JobRun& run : told.runs) ids.push_back(run.id);
    for (const Diagnostic& diagnostic : told.diagnostics) reasons.push_back(diagnostic.reason);
  }
  EXPECT_EQ(ids, std::vector<std::string>{"job_1795176260844_0003"});
  const std::string reason = "number of planned tasks that cannot be";
  EXPECT_EQ(reasons, (std::vector<std::string>{reason, reason}));
}

TEST_F(RestServer, ListsTheNewestFirstWithStateAndFinishAsVersion) {
  serve(recorded("history.json"));
  const std::vector<HistoryFile> files = listed(*open_source(server->url() + "/"));
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].name, server->url(jobs_path + "/job_1795176260844_0003"));
  EXPECT_EQ(files[0].version, "KILLED@1795176641118");
  EXPECT_EQ(files[1].version, "FAILED@1795176600797");
  EXPECT_EQ(files[2].version, "SUCCEEDED@1795176532460");
  SourceOptions options;
  options.since = at_ms(1'795'176'600'797);  // included
  EXPECT_EQ(listed(*open_source(server->url(), options)).size(), 2U);
  options.since = at_ms(1'795'176'641'119);
  EXPECT_TRUE(listed(*open_source(server->url(), options)).empty());
}

// A batch asks for its own jobs: those of others, and the whole list, are no concern of it.
TEST_F(RestServer, JobsThatAreNamedAreListedAlone) {
  Json answers = recorded("history.json");
  answers[jobs_path] = 500;
  answers[jobs_path + "/job_1_1"] = 500;
  answers[jobs_path + "/job_1_2"] = false;  // no answer, while the server lives
  answers[jobs_path + "/job_1_3"] = {{"job", {{"id", "job_9_9"}}}};
  serve(answers);
  SourceOptions options;
  options.since = at_ms(1'795'176'641'119);  // whenever they finished
  options.jobs = {"job_1795176260844_0002", "job_1_1", "job_1_2", "job_1_3", "job_1_4", "../../etc/passwd",
                  "job_1795176260844_0001"};
  const auto source = open_source(server->url(), options);
  std::vector<HistoryFile> files;
  std::vector<std::string> reasons;
  source->list(
      [&](HistoryFile&& one) {
        files.push_back(std::move(one));
        return true;
      },
      [&](Diagnostic&& diagnostic) { reasons.push_back(diagnostic.reason.substr(0, 30)); });
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, server->url(jobs_path + "/job_1795176260844_0002"));
  EXPECT_EQ(files[0].version, "FAILED@1795176600797") << "as in the list";
  EXPECT_EQ(files[1].version, "SUCCEEDED@1795176532460");
  EXPECT_EQ(source->read(files[1]).runs.size(), 1U);
  ASSERT_EQ(reasons.size(), 4U) << "none of the one that the server does not know yet";
  EXPECT_EQ(reasons[0], "job answers 500: as asked");
  EXPECT_TRUE(reasons[1].starts_with("no answer")) << reasons[1];
  EXPECT_EQ(reasons[2], "the answer is about another jo");
  EXPECT_EQ(reasons[3], "the id of a listed job is none");
  server->stop();
  EXPECT_THROW(source->list([](HistoryFile&&) { return true; }, [](Diagnostic&&) {}), ExternalError);
}

TEST_F(RestServer, RunningJobsThatAreNamedAreListedAlone) {
  serve(recorded("running.json"));
  const std::vector<HistoryFile> all = listed(*open_source(server->url()));
  ASSERT_FALSE(all.empty());
  SourceOptions options;
  options.jobs = {"job_1_1"};
  EXPECT_TRUE(listed(*open_source(server->url(), options)).empty());
  options.jobs = {all[0].name.substr(all[0].name.rfind('/') + 1)};
  EXPECT_EQ(listed(*open_source(server->url(), options)).size(), 1U);
}

// The server's limit would take the oldest of a window: none may be lost, whatever the times.
TEST_F(RestServer, ManyJobsAreAskedForInWindows) {
  Json answers = recorded("history.json");
  Json many = Json::array();
  std::int64_t finish = 1'500'000'000'000;
  for (int i = 0; i < 5000; ++i) {
    if (i < 1500) finish += 0;  // more than a page in one millisecond
    if (i >= 1500) finish += i % 7 == 0 ? 86'400'000 / 3 : 40;
    many.push_back({{"id", fmt::format("job_1_{:05}", (i * 7919) % 5000)},
                    {"state", "SUCCEEDED"},
                    {"finishTime", finish}});
  }
  many.push_back({{"id", "job_2_1"}, {"state", "SUCCEEDED"}, {"finishTime", 4'000'000'000'000}});
  many.push_back({{"id", "job_2_2"}, {"state", "FAILED"}, {"finishTime", 0}});
  answers[jobs_path] = {{"jobs", {{"job", many}}}};
  serve(answers);
  const std::vector<HistoryFile> files = listed(*open_source(server->url()));
  std::set<std::string> names;
  std::int64_t last = INT64_MAX;
  for (const HistoryFile& one : files) {
    names.insert(one.name);
    const std::int64_t at = std::stoll(one.version.substr(one.version.find('@') + 1));
    EXPECT_LE(at, last);
    last = at;
  }
  EXPECT_EQ(names.size(), 5002U);
  EXPECT_EQ(files.size(), 5002U);  // none twice
}

TEST_F(RestServer, AJobThatIsGoneOrForbiddenIsAReasonAndTheOthersAreRead) {
  Json answers = recorded("history.json");
  answers.erase(jobs_path + "/job_1795176260844_0002");
  answers[jobs_path + "/job_1795176260844_0001/tasks"] = "<html>login</html>";
  answers[jobs_path + "/job_1795176260844_0003/counters"] = Json::object();
  serve(answers);
  const auto source = open_source(server->url());
  std::map<std::string, std::string> reasons;
  std::size_t runs = 0;
  for (const HistoryFile& one : listed(*source)) {
    const FileHistory told = source->read(one);
    runs += told.runs.size();
    for (const Diagnostic& diagnostic : told.diagnostics) {
      if (diagnostic.severity == Diagnostic::Severity::skipped) {
        reasons[one.name.substr(one.name.rfind('_') + 1)] = diagnostic.reason;
      }
    }
  }
  EXPECT_EQ(runs, 1U);
  EXPECT_EQ(reasons.at("0002").find("job is not there"), 0U) << reasons.at("0002");
  EXPECT_EQ(reasons.at("0001"),
            "job answers with a page, not with JSON: a login or a proxy stands before it");
}

TEST_F(RestServer, AServerThatGoesAwayStopsTheReading) {
  serve(recorded("history.json"));
  const auto source = open_source(server->url());
  const HistoryFile first = listed(*source).front();
  server->stop();
  EXPECT_THROW((void)source->read(first), ExternalError);
}

TEST_F(RestServer, RunningJobsComeFromTheResourceManager) {
  serve(recorded("running.json"));
  const auto source = open_source(server->url());
  const std::vector<HistoryFile> files = listed(*source);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].version, "");  // to be read each time
  const FileHistory told = source->read(files[0]);
  ASSERT_EQ(told.runs.size(), 1U);
  const JobRun& run = told.runs.front();
  EXPECT_EQ(run.id, "job_1795176260844_0003");
  EXPECT_EQ(run.state, RunState::running);
  EXPECT_EQ(run.name, "backup-check");
  EXPECT_EQ(run.queue, "root.default");
  EXPECT_EQ(to_ms(run.submit.value()), 1'795'176'608'254);
  EXPECT_EQ(to_ms(run.launch.value()), 1'795'176'619'054);
  EXPECT_FALSE(run.finish.has_value());
  EXPECT_EQ(run.total_maps, 6);
  EXPECT_EQ(run.tasks.size(), 7U);
  EXPECT_EQ(run.tasks[0].state, AttemptState::unknown);
  EXPECT_EQ(to_ms(run.tasks[0].attempts.at(0).start.value()), 1'795'176'621'955);
  EXPECT_EQ(run.tasks[0].attempts[0].node, "127.0.0.3");
}

TEST_F(RestServer, AJobThatEndedSinceItWasListedIsANote) {
  Json answers = recorded("running.json");
  answers["/ws/v1/cluster/apps/application_1795176260844_0003"]["app"]["state"] = "FINISHED";
  serve(answers);
  const auto source = open_source(server->url());
  const FileHistory told = source->read(listed(*source).front());
  EXPECT_TRUE(told.runs.empty());
  ASSERT_EQ(told.diagnostics.size(), 1U);
  EXPECT_EQ(told.diagnostics[0].severity, Diagnostic::Severity::note);
}

TEST_F(RestServer, OtherServersAreNamedForWhatTheyAre) {
  serve(Json::object());
  EXPECT_NE(failure_of_listing(server->url()).find("neither a JobHistory server nor a ResourceManager"),
            std::string::npos);
  serve({{"/ws/v1/history/info", "<html>Sign in</html>"}, {"/ws/v1/cluster/info", "<html>Sign in</html>"}});
  EXPECT_NE(failure_of_listing(server->url()).find("a login or a proxy stands before it"), std::string::npos);
  const Server rpc({"odd"});  // answers as an RPC port does
  EXPECT_NE(failure_of_listing(rpc.url()).find("is an RPC port of Hadoop, not a web port"),
            std::string::npos);
  EXPECT_THROW((void)open_source(server->url("/jobhistory")), UsageError);
  EXPECT_THROW((void)open_source("http://"), UsageError);
  EXPECT_THROW((void)open_source("http://host:99999"), UsageError);
  for (const char* url :
       {"http://user:secret@127.0.0.1:1/", "http://user:se/secret@host", "https://user:se?secret@host",
        "hdfs://user:secret@host/path", "webhdfs://user:p@secret@host:x/"}) {
    try {
      (void)open_source(url);
      FAIL() << url;
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("user:"), std::string::npos) << error.what();
    }
  }
}

// Hadoop's defaults, which differ for https.
TEST(WebBase, AnAddressWithoutAPortGetsTheDefaultOfItsScheme) {
  const auto base = [](const std::string& address, int http_port) {
    return web_base(parse_address(address), http_port);
  };
  EXPECT_EQ(base("http://h", 19888), "http://h:19888");
  EXPECT_EQ(base("https://h", 19888), "https://h:19890");
  EXPECT_EQ(base("https://h/", 8088), "https://h:8090");
  EXPECT_EQ(base("https://h", 9870), "https://h:9871");
  EXPECT_EQ(base("https://[::1]", 9870), "https://[::1]:9871");
  EXPECT_EQ(base("https://h:443", 19888), "https://h:443");
  EXPECT_EQ(base("https://h", 8190), "https://h") << "no server of Hadoop";
}

TEST(WebBase, IsWhereAJobHistoryServerIsAsked) {
  EXPECT_NE(failure_of_listing("https://127.0.0.1").find("https://127.0.0.1:19890"), std::string::npos);
}

TEST_F(RestServer, AnAnswerAboutAnotherJobIsNotTakenForIt) {
  Json answers = recorded("history.json");
  answers[jobs_path + "/job_1795176260844_0001"] = {{"job", {{"id", "job_9_9"}, {"name", "other"}}}};
  answers[jobs_path + "/job_1795176260844_0002"]["job"].erase("id");
  serve(answers);
  const auto source = open_source(server->url());
  std::map<std::string, std::string> reasons;
  for (const HistoryFile& one : listed(*source)) {
    const FileHistory told = source->read(one);
    const std::string number = one.name.substr(one.name.rfind('_') + 1);
    EXPECT_EQ(told.runs.size(), number == "0003" ? 1U : 0U) << number;
    for (const Diagnostic& diagnostic : told.diagnostics) reasons[number] = diagnostic.reason;
  }
  EXPECT_EQ(reasons["0001"], "the answer is about another job than the one asked for");
  EXPECT_EQ(reasons["0002"], "an answer without the job's id");
}

TEST_F(RestServer, FieldsOfAWrongTypeAreNamed) {
  Json answers = recorded("history.json");
  Json& job = answers[jobs_path + "/job_1795176260844_0001"]["job"];
  job["name"] = Json::object();
  job["submitTime"] = "abc";
  serve(answers);
  const auto source = open_source(server->url());
  const FileHistory told = source->read(listed(*source).back());
  ASSERT_EQ(told.runs.size(), 1U);
  std::vector<std::string> reasons;
  for (const Diagnostic& diagnostic : told.diagnostics) {
    if (diagnostic.severity == Diagnostic::Severity::warning) reasons.push_back(diagnostic.reason);
  }
  EXPECT_EQ(reasons, (std::vector<std::string>{"'name' of a job is of a wrong type: left out",
                                               "'submitTime' of a job is of a wrong type: left out"}));
}

// Ids become parts of paths.
TEST_F(RestServer, AnIdThatLeadsElsewhereIsNotAskedFor) {
  const std::vector<std::string> odd = {
      "../../etc/passwd", "job_1_1/../x", "job_1_1?a=b", "job_1", "job__1", ""};
  Json jobs = Json::array({{{"id", "job_1_1"}, {"finishTime", 7}}});
  Json apps = Json::array({{{"id", "application_1_1"}}});
  for (const std::string& id : odd) {
    jobs.push_back({{"id", id}, {"finishTime", 5}});
    apps.push_back({{"id", id.starts_with("job") ? "application" + id.substr(3) : id}});
  }
  Json answers = recorded("history.json");
  answers[jobs_path] = {{"jobs", {{"job", jobs}}}};
  const Json running = {
      {"/ws/v1/cluster/info", {{"clusterInfo", Json::object()}}},
      {"/ws/v1/cluster/apps?states=RUNNING&applicationTypes=MAPREDUCE", {{"apps", {{"app", apps}}}}}};
  for (const Json& all : {answers, running}) {
    serve(all);
    std::size_t files = 0;
    std::size_t refused = 0;
    open_source(server->url())
        ->list([&](HistoryFile&&) { return ++files > 0; },
               [&](Diagnostic&& diagnostic) {
                 refused += diagnostic.reason.find("is none of Hadoop's") != std::string::npos ? 1U : 0U;
               });
    EXPECT_EQ(files, 1U);
    EXPECT_EQ(refused, odd.size());
  }
}

TEST_F(RestServer, AnAnswerThatIsNoListIsNotAnEmptyOne) {
  const auto list_of = [&](const std::string& answer) {
    Json answers = recorded("history.json");
    answers[jobs_path] = answer;
    serve(answers);
    return failure_of_listing(server->url());
  };
  for (const char* none : {R"({"jobs":null})", R"({"jobs":{}})", R"({"jobs":{"job":[]}})"}) {
    EXPECT_EQ(list_of(none), "no failure") << none;
  }
  for (const char* bad : {"[]", R"({"jobs":5})", R"({"jobs":[]})", "{}", R"({"jobs":{"job":5}})"}) {
    const std::string told = list_of(bad);
    EXPECT_NE(told.find("is no list of jobs"), std::string::npos) << bad << ": " << told;
  }
  EXPECT_NE(list_of(R"({"jobs":{"job":[)").find("damaged or cut off"), std::string::npos);
  EXPECT_NE(list_of(std::string(1'000'000, '[') + std::string(1'000'000, ']')).find("nested deeper"),
            std::string::npos);
  const std::string empty = list_of("");
  EXPECT_NE(empty.find("answers with nothing at all"), std::string::npos) << empty;
  EXPECT_THROW((void)rest::applications(R"({"apps":[]})", "f"), InputError);
  EXPECT_TRUE(rest::applications(R"({"apps":null})", "f").empty());
}

TEST(RestAnswers, HostileNumbersAndTypesAreAbsent) {
  RunBuilder builder;
  rest::take_job(R"({"job": {"id": "job_1_0001", "name": 7, "state": ["x"], "submitTime": 9223372036854775808,
                             "startTime": -0, "finishTime": 1.5, "mapsTotal": -9, "reducesTotal": "3"}})",
                 "f", builder);
  EXPECT_EQ(builder.run.id, "job_1_0001");
  EXPECT_EQ(builder.run.name, "");
  EXPECT_EQ(builder.run.state, RunState::unknown);
  EXPECT_FALSE(builder.run.submit || builder.run.launch || builder.run.finish);
  EXPECT_EQ(builder.run.total_maps, 0);
  EXPECT_EQ(builder.run.total_reduces, 3);
  for (const char* bad : {"", "{", "{\"job\": 1e999}", "{\"job\": NaN}", "[1", "\"\\ud800\"", "{}", "nul"}) {
    EXPECT_THROW(rest::take_job(bad, "f", builder), InputError) << bad;
  }
  EXPECT_THROW((void)rest::listed_jobs(std::string(100'000, '['), "f"), InputError);
}

}  // namespace
}  // namespace wavewright
