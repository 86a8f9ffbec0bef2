#include "wavewright/serve/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/serve/problem.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

LiveJob job_named(const std::string& id, LiveState state = LiveState::waiting) {
  LiveJob job;
  job.id = id;
  job.state = state;
  return job;
}

LiveBatch three_jobs() {
  LiveBatch batch;
  batch.name = "nightly";
  batch.began = at_ms(7);
  batch.jobs = {job_named("a"), job_named("b", LiveState::done), job_named("c")};
  return batch;
}

std::vector<std::string> ids_of(const JobPage& page) {
  std::vector<std::string> ids;
  ids.reserve(page.jobs.size());
  for (const LiveJob& job : page.jobs) ids.push_back(job.id);
  return ids;
}

TEST(LiveBoard, PagesFollowOneAnother) {
  LiveBoard board;
  board.reset(three_jobs(), 0, {});
  EXPECT_THAT(ids_of(*board.page("", 2, {})), ElementsAre("a", "b"));
  EXPECT_TRUE(board.page("", 2, {})->more);
  EXPECT_THAT(ids_of(*board.page("b", 2, {})), ElementsAre("c"));
  EXPECT_FALSE(board.page("b", 2, {})->more);
  EXPECT_FALSE(board.page("", 3, {})->more);
  EXPECT_THAT(ids_of(*board.page("", 1, LiveState::waiting)), ElementsAre("a"));
  EXPECT_TRUE(board.page("", 1, LiveState::waiting)->more);
  EXPECT_FALSE(board.page("a", 1, LiveState::waiting)->more);
  EXPECT_FALSE(board.page("none", 1, {}));
}

TEST(LiveBoard, CountsFollowTheStates) {
  LiveBoard board;
  board.reset(three_jobs(), 0, {});
  board.update({job_named("a", LiveState::running), job_named("d")}, {});
  const auto counts = board.counts();
  EXPECT_EQ(counts.at(LiveState::waiting), 2U);
  EXPECT_EQ(counts.at(LiveState::running), 1U);
  EXPECT_EQ(counts.at(LiveState::done), 1U);
  EXPECT_EQ(board.find("a")->state, LiveState::running);
  EXPECT_THAT(board.ids(), ElementsAre("a", "b", "c", "d"));
  // What is added later is never put back.
  board.add({job_named("a"), job_named("e")});
  EXPECT_EQ(board.find("a")->state, LiveState::running);
  EXPECT_TRUE(board.find("e"));
}

TEST(LiveBoard, EventsAreNumberedAsInTheLog) {
  LiveBoard board;
  const LiveEvent event{at_ms(1), "a", "Done", ""};
  board.reset(three_jobs(), 7, {event, event});
  EXPECT_EQ(board.last_event(), 7);
  EXPECT_EQ(board.events(0, {})[0].number, 6) << "the board has the last two of seven";
  EXPECT_THAT(board.events(7, {}), IsEmpty());
  board.update({}, {event});
  ASSERT_EQ(board.events(7, {}).size(), 1U);
  EXPECT_EQ(board.events(7, {})[0].number, 8);
  for (int i = 0; i < 600; ++i) board.update({}, {event});
  EXPECT_EQ(board.events(8, {}).size(), 500U);
}

