#include "wavewright/serve/daemon_client.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/percent.h"
#include "wavewright/history/source/server.h"
#include "wavewright/history/text.h"
#include "wavewright/live/batch/live_document.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* wish_paths[] = {"hold", "release", "cancel"};

std::string encoded(const std::string& text) {
  return percent_encoded(text, is_unreserved);
}

// Events of a stream as its bytes come: `id` and `data` of each message [HTML, server-sent events].
class EventReader {
 public:
  struct Enough {};  // is thrown when `take` wants no more

  EventReader(std::string source, const std::function<bool(const NumberedEvent&)>& take)
      : source_(std::move(source)), take_(take) {}

  void read(std::string_view piece) {
    for (const char c : piece) {
      if (c != '\n') {
        if (line_.size() == longest_line)
          throw ExternalError({source_}, "sends an endless line", "check the address");
        line_ += c;
        continue;
      }
      read_line();
      line_.clear();
    }
  }

 private:
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  void read_line() {
    if (line_.starts_with("id: ")) {
      number_ = 0;
      std::from_chars(line_.data() + 4, line_.data() + line_.size(), number_);
    } else if (line_.starts_with("data: ")) {
      data_ = line_.substr(6);
    } else if (line_.empty() && !data_.empty()) {
      const Json document = Json::parse(std::exchange(data_, {}), nullptr, false);
      if (!take_({number_, event_from_document(document, source_)})) throw Enough{};
    }
  }

  std::string source_;
  const std::function<bool(const NumberedEvent&)>& take_;
  std::string line_, data_;
  std::int64_t number_ = 0;
};

}  // namespace

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1" || host == "[::1]") return true;
  // Not a name that begins so: it may be of any machine.
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_on_this_machine(const std::string& url) {
  return is_loopback(parse_address(url).host);
}

DaemonClient::DaemonClient(DaemonAccess access, InterruptFlag interrupted)
    : access_(std::move(access)),
      http_(access_.ca_file, interrupted),
      direct_(is_on_this_machine(access_.url)) {
  if (!direct_ && !access_.url.starts_with("https://"))
    throw UsageError(fmt::format("the token would go to {} in the clear", access_.url),
                     "name the daemon by https://");
}

HttpRequest DaemonClient::request(const std::string& path) const {
  HttpRequest made{.url = access_.url + path, .direct = direct_};
  if (!access_.token.empty()) made.headers.push_back("Authorization: Bearer " + access_.token);
  return made;
}

std::vector<PromiseRefusal> DaemonClient::refusals_in(const Json& list) const {
  std::vector<PromiseRefusal> refusals;
  for (const Json& each : list) refusals.push_back(refusal_from_document(each, access_.url));
  return refusals;
}

void DaemonClient::refuse_as_foreign() const {
  throw ExternalError({access_.url}, "does not answer as a Wavewright daemon of this version",
                      "check the address: another program or a proxy may listen there");
}

void DaemonClient::refuse(const HttpResponse& response) const {
  const Json problem = Json::parse(response.body, nullptr, false);
  if (!problem.is_object() || !problem.contains("detail") || !problem["detail"].is_string())
    refuse_as_foreign();
  const std::string detail = clean_text(problem["detail"].get<std::string>());
  switch (response.status) {
    case 401:
      throw ExternalError(
          {access_.url},
          access_.token.empty() ? "asks for a token"
                                : fmt::format("does not know the token of {}", access_.token_from),
          "make one with 'wavewright token create NAME' where the daemon runs, and name its file "
          "with --token-file");
    case 403:
      throw ExternalError({access_.url}, detail, "name the file of another token with --token-file");
    case 404:
      throw UsageError(detail, "'wavewright queue' shows those that there are");
    case 409:
      if (problem.contains("refused") && problem["refused"].is_array())
        throw NotPromised(refusals_in(problem["refused"]));
      throw Infeasible(detail);
    case 400:
    case 413:
    case 422:
      throw InputError({access_.url}, detail);
    case 503:
      throw ExternalError({access_.url}, detail, "try again in a minute");
    default:
      throw ExternalError({access_.url}, fmt::format("answers {}: {}", response.status, detail),
                          "see the daemon's log");
  }
}

HttpResponse DaemonClient::send(const HttpRequest& request) {
  constexpr HttpLimits limits{.body = std::size_t{256} << 20, .redirects = Redirects::none};
  return http_.send(request, limits);
}

Json DaemonClient::read(const HttpResponse& response) const {
  if (response.status >= 300) refuse(response);
  Json document = Json::parse(response.body, nullptr, false);
  if (!document.is_object()) refuse_as_foreign();
  return document;
}

LiveBatch DaemonClient::head() {
  const Json page = read(send(request("/v1/jobs?limit=1")));
  try {
    LiveBatch batch;
    page.at("run").get_to(batch.name);
    batch.began = at_ms(page.at("began_ms").get<std::int64_t>());
    batch.endless = true;
    if (const Json& when = page.at("when"); !when.is_null())
      batch.ordering = LiveOrdering{.when = when.get<std::string>()};
    return batch;
  } catch (const Json::exception&) {
    refuse_as_foreign();
  }
}

