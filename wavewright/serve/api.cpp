#include "wavewright/serve/api.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/percent.h"
#include "wavewright/live/batch/live_document.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/serve/problem.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ApiResponse json_response(const Json& document, int status = 200) {
  return {.status = status, .body = dumped(document)};
}

// What a route is matched against, and what it answers.
struct Call {
  const LiveBoard& board;
  const ApiPorts& ports;
  const ApiRequest& request;
  std::string id = {};  // of `{id}`
  ApiToken token = {};  // of whoever asks, if the route needs one
};

struct Route {
  std::string_view method, path;  // `{id}` stands for one part
  std::optional<Scope> scope;     // nobody needs a token where it is absent
  ApiResponse (*answer)(const Call& call);
};

// A whole number of the query; `otherwise` without it.
std::int64_t number_of(const ApiRequest& request, const std::string& name, std::int64_t otherwise,
                       std::int64_t least, std::int64_t most) {
  const auto given = request.query.find(name);
  if (given == request.query.end()) return otherwise;
  const std::string& text = given->second;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most)
    throw UsageError(fmt::format("'{}' is a whole number from {} to {}", name, least, most));
  return number;
}

std::string text_of(const ApiRequest& request, const std::string& name) {
  const auto given = request.query.find(name);
  return given == request.query.end() ? "" : given->second;
}

bool is_true(const ApiRequest& request, const std::string& name) {
  const std::string text = text_of(request, name);
  if (!text.empty() && text != "true" && text != "false")
    throw UsageError(fmt::format("{} '{}' is neither true nor false", name, text));
  return text == "true";
}

ApiResponse health(const Call& call) {
  const DecisionTimes decisions = call.board.decisions();
  return json_response(
      {{"status", "ok"},
       {"last_event", call.board.last_event()},
       {"decisions",
        {{"count", decisions.count}, {"last_ms", decisions.last_ms}, {"p99_ms", decisions.p99_ms}}}});
}

ApiResponse openapi(const Call& call) {
  return {.body = call.ports.openapi};
}

std::optional<LiveJob> any_job(const Call& call, const std::string& id) {
  auto job = call.board.find(id);
  return job ? job : call.ports.past_job(id);
}

ApiResponse jobs_response(const Call& call, const JobPage& page) {
  const LiveBatch head = call.board.head();
  Json document = {{"run", head.name},
                   {"began_ms", to_ms(head.began)},
                   {"when", head.ordering ? Json(head.ordering->when) : Json(nullptr)},
                   {"counts", Json::object()},
                   {"jobs", Json::array()},
                   {"more", page.more}};
  const auto outlook = call.board.outlook();
  const bool forecast = !outlook->model.empty();
  document["forecast_at_ms"] = forecast ? Json(to_ms(outlook->at)) : Json(nullptr);
  document["forecast_model"] = forecast ? Json(outlook->model) : Json(nullptr);
  for (const auto& [each, count] : call.board.counts()) {
    if (count > 0) document["counts"][std::string(to_string(each))] = count;
  }
  for (const LiveJob& job : page.jobs) document["jobs"].push_back(job_document(job, *outlook));
  return json_response(document);
}

// Jobs that have ended, of the batch and of its archive.
ApiResponse list_ended(const Call& call, EndedQuestion question) {
  if (const std::string behind = text_of(call.request, "behind"); !behind.empty()) {
    const auto job = any_job(call, behind);
    if (!job) return problem_response(404, fmt::format("there is no job '{}'", behind));
    if (!has_ended(job->state)) throw UsageError(fmt::format("job '{}' has not ended", behind));
    question.behind = ended_place(*job);
  }
  // In this order, as jobs go from the batch to the archive.
  std::vector<LiveJob> live = call.board.ended(question);
  return jobs_response(call, ended_page(std::move(live), call.ports.past_jobs(question), question.limit));
}

