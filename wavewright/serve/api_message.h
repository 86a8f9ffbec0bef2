// A request to the HTTP API of `wavewright serve`, and a response.
#pragma once

#include <map>
#include <string>

namespace wavewright {

struct ApiRequest {
  std::string method;  // GET, POST, …
  std::string path;    // as it was sent, percent-encoded and without the query
  std::map<std::string, std::string> query = {};
  std::string token = {};  // of `Authorization: Bearer`
  std::string body = {};
};

struct ApiResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::map<std::string, std::string> headers = {};
};

}  // namespace wavewright