// Appends a page behind the last of `jobs`; false: it was the last page.
bool DaemonClient::read_page(const std::string& query, std::vector<LiveJob>& jobs, Outlook* outlook) {
  const std::string behind = jobs.empty() ? "" : "&behind=" + encoded(jobs.back().id);
  const Json page = read(send(request("/v1/jobs?" + query + behind)));
  try {
    for (const Json& job : page.at("jobs")) jobs.push_back(job_from_document(job, access_.url, outlook));
    if (outlook != nullptr && !page.at("forecast_at_ms").is_null()) {
      outlook->at = at_ms(page.at("forecast_at_ms").get<std::int64_t>());
      page.at("forecast_model").get_to(outlook->model);
    }
    return page.at("more").get<bool>() && !page.at("jobs").empty();
  } catch (const Json::exception&) {
    refuse_as_foreign();
  } catch (const InputError&) {
    refuse_as_foreign();
  }
}

LiveBatch DaemonClient::batch(Outlook* outlook) {
  LiveBatch batch = head();
  while (read_page("limit=1000", batch.jobs, outlook)) {
  }
  return batch;
}

std::vector<LiveJob> DaemonClient::ended(std::size_t limit) {
  std::vector<LiveJob> jobs;
  constexpr std::size_t most = 1'000;
  for (bool more = limit > 0; more && jobs.size() < limit;)
    more = read_page(fmt::format("state=ended&limit={}", std::min(most, limit - jobs.size())), jobs);
  return jobs;
}

Json DaemonClient::add(const NewJobs& jobs) {
  HttpRequest post =
      request(fmt::format("/v1/jobs?dry_run={}{}{}", jobs.dry_run ? 1 : 0,
                          jobs.queue.empty() ? "" : "&queue=" + encoded(jobs.queue),
                          jobs.admit ? "&admit=true&confidence=" + encoded(jobs.confidence) : ""));
  post.method = "POST";
  post.headers.emplace_back("Content-Type: application/jsonl");
  post.body = jobs.text;
  const auto lost = [&](const Position& where, const std::string& problem) {
    throw ExternalError(where, problem + (jobs.dry_run ? "" : "; the jobs may have been added or not"),
                        "look with 'wavewright queue', or submit them again: none is added twice");
  };
  HttpResponse response;
  try {
    response = send(post);
  } catch (const ExternalError& error) {
    lost(error.where(), error.problem());
  }
  constexpr int not_available = 503;  // of the store, which may have them
  if (response.status == not_available) lost({access_.url}, "gives no answer in time");
  Json answer = read(response);
  if (!answer.contains("submission") || !answer["submission"].is_object()) refuse_as_foreign();
  return std::move(answer["submission"]);
}

Json DaemonClient::why(const std::string& job) {
  return read(send(request(fmt::format("/v1/jobs/{}/why", encoded(job)))));
}

Json DaemonClient::test(const NewJobs& jobs) {
  HttpRequest post =
      request("/v1/jobs?test_only=true" + (jobs.queue.empty() ? "" : "&queue=" + encoded(jobs.queue)));
  post.method = "POST";
  post.headers.emplace_back("Content-Type: application/jsonl");
  post.body = jobs.text;
  return read(send(post));
}

void DaemonClient::wish(const std::string& job, Wish wish) {
  HttpRequest post =
      request(fmt::format("/v1/jobs/{}/{}", encoded(job), wish_paths[static_cast<std::size_t>(wish)]));
  post.method = "POST";
  (void)read(send(post));
}

DaemonClient::Events DaemonClient::events(std::int64_t behind) {
  const Json answer = read(send(request(fmt::format("/v1/events?behind={}", behind))));
  try {
    Events events{{}, answer.at("last").get<std::int64_t>()};
    for (const Json& each : answer.at("events"))
      events.events.push_back(
          {each.at("number").get<std::int64_t>(), event_from_document(each, access_.url)});
    return events;
  } catch (const Json::exception&) {
    refuse_as_foreign();
  } catch (const InputError&) {
    refuse_as_foreign();
  }
}

void DaemonClient::follow(std::int64_t behind, std::chrono::milliseconds patience,
                          const std::function<bool(const NumberedEvent&)>& take) {
  HttpRequest get = request("/v1/events");
  get.headers.emplace_back("Accept: text/event-stream");
  get.headers.push_back(fmt::format("Last-Event-ID: {}", behind));
  const HttpLimits limits{.body = std::numeric_limits<std::size_t>::max(),
                          .total = std::max(patience, std::chrono::milliseconds(1)),
                          .redirects = Redirects::none};
  const auto end = std::chrono::steady_clock::now() + patience;
  EventReader reader(access_.url, take);
  try {
    const HttpResponse response =
        http_.send(get, limits, [&](std::string_view piece) { reader.read(piece); });
    if (response.status != 200) refuse(response);
  } catch (const EventReader::Enough&) {
  } catch (const ExternalError&) {
    if (std::chrono::steady_clock::now() < end) throw;
  }
}

}  // namespace wavewright