TEST(LiveBoard, AReaderWaitsForTheNextEvent) {
  LiveBoard board;
  board.reset(three_jobs(), 0, {});
  std::vector<NumberedEvent> seen;
  std::thread reader([&] { seen = board.events(0, std::chrono::minutes(5)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that it waits
  board.update({}, {{at_ms(1), "a", "Done", ""}});
  reader.join();
  ASSERT_EQ(seen.size(), 1U);
  std::thread last([&] { seen = board.events(1, std::chrono::minutes(5)); });
  board.close();
  last.join();
  EXPECT_THAT(seen, IsEmpty());
}

TEST(LiveBoard, AnotherBatchReplacesAll) {
  LiveBoard board;
  const LiveEvent event{at_ms(1), "a", "Done", ""};
  board.reset(three_jobs(), 2, {event, event});
  LiveBatch other;
  other.jobs = {job_named("z", LiveState::done)};
  board.reset(other, 1, {event});
  EXPECT_THAT(board.ids(), ElementsAre("z"));
  EXPECT_FALSE(board.find("a"));
  EXPECT_EQ(board.counts(), (std::map<LiveState, std::size_t>{{LiveState::done, 1}}));
  EXPECT_EQ(board.events(0, {}).size(), 1U);
}

TEST(LiveBoard, TheLatestTwentyThousandEventsAreKept) {
  LiveBoard board;
  board.reset(three_jobs(), 0, {});
  board.update({}, std::vector<LiveEvent>(20'100, LiveEvent{at_ms(1), "a", "Done", ""}));
  EXPECT_EQ(board.events(0, {}).front().number, 101);
}

TEST(LiveBoard, TellsHowLongTheLatestThousandDecisionsTook) {
  LiveBoard board;
  EXPECT_EQ(board.decisions().count, 0);
  EXPECT_EQ(board.decisions().p99_ms, 0);
  for (int i = 0; i < 100; ++i) board.decided(9'999);  // before the latest thousand
  for (int i = 1; i <= 1'000; ++i) board.decided(i);
  EXPECT_EQ(board.decisions().count, 1'100);
  EXPECT_EQ(board.decisions().last_ms, 1'000);
  EXPECT_EQ(board.decisions().p99_ms, 991);
}

struct Fixture {
  LiveBoard board;
  std::vector<std::string> asked;
  std::vector<LiveJob> past;  // the latest first
  std::optional<std::string> targets;
  Api api;

  Fixture() : api(board, ports()) { board.reset(three_jobs(), 0, {}); }

  ApiPorts ports() {
    ApiPorts made;
    made.find_token = [](std::string_view token) -> std::optional<ApiToken> {
      if (token == "away") throw ExternalError({"store"}, "gives no answer");
      if (token == "v") return ApiToken{"eyes", Scope::view, {}};
      if (token == "s") return ApiToken{"hands", Scope::submit, {}};
      if (token == "e") return ApiToken{"etl's", Scope::submit, {}, "etl"};
      if (token == "o") return ApiToken{"all", Scope::operate, {}};
      return std::nullopt;
    };
    made.add_jobs = [this](const NewJobs& jobs) -> AddedJobs {
      if (jobs.text == "whose") asked.push_back(jobs.token.account);
      if (jobs.text == "defect") throw std::runtime_error("a defect");
      if (jobs.admit && jobs.text == "late")
        throw NotPromised(
            {{.job = "a", .code = "DeadlineNotSure", .sentence = "it is late by " + jobs.confidence}});
      if (jobs.text != "good") throw InputError({"request", 2}, "no job");
      asked.push_back("add to '" + jobs.queue + (jobs.dry_run ? "', dry" : "'"));
      return {jobs.dry_run ? std::vector<std::string>{} : std::vector<std::string>{"d"},
              R"({"run":"nightly"})"};
    };
    made.wish = [this](const std::string& job, Wish wish) {
      asked.push_back(job + std::to_string(static_cast<int>(wish)));
    };
    made.past_jobs = [this](const EndedQuestion& question) {
      std::vector<LiveJob> jobs;
      for (const LiveJob& job : past) {
        if (is_asked_for(question, job)) jobs.push_back(job);
      }
      return jobs;
    };
    made.past_job = [this](const std::string& id) {
      const auto found =
          std::find_if(past.begin(), past.end(), [&](const LiveJob& job) { return job.id == id; });
      return found == past.end() ? std::nullopt : std::optional(*found);
    };
    made.preview_plan = [](const std::string&) -> std::string { throw Infeasible("no cluster"); };
    made.cluster = [] { return "{}"; };
    made.targets = [this] {
      if (targets == "away") throw ExternalError({"targets"}, "cannot be read now");
      return targets;
    };
    return made;
  }
  int status(const std::string& method, const std::string& path, const std::string& token,
             const std::string& body = {}) {
    return api.answer({.method = method, .path = path, .token = token, .body = body}).status;
  }
};

TEST(Api, ATokenOfAnAccountReachesItsOwnJobsOnly) {
  Fixture fixture;
  LiveJob own = job_named("own");
  own.account = "etl";
  fixture.board.add({own});
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/own/cancel", "e"), 202);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/a/cancel", "e"), 403);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/own/cancel", "o"), 202);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs", "e", "whose"), 422);
  EXPECT_THAT(fixture.asked, ElementsAre("own2", "own2", "etl"));
}

TEST(Api, ErrorsAreProblems) {
  Fixture fixture;
  EXPECT_EQ(fixture.status("POST", "/v1/jobs", "s"), 422);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs", "s", "defect"), 500);
  EXPECT_EQ(fixture.status("POST", "/v1/plan", "o"), 409);
  EXPECT_EQ(fixture.status("GET", "/v1/jobs", "away"), 503);
  EXPECT_EQ(fixture.status("GET", "/v1", "o"), 404);
  EXPECT_EQ(fixture.status("GET", "/v1/jobs/", "o"), 404);
  EXPECT_EQ(fixture.status("PUT", "/v1/jobs", "o"), 405);
  const ApiResponse response = fixture.api.answer({.method = "POST", .path = "/v1/jobs", .token = "s"});
  EXPECT_EQ(response.type, "application/problem+json");
  const auto document = nlohmann::json::parse(response.body);
  EXPECT_EQ(document.at("status"), 422);
  EXPECT_THAT(document.at("detail").get<std::string>(), HasSubstr("request:2: no job"));
}

TEST(Api, AProblemHasThePhraseOfItsStatusAsItsTitle) {
  Fixture fixture;
  const auto title = [&](const std::string& method, const std::string& path, const std::string& token,
                         const std::string& body = {}) {
    const auto document = nlohmann::json::parse(
        fixture.api.answer({.method = method, .path = path, .token = token, .body = body}).body);
    EXPECT_EQ(document.at("type"), "about:blank");
    return document.at("title").get<std::string>();
  };
  EXPECT_EQ(title("GET", "/v1/jobs", ""), "Unauthorized");
  EXPECT_EQ(title("POST", "/v1/jobs", "v"), "Forbidden");
  EXPECT_EQ(title("GET", "/v2/jobs", "o"), "Not Found");
  EXPECT_EQ(title("OPTIONS", "/v2/jobs", "o"), "Not Found");
  EXPECT_EQ(title("OPTIONS", "/v1/jobs", "o"), "Method Not Allowed");
  EXPECT_EQ(title("TRACE", "/v1/jobs", "o"), "Method Not Allowed");
  EXPECT_EQ(title("POST", "/v1/plan", "o"), "Conflict");
  EXPECT_EQ(title("POST", "/v1/jobs", "s"), "Unprocessable Content");
  EXPECT_EQ(title("POST", "/v1/jobs", "s", "defect"), "Internal Server Error");
  EXPECT_EQ(title("GET", "/v1/jobs", "away"), "Service Unavailable");
  for (const auto& [status, phrase] :
       {std::pair(400, "Bad Request"), std::pair(408, "Request Timeout"), std::pair(411, "Length Required"),
        std::pair(413, "Content Too Large"), std::pair(414, "URI Too Long"),
        std::pair(415, "Unsupported Media Type"), std::pair(416, "Range Not Satisfiable"),
        std::pair(501, "Not Implemented")})
    EXPECT_EQ(nlohmann::json::parse(problem_response(status, "why").body).at("title").get<std::string>(),
              phrase);
}

TEST(Api, ALargeBodyIsReadOnlyOfWhoeverMayUseTheRoute) {
  Fixture fixture;
  const auto status = [&](const std::string& method, const std::string& path, const std::string& token,
                          const AnnouncedBody& body) {
    const auto refused = fixture.api.refuse_unread({.method = method, .path = path, .token = token}, body);
    return refused ? refused->status : 0;
  };
  const AnnouncedBody small{.content_lengths = {"65536"}}, large{.content_lengths = {"65537"}};
  EXPECT_EQ(status("POST", "/v1/jobs", "", small), 0) << "it is answered once it has been read";
  EXPECT_EQ(status("POST", "/v1/jobs", "", large), 401);
  EXPECT_EQ(status("POST", "/v1/jobs", "x", large), 401);
  EXPECT_EQ(status("POST", "/v1/jobs", "v", large), 403);
  EXPECT_EQ(status("POST", "/v1/jobs", "away", large), 503);
  EXPECT_EQ(status("POST", "/v1/jobs", "s", large), 0);
  EXPECT_EQ(status("POST", "/v1/none", "s", large), 404);
  EXPECT_EQ(status("DELETE", "/v1/jobs", "s", large), 405);
}

TEST(Api, ABodyThatCannotBeToldFromTheNextRequestIsRefused) {
  Fixture fixture;
  const auto status = [&](const std::string& method, const std::string& token, const AnnouncedBody& body) {
    const auto refused =
        fixture.api.refuse_unread({.method = method, .path = "/v1/jobs", .token = token}, body);
    return refused ? refused->status : 0;
  };
  const AnnouncedBody none{}, empty{.content_lengths = {"0"}}, one{.content_lengths = {"1"}};
  EXPECT_EQ(status("POST", "s", none), 411);
  EXPECT_EQ(status("POST", "", none), 401);
  EXPECT_EQ(status("PUT", "s", none), 405);
  EXPECT_EQ(status("POST", "s", empty), 0);
  for (const char* method : {"GET", "HEAD", "OPTIONS", "DELETE"}) {
    EXPECT_EQ(status(method, "v", none), 0) << method;
    EXPECT_EQ(status(method, "v", empty), 0) << method;
  }
  EXPECT_EQ(status("GET", "v", one), 400);
  EXPECT_EQ(status("OPTIONS", "v", one), 405);
  EXPECT_EQ(status("DELETE", "v", one), 0) << "the server reads it";
  EXPECT_EQ(status("GET", "v", {.transfer_encodings = {"chunked"}}), 411);
  const auto refused = fixture.api.refuse_unread({.method = "POST", .path = "/v1/jobs", .token = "s"},
                                                 {.content_encodings = {"gzip"}});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 415);
  EXPECT_EQ(refused->type, "application/problem+json");
  EXPECT_EQ(refused->headers.at("Accept-Encoding"), "identity");
}

TEST(Api, TargetsAreToldAsTheyAreWithoutAToken) {
  Fixture fixture;
  const auto answer = [&] { return fixture.api.answer({.method = "GET", .path = "/v1/targets"}); };
  EXPECT_EQ(answer().status, 404) << "of a daemon without targets";
  EXPECT_EQ(answer().type, "application/problem+json");
  fixture.targets = "0123\n{\"schema\":\"wavewright/targets/1\"}";
  EXPECT_EQ(answer().status, 200);
  EXPECT_EQ(answer().type, "text/plain; charset=utf-8");
  EXPECT_EQ(answer().body, *fixture.targets);
  fixture.targets = "away";
  EXPECT_EQ(answer().status, 503);
}

TEST(Api, ADeadlineThatIsNotPromisedIsAProblemWithWhatWouldDo) {
  Fixture fixture;
  const auto ask = [&](std::map<std::string, std::string> query) {
    return fixture.api.answer(
        {.method = "POST", .path = "/v1/jobs", .query = std::move(query), .token = "s", .body = "late"});
  };
  const ApiResponse response = ask({{"admit", "true"}, {"confidence", "p90"}});
  EXPECT_EQ(response.status, 409);
  EXPECT_EQ(response.type, "application/problem+json");
  const auto document = nlohmann::json::parse(response.body);
  EXPECT_EQ(document.at("type"), "/v1/openapi.json#/components/schemas/NotPromised");
  EXPECT_EQ(document.at("title"), "Deadline not promised");
  EXPECT_EQ(document.at("detail"), "not promised: a: it is late by p90");
  EXPECT_EQ(document.at("refused").at(0).at("code"), "DeadlineNotSure");
  EXPECT_TRUE(document.at("refused").at(0).at("earliest_deadline_ms").is_null());
  EXPECT_TRUE(document.at("refused").at(0).at("record").is_null());
  EXPECT_EQ(ask({{"admit", "false"}}).status, 422) << "then it is no job at all";
  EXPECT_EQ(ask({{"admit", "perhaps"}}).status, 422);
  EXPECT_EQ(ask({{"confidence", "p90"}}).status, 422);
}

TEST(Api, HealthTellsHowLongDecisionsTake) {
  Fixture fixture;
  fixture.board.decided(2.5);
  fixture.board.decided(1.5);
  const ApiResponse response = fixture.api.answer({.method = "GET", .path = "/v1/health"});
  EXPECT_EQ(response.status, 200) << "without a token";
  EXPECT_EQ(response.body,
            R"({"status":"ok","last_event":0,"decisions":{"count":2,"last_ms":1.5,"p99_ms":2.5}})");
}

TEST(Api, AScopeDoesWhatThoseBelowItDo) {
  Fixture fixture;
  for (const char* token : {"v", "s", "o"}) EXPECT_EQ(fixture.status("GET", "/v1/jobs", token), 200);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/a/hold", ""), 401);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/a/hold", "x"), 401);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/a/hold", "v"), 403);
  EXPECT_THAT(fixture.asked, IsEmpty());
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/a/hold", "s"), 202);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/c/cancel", "o"), 202);
  EXPECT_THAT(fixture.asked, ElementsAre("a0", "c2"));
  EXPECT_EQ(fixture.status("POST", "/v1/plan", "s"), 403);
}

