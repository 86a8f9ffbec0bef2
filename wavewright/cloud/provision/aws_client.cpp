#include "wavewright/cloud/provision/aws_client.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "wavewright/cloud/provision/cloud_error.h"

namespace wavewright {

namespace {

constexpr int most_tries = 6;

// `<Response><Errors><Error><Code>…`, or `<ErrorResponse><Error>…`.
std::pair<std::string, std::string> xml_error(const std::string& body) {
  pugi::xml_document document;
  if (!document.load_buffer(body.data(), body.size())) return {};
  const pugi::xml_node error = document.select_node("//Error").node();
  return {error.child_value("Code"), error.child_value("Message")};
}

// `{"__type": "com.amazon…#Code", "message": …}`
std::pair<std::string, std::string> json_error(const std::string& body) {
  const nlohmann::json document = nlohmann::json::parse(body, nullptr, false);
  if (!document.is_object()) return {};
  std::pair<std::string, std::string> error;
  for (const auto& [name, value] : document.items()) {
    if (!value.is_string()) continue;
    if (name == "__type") error.first = value;
    if (name == "message" || name == "Message") error.second = value;
  }
  error.first.erase(0, error.first.rfind('#') + 1);
  return error;
}

}  // namespace

Duration backoff(int attempt, double part) {
  constexpr std::int64_t least = 500, most = 20'000;
  const std::int64_t limit = std::min(most, least << std::clamp(attempt - 1, 0, 10));
  return ms(static_cast<std::int64_t>(part * static_cast<double>(limit)));
}

std::string form_text(const std::vector<std::pair<std::string, std::string>>& form) {
  const auto encoded = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         c == '-' || c == '_' || c == '.' || c == '~';
      out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
  };
  std::string text;
  for (const auto& [name, value] : form)
    text += (text.empty() ? "" : "&") + encoded(name) + "=" + encoded(value);
  return text;
}

void wait_for(Duration time, InterruptFlag interrupted) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    throw_if(interrupted);
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= left.zero()) return;
    std::this_thread::sleep_for(
        std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(interrupt_poll_ms)));
  }
}

AwsClient::AwsClient(AwsPlace place, AwsCredentials credentials, std::uint64_t seed,
                     InterruptFlag interrupted, Pause pause)
    : place_(std::move(place)),
      credentials_(std::move(credentials)),
      http_(place_.ca_file, interrupted),
      random_(seed, "backoff"),
      pause_(pause ? std::move(pause) : [interrupted](Duration time) { wait_for(time, interrupted); }) {}

HttpRequest AwsClient::signed_request(std::string body, std::string content_type) const {
  HttpRequest request;
  request.url = place_.endpoint + "/";
  request.method = "POST";
  request.headers = {"Content-Type: " + std::move(content_type)};
  request.body = std::move(body);
  request.signer = {credentials_.key_id, credentials_.secret, credentials_.session_token, place_.region,
                    place_.service};
  return request;
}

std::string AwsClient::send_once(const HttpRequest& request) {
  HttpLimits limits;
  limits.body = std::size_t{64} << 20;
  limits.total = std::chrono::milliseconds(60'000);
  limits.redirects = Redirects::none;
  HttpResponse response;
  try {
    response = http_.send(request, limits);
  } catch (const CloudError&) {
    throw;
  } catch (const ExternalError& error) {
    throw CloudError(CloudFailure::unsure, error.where(), error.problem(), error.remedy());
  }
  constexpr int ok = 200;
  if (response.status == ok) return std::move(response.body);
  auto [code, message] =
      response.body.starts_with('{') ? json_error(response.body) : xml_error(response.body);
  throw cloud_error(place_.endpoint, response.status, code, message);
}

std::string AwsClient::send(HttpRequest request, Repeatable repeatable) {
  request.once = repeatable == Repeatable::no;
  for (int attempt = 1;; ++attempt) {
    try {
      return send_once(request);
    } catch (const CloudError& error) {
      const bool again = error.failure() == CloudFailure::throttled ||
                         (error.failure() == CloudFailure::unsure && repeatable == Repeatable::yes);
      if (!again || attempt == most_tries) throw;
    }
    pause_(backoff(attempt, random_.unit()));
  }
}

std::string AwsClient::query(const std::vector<std::pair<std::string, std::string>>& form,
                             Repeatable repeatable) {
  return send(signed_request(form_text(form), "application/x-www-form-urlencoded; charset=utf-8"),
              repeatable);
}

std::string AwsClient::json(const std::string& target, const std::string& body, Repeatable repeatable) {
  HttpRequest request = signed_request(body, "application/x-amz-json-1.1");
  request.headers.push_back("X-Amz-Target: " + target);
  return send(request, repeatable);
}

}  // namespace wavewright