ApiResponse list_jobs(const Call& call) {
  const auto limit = static_cast<std::size_t>(number_of(call.request, "limit", 100, 1, 1'000));
  std::optional<LiveState> state;
  const std::string text = text_of(call.request, "state");
  if (text == "ended") return list_ended(call, {.limit = limit});
  if (!text.empty()) {
    try {
      state = parse_live_state(text, "query");
    } catch (const InputError&) {
      throw UsageError(fmt::format("'{}' is no state of a job", text), "as waiting, running or ended");
    }
  }
  if (state && has_ended(*state)) return list_ended(call, {.limit = limit, .state = state});
  const auto page = call.board.page(text_of(call.request, "behind"), limit, state);
  if (!page)
    return problem_response(404, fmt::format("there is no job '{}'", text_of(call.request, "behind")));
  return jobs_response(call, *page);
}

ApiResponse add_jobs(const Call& call) {
  if (is_true(call.request, "test_only")) {
    if (is_true(call.request, "admit"))
      throw UsageError("'test_only' adds nothing, and 'admit' does", "leave one out");
    return {.body =
                call.ports.test_jobs({call.request.body, text_of(call.request, "queue"), true, call.token})};
  }
  const bool dry_run = number_of(call.request, "dry_run", 0, 0, 1) == 1;
  NewJobs jobs{call.request.body, text_of(call.request, "queue"), dry_run, call.token};
  jobs.admit = is_true(call.request, "admit");
  if (call.request.query.contains("confidence")) {
    if (!jobs.admit) throw UsageError("'confidence' is of promised deadlines", "add admit=true");
    jobs.confidence = text_of(call.request, "confidence");
  }
  const AddedJobs added = call.ports.add_jobs(jobs);
  return json_response({{"added", added.ids}, {"submission", Json::parse(added.submission)}},
                       dry_run ? 200 : 201);
}

ApiResponse show_job(const Call& call) {
  const auto job = any_job(call, call.id);
  if (!job) return problem_response(404, fmt::format("there is no job '{}'", call.id));
  return json_response(job_document(*job, *call.board.outlook()));
}

ApiResponse why_job(const Call& call) {
  const auto job = any_job(call, call.id);
  if (!job) return problem_response(404, fmt::format("there is no job '{}'", call.id));
  return {.body = call.ports.why(*job)};
}

template <Wish wish>
ApiResponse ask_for(const Call& call) {
  const auto job = any_job(call, call.id);
  if (!job) return problem_response(404, fmt::format("there is no job '{}'", call.id));
  const ApiToken& token = call.token;
  if (token.scope < Scope::operate && !token.account.empty() && job->account != token.account)
    return problem_response(403, fmt::format("job '{}' is not of the account {}", call.id, token.account));
  if (const std::string why = refusal_of(wish, job->state); !why.empty())
    return problem_response(409, fmt::format("job '{}': {}", call.id, why));
  call.ports.wish(call.id, wish);
  return json_response({{"asked", call.id}}, 202);
}

ApiResponse preview(const Call& call) {
  return {.body = call.ports.preview_plan(call.request.body)};
}

ApiResponse cluster(const Call& call) {
  return {.body = call.ports.cluster()};
}

ApiResponse policies(const Call& call) {
  return {.body = call.ports.policies};
}

ApiResponse events(const Call& call) {
  const std::int64_t behind = number_of(call.request, "behind", 0, 0, std::int64_t{1} << 53);
  Json document = {{"events", Json::array()}, {"last", call.board.last_event()}};
  for (const NumberedEvent& each : call.board.events(behind, {})) {
    Json event = event_document(each.event);
    event["number"] = each.number;
    document["events"].push_back(std::move(event));
  }
  return json_response(document);
}

ApiResponse targets(const Call& call) {
  std::optional<std::string> told = call.ports.targets();
  if (!told)
    return problem_response(404, "this daemon tells no targets: start it with --targets and --targets-key");
  return {.type = "text/plain; charset=utf-8", .body = std::move(*told)};
}

constexpr std::array routes = {
    Route{"GET", "/v1/health", std::nullopt, health},
    Route{"GET", "/v1/openapi.json", std::nullopt, openapi},
    Route{"GET", "/v1/jobs", Scope::view, list_jobs},
    Route{"POST", "/v1/jobs", Scope::submit, add_jobs},
    Route{"GET", "/v1/jobs/{id}", Scope::view, show_job},
    Route{"GET", "/v1/jobs/{id}/why", Scope::view, why_job},
    Route{"POST", "/v1/jobs/{id}/hold", Scope::submit, ask_for<Wish::hold>},
    Route{"POST", "/v1/jobs/{id}/release", Scope::submit, ask_for<Wish::release>},
    Route{"POST", "/v1/jobs/{id}/cancel", Scope::submit, ask_for<Wish::cancel>},
    Route{"POST", "/v1/plan", Scope::operate, preview},
    Route{"GET", "/v1/cluster", Scope::view, cluster},
    Route{"GET", "/v1/policies", Scope::view, policies},
    Route{"GET", "/v1/events", Scope::view, events},
    // The plug-in sends no token. The document is signed; it has tags, ranks and numbers of containers.
    Route{"GET", "/v1/targets", std::nullopt, targets},
};

// The part that stands for `{id}`, decoded, empty if there is none; absent if the path is another one.
std::optional<std::string> matched(std::string_view pattern, std::string_view path) {
  const std::size_t brace = pattern.find("{id}");
  if (brace == std::string_view::npos) return path == pattern ? std::optional("") : std::nullopt;
  const std::string_view before = pattern.substr(0, brace), after = pattern.substr(brace + 4);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
    return std::nullopt;
  const std::string_view id = path.substr(before.size(), path.size() - before.size() - after.size());
  return id.find('/') == std::string_view::npos ? std::optional(percent_decoded(id)) : std::nullopt;
}

// May whoever asks do what needs that scope?
std::optional<ApiResponse> refused(const ApiPorts& ports, const ApiRequest& request, Scope scope,
                                   std::optional<ApiToken>& token) {
  if (!request.token.empty()) token = ports.find_token(request.token);
  if (!token) {
    ApiResponse response = problem_response(
        401, "no token, or none that is known: send the header 'Authorization: Bearer TOKEN'");
    response.headers["WWW-Authenticate"] = "Bearer";
    return response;
  }
  if (token->scope >= scope) return std::nullopt;
  return problem_response(403, fmt::format("token '{}' has the scope {}; this needs {}", token->name,
                                           to_string(token->scope), to_string(scope)));
}

// The route of a request, and who asks.
struct Found {
  const Route* route = nullptr;
  std::string id = {};
  ApiToken token = {};
  std::optional<ApiResponse> refused = {};  // there is no such route, or it is not for whoever asks
};

Found find_route(const ApiPorts& ports, const ApiRequest& request) {
  Found found;
  std::string allowed;
  for (const Route& route : routes) {
    const auto id = matched(route.path, request.path);
    if (!id) continue;
    if (route.method != request.method) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    std::optional<ApiToken> token;
    if (route.scope) found.refused = refused(ports, request, *route.scope, token);
    found.route = &route;
    found.id = *id;
    found.token = token.value_or(ApiToken{});
    return found;
  }
  if (allowed.empty()) {
    found.refused = problem_response(404, fmt::format("there is no {}", request.path));
  } else {
    found.refused = problem_response(405, fmt::format("{} takes {}", request.path, allowed));
    found.refused->headers["Allow"] = allowed;
  }
  return found;
}

}  // namespace

ApiResponse Api::answer(const ApiRequest& request) const try {
  Found found = find_route(ports_, request);
  if (found.refused) return std::move(*found.refused);
  return found.route->answer({board_, ports_, request, std::move(found.id), std::move(found.token)});
} catch (const NotPromised& refused) {
  return problem_response(refused);
} catch (const Error& error) {
  return problem_response(error);
} catch (const Interrupted&) {
  return problem_response(503, "the daemon ends");
} catch (const std::exception& error) {
  return problem_response(500, error.what());
}

std::optional<ApiResponse> Api::refuse_unread(const ApiRequest& request, const AnnouncedBody& body) const
    try {
  if (const auto refused = refuse_body(body)) {
    ApiResponse response = problem_response(refused->status, refused->detail);
    constexpr int unsupported = 415;
    if (refused->status == unsupported)
      response.headers["Accept-Encoding"] = "identity";  // RFC 9110 §15.5.16
    return response;
  }
  const std::optional<std::uint64_t> bytes = announced_bytes(body);
  const bool brings_one = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  const bool endless = !bytes && brings_one;
  const bool unexpected = bytes.value_or(0) > 0 && !brings_one && request.method != "DELETE";
  if (!endless && !unexpected && bytes.value_or(0) <= longest_of_anybody) return std::nullopt;
  if (auto refused = find_route(ports_, request).refused) return refused;
  if (endless) return problem_response(411, "send the header Content-Length, 0 without a body");
  if (unexpected)
    return problem_response(400, fmt::format("{} {} takes no body", request.method, request.path));
  return std::nullopt;
} catch (const Error& error) {
  return problem_response(error);
} catch (const std::exception& error) {
  return problem_response(500, error.what());
}

std::optional<ApiResponse> Api::refuse_events(const ApiRequest& request) const try {
  std::optional<ApiToken> token;
  return refused(ports_, request, Scope::view, token);
} catch (const Error& error) {
  return problem_response(error);
}

std::vector<std::string> api_routes() {
  std::vector<std::string> names;
  names.reserve(routes.size());
  for (const Route& route : routes) names.push_back(fmt::format("{} {}", route.method, route.path));
  return names;
}

std::string event_message(const NumberedEvent& event) {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event.number, event_word(event.event),
                     dumped(event_document(event.event)));
}

}  // namespace wavewright