TEST(Api, AWishThatCannotBeGrantedIsRefused) {
  Fixture fixture;
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/b/cancel", "s"), 409);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/a/release", "s"), 409);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/none/hold", "s"), 404);
  EXPECT_THAT(fixture.asked, IsEmpty());
}

TEST(Api, JobsAreAddedToTheQueueAskedFor) {
  Fixture fixture;
  const auto add = [&](std::map<std::string, std::string> query) {
    return fixture.api.answer(
        {.method = "POST", .path = "/v1/jobs", .query = std::move(query), .token = "s", .body = "good"});
  };
  const ApiResponse added = add({{"queue", "etl"}});
  EXPECT_EQ(added.status, 201);
  EXPECT_EQ(added.body, R"({"added":["d"],"submission":{"run":"nightly"}})");
  EXPECT_EQ(add({{"dry_run", "1"}}).status, 200);
  EXPECT_EQ(add({{"dry_run", "2"}}).status, 422);
  EXPECT_EQ(add({{"dry_run", "yes"}}).status, 422);
  EXPECT_THAT(fixture.asked, ElementsAre("add to 'etl'", "add to '', dry"));
}

TEST(Api, APageSaysOfWhichBatchItIs) {
  Fixture fixture;
  const auto page = [&] {
    return nlohmann::json::parse(
        fixture.api.answer({.method = "GET", .path = "/v1/jobs", .token = "v"}).body);
  };
  EXPECT_EQ(page().at("run"), "nightly");
  EXPECT_EQ(page().at("began_ms"), 7);
  EXPECT_TRUE(page().at("when").is_null());
  LiveBatch ordered = three_jobs();
  ordered.ordering = LiveOrdering{.when = "pnj(5)"};
  fixture.board.reset(ordered, 0, {});
  EXPECT_EQ(page().at("when"), "pnj(5)");
}

