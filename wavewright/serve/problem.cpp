#include "wavewright/serve/problem.h"

#include <nlohmann/json.hpp>

#include "wavewright/live/promise/promises.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

// The phrase of a status [RFC 9110 §15].
const char* phrase_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 416:
      return "Range Not Satisfiable";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

Json problem_document(const char* type, int status, const std::string& title, const std::string& detail) {
  return {{"type", type}, {"title", title}, {"status", status}, {"detail", detail}};
}

ApiResponse response_of(int status, const Json& document) {
  return {.status = status,
          .type = "application/problem+json",
          .body = document.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

}  // namespace

ApiResponse problem_response(int status, const std::string& detail) {
  return response_of(status, problem_document("about:blank", status, phrase_of(status), detail));
}

ApiResponse problem_response(const Error& error) {
  const auto status = [&] {
    switch (error.status()) {
      case ExitStatus::usage:
      case ExitStatus::bad_input:
        return 422;
      case ExitStatus::no:
        return 409;
      case ExitStatus::outside:
        return 503;
      default:
        return 500;
    }
  };
  return problem_response(status(), error.what());
}

ApiResponse problem_response(const NotPromised& refused) {
  constexpr int conflict = 409;
  Json document = problem_document("/v1/openapi.json#/components/schemas/NotPromised", conflict,
                                   "Deadline not promised", refused.problem());
  document["refused"] = Json::array();
  for (const PromiseRefusal& each : refused.refusals()) document["refused"].push_back(refusal_document(each));
  return response_of(conflict, document);
}

}  // namespace wavewright