TEST(Api, AnIdMayHaveAnyCharacter) {
  Fixture fixture;
  fixture.board.update({job_named("a/b %2F?")}, {});
  EXPECT_EQ(fixture.status("GET", "/v1/jobs/a%2Fb%20%252F%3F", "v"), 200);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/a%2Fb%20%252F%3F/hold", "s"), 202);
  EXPECT_THAT(fixture.asked, ElementsAre("a/b %2F?0"));
  EXPECT_EQ(fixture.status("GET", "/v1/jobs/a/b %2F?", "v"), 404);
}

TEST(Api, EndedJobsAreOfTheQueueAndOfTheArchive) {
  Fixture fixture;
  const auto ended = [](const std::string& id, std::int64_t at, LiveState state = LiveState::done) {
    LiveJob job = job_named(id, state);
    job.ended_at = at_ms(at);
    return job;
  };
  fixture.board.update({ended("b", 20), ended("c", 5, LiveState::failed)}, {});
  fixture.past = {ended("z", 30), ended("y", 10), ended("x", 1, LiveState::failed)};
  const auto shown = [&](std::map<std::string, std::string> query) {
    const ApiResponse response =
        fixture.api.answer({.method = "GET", .path = "/v1/jobs", .query = std::move(query), .token = "v"});
    if (response.status != 200) return std::to_string(response.status);
    const auto page = nlohmann::json::parse(response.body);
    std::string text;
    for (const auto& job : page.at("jobs")) text += job.at("id").get<std::string>();
    return text + (page.at("more") ? "+" : "");
  };
  EXPECT_EQ(shown({{"state", "ended"}}), "zbycx");
  EXPECT_EQ(shown({{"state", "ended"}, {"limit", "2"}}), "zb+");
  EXPECT_EQ(shown({{"state", "ended"}, {"limit", "2"}, {"behind", "b"}}), "yc+");
  EXPECT_EQ(shown({{"state", "ended"}, {"limit", "2"}, {"behind", "c"}}), "x");
  EXPECT_EQ(shown({{"state", "failed"}}), "cx");
  fixture.past.clear();
  EXPECT_EQ(shown({{"state", "ended"}, {"limit", "1"}}), "b+");
  fixture.past = {ended("z", 30), ended("y", 10), ended("x", 1, LiveState::failed)};
  EXPECT_EQ(shown({{"state", "done"}, {"behind", "z"}}), "by");
  EXPECT_EQ(shown({{"state", "done"}, {"behind", "none"}}), "404");
  EXPECT_EQ(shown({{"state", "done"}, {"behind", "a"}}), "422") << "it has not ended";
  EXPECT_EQ(shown({}), "abc") << "the queue without its archive";
  EXPECT_EQ(fixture.status("GET", "/v1/jobs/y", "v"), 200);
  EXPECT_EQ(fixture.status("POST", "/v1/jobs/y/cancel", "s"), 409);
  // One that leaves the queue between two pages is in the next one, once.
  fixture.past.insert(fixture.past.begin() + 1, ended("b", 20));
  EXPECT_EQ(shown({{"state", "ended"}}), "zbycx");
  fixture.board.remove({job_named("b")});
  EXPECT_EQ(shown({{"state", "ended"}}), "zbycx");
  EXPECT_EQ(shown({}), "ac");
  EXPECT_EQ(fixture.board.counts().at(LiveState::done), 0U);
  EXPECT_EQ(fixture.board.find("c")->id, "c");
}

TEST(Api, NumbersOfTheQueryAreWholeAndInRange) {
  Fixture fixture;
  const auto answer = [&](const std::string& path, const std::string& name, const std::string& value) {
    return fixture.api.answer({.method = "GET", .path = path, .query = {{name, value}}, .token = "v"});
  };
  EXPECT_EQ(answer("/v1/jobs", "limit", "1").status, 200);
  EXPECT_EQ(answer("/v1/jobs", "limit", "1000").status, 200);
  for (const char* wrong : {"0", "1001", "2x", "", "-1"})
    EXPECT_EQ(answer("/v1/jobs", "limit", wrong).status, 422) << wrong;
  const auto page = nlohmann::json::parse(answer("/v1/jobs", "limit", "1").body);
  EXPECT_EQ(page.at("counts"), (nlohmann::json{{"waiting", 2}, {"done", 1}}));
  const LiveEvent event{at_ms(1), "a", "Done", ""};
  fixture.board.update({}, {event, event, event});
  const auto events = nlohmann::json::parse(answer("/v1/events", "behind", "1").body);
  ASSERT_EQ(events.at("events").size(), 2U);
  EXPECT_EQ(events.at("events")[0].at("number"), 2);
  EXPECT_EQ(events.at("last"), 3);
}

TEST(Api, RefusalsSayWhatIsTaken) {
  Fixture fixture;
  const auto answer = [&](const std::string& method, const std::string& path, const std::string& token) {
    return fixture.api.answer({.method = method, .path = path, .token = token});
  };
  EXPECT_EQ(answer("GET", "/v1/jobs", "").headers.at("WWW-Authenticate"), "Bearer");
  EXPECT_EQ(answer("PUT", "/v1/jobs", "o").headers.at("Allow"), "GET, POST");
  EXPECT_EQ(answer("GET", "/v1/jobs/a/hold", "o").status, 405) << "not a job 'a/hold'";
  EXPECT_EQ(fixture.api.refuse_events({.method = "GET", .path = "/v1/events"})->status, 401);
  EXPECT_FALSE(fixture.api.refuse_events({.method = "GET", .path = "/v1/events", .token = "v"}));
}

TEST(Api, AnEventIsOneMessage) {
  EXPECT_EQ(event_message({7, {at_ms(5), "a", "Done", "two\nlines"}}),
            "id: 7\nevent: done\ndata: "
            "{\"at_ms\":5,\"job\":\"a\",\"what\":\"Done\",\"detail\":\"two\\nlines\"}\n\n");
}

}  // namespace
}  // namespace wavewright
