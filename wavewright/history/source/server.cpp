#include "wavewright/history/source/server.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/percent.h"
#include "wavewright/history/json.h"
#include "wavewright/history/rest/answers.h"
#include "wavewright/history/text.h"

namespace wavewright {

namespace {

bool looks_like_json(std::string_view body) {
  const auto first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (body[first] == '{' || body[first] == '[');
}

bool is_rpc_port(std::string_view body) {
  return body.find("Hadoop IPC port") != std::string_view::npos;
}

// `http://host:port` of a redirect's target.
std::string server_of(const std::string& target) {
  const std::size_t host = std::min(target.find("://"), target.size());
  std::string base = target.substr(0, target.find_first_of("/?#", std::min(host + 3, target.size())));
  if (const std::size_t at = base.find('@'); at != std::string::npos) base.erase(host + 3, at - host - 2);
  return clean_text(base);
}

// A standby ResourceManager redirects to the active one, or tells that there is none (RMWebAppFilter).
bool is_standby(ServerAnswer& answer, const std::string& redirect) {
  if (answer.body.starts_with("This is standby RM")) {
    answer.problem = "is a standby" + (redirect.empty() ? "" : "; the active one is " + server_of(redirect));
    answer.remedy = "name both addresses, with a comma between them";
  } else if (answer.body.starts_with("Can not find any active RM") ||
             answer.body.starts_with("There is no active RM")) {
    answer.problem = "is a standby, and it knows of none that is active";
    answer.remedy = "see the ResourceManagers' logs";
  } else {
    return false;
  }
  answer.standby = true;
  return true;
}

// The server wants a Kerberos ticket.
void judge_ticket(ServerAnswer& answer, const std::string& no_ticket) {
  if (no_ticket.empty()) {
    answer.problem = "does not take the Kerberos ticket of this account";
    answer.remedy = "see with klist whose it is, and get one of a user who may with kinit";
  } else {
    answer.problem = "asks for a Kerberos ticket, and there is none to give: " + clean_text(no_ticket);
    answer.remedy = "get one with kinit, or name a keytab with --keytab";
  }
}

void judge(ServerAnswer& answer, const HttpResponse& response) {
  if (is_standby(answer, response.redirect)) return;
  if (answer.status == 200) return;
  if (response.asks_for_ticket) return judge_ticket(answer, response.no_ticket);
  const std::string message = rest::remote_message(answer.body);
  const std::string said = message.empty() ? "" : ": " + message;
  answer.rpc_port = is_rpc_port(answer.body);
  if (answer.rpc_port) {
    answer.problem = "is an RPC port of Hadoop, not a web port";
    answer.remedy = "give the web port (NameNode 9870, ResourceManager 8088, JobHistory server 19888)";
  } else if (message.starts_with("StandbyException")) {
    answer.standby = true;
    answer.problem = "is a standby";
    answer.remedy = "name the active one";
  } else if (answer.status == 401 || answer.status == 403) {
    answer.problem = "may not be read" + said;
    answer.remedy = "ask as a user who may: set HADOOP_USER_NAME, or kinit on a cluster with Kerberos";
  } else if (answer.status == 404) {
    answer.problem = "is not there" + said;
    answer.remedy = "check the address";
  } else {
    answer.problem = fmt::format("answers {}{}", answer.status, said);
    answer.remedy = "see the server's log";
  }
}

}  // namespace

WebServer::WebServer(std::string base, std::string ca_file, InterruptFlag interrupted)
    : WebServer(std::vector<std::string>{std::move(base)}, std::move(ca_file), interrupted) {}

WebServer::WebServer(std::vector<std::string> bases, std::string ca_file, InterruptFlag interrupted)
    : bases_(std::move(bases)), ca_file_(std::move(ca_file)), interrupted_(interrupted) {
  if (bases_.empty()) throw InternalError("a web server without an address");
}

std::unique_ptr<HttpClient> WebServer::client() const {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<HttpClient>(ca_file_, interrupted_);
  std::unique_ptr<HttpClient> client = std::move(idle_.back());
  idle_.pop_back();
  return client;
}

void WebServer::give_back(std::unique_ptr<HttpClient> client) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(client));
}

ServerAnswer WebServer::ask(std::size_t which, const std::string& path, HttpLimits limits,
                            const HttpClient::TakePiece& take) const {
  std::unique_ptr<HttpClient> client = this->client();
  const bool to_any = limits.redirects == Redirects::any;
  if (!to_any) limits.redirects = Redirects::told;
  constexpr std::chrono::milliseconds patience{3'000};  // another address may answer
  if (bases_.size() > 1) limits.connect = std::min(limits.connect, patience);
  HttpResponse response =
      client->get(bases_[which] + path, {"Accept: application/json, */*;q=0.1"}, limits, take);
  give_back(std::move(client));
  ServerAnswer answer{response.status, std::move(response.body), {}, {}};
  answer.date = response.date;
  judge(answer, response);
  if (!response.redirect.empty() && !answer.standby)
    throw ExternalError({bases_[which] + path.substr(0, path.find('?'))},
                        "redirects to " + server_of(response.redirect),
                        "name that server itself if it is the one meant");
  return answer;
}

ServerAnswer WebServer::put(const std::string& path, const std::string& body, const std::string& type) const {
  std::unique_ptr<HttpClient> client = this->client();
  // The third header is for clusters that guard against requests of foreign pages.
  HttpRequest request;
  request.url = base() + path;
  request.headers = {"Content-Type: " + type, "Accept: application/json, */*;q=0.1",
                     "X-XSRF-HEADER: wavewright"};
  request.method = "PUT";
  request.body = body;
  HttpLimits limits;
  limits.redirects = Redirects::none;
  HttpResponse response = client->send(request, limits);
  give_back(std::move(client));
  ServerAnswer answer{response.status, std::move(response.body), {}, {}};
  judge(answer, response);
  return answer;
}

ServerAnswer WebServer::bytes(const std::string& path, const HttpLimits& limits,
                              const HttpClient::TakePiece& take) const {
  const std::size_t first = current_.load();
  if (bases_.size() == 1 || take) return ask(first, path, limits, take);
  std::string problems, tls_remedy;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    const std::size_t which = (first + i) % bases_.size();
    std::string problem;
    try {
      ServerAnswer answer = ask(which, path, limits, take);
      if (!answer.standby) {
        current_ = which;
        return answer;
      }
      problem = answer.problem;
    } catch (const TlsFailure& error) {
      problem = error.problem();
      tls_remedy = error.remedy();
    } catch (const ExternalError& error) {
      problem = error.problem();
    }
    problems += fmt::format("{}{} {}", problems.empty() ? "" : "; ", bases_[which], problem);
  }
  const std::string none = "none of the addresses has an active server: " + problems;
  if (!tls_remedy.empty()) throw TlsFailure({}, none, tls_remedy);
  throw ExternalError({}, none, "check the addresses, and that one of the servers is active");
}

namespace {

HttpLimits limits_of_json() {
  HttpLimits limits;
  limits.body = json::largest_document;
  return limits;
}

ServerAnswer as_json(ServerAnswer answer) {
  if (answer.good() && answer.body.find_first_not_of(" \t\r\n") == std::string::npos) {
    answer.problem = "answers with nothing at all";
    answer.remedy = "see the server's log, and that of a proxy before it";
  } else if (answer.good() && !looks_like_json(answer.body)) {
    answer.problem = "answers with a page, not with JSON: a login or a proxy stands before it";
    answer.remedy = "name the server itself, or log in with kinit";
  }
  return answer;
}

}  // namespace

ServerAnswer WebServer::json(const std::string& path, InterruptFlag interrupted,
                             std::chrono::milliseconds silence) const {
  HttpLimits limits = limits_of_json();
  limits.interrupted = interrupted;
  limits.silence = silence;
  return as_json(bytes(path, limits));
}

ServerAnswer WebServer::json_of(std::size_t which, const std::string& path) const {
  return as_json(ask(which, path, limits_of_json(), {}));
}

void WebServer::refuse(const std::string& path, const ServerAnswer& answer) const {
  throw ExternalError({base() + path.substr(0, path.find('?'))}, answer.problem, answer.remedy);
}

namespace {

// For messages: removes the query, user and password, even a password with a slash or a question mark.
std::string without_login(const std::string& where) {
  std::string shown = where;
  const std::size_t host = shown.find("://") + 3;
  if (const std::size_t at = shown.rfind('@'); at != std::string::npos && at >= host) {
    shown.replace(host, at - host, "***");
  }
  return shown.substr(0, shown.find('?'));
}

}  // namespace

WebAddress parse_address(const std::string& where) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(
        "cannot read '" + clean_text(without_login(where)) + "': " + why,
        "write such as http://history.example.org:19888 or hdfs://namenode.example.org:9870/path");
  };
  WebAddress address;
  const std::size_t colon = where.find("://");
  address.scheme = where.substr(0, colon);
  const std::size_t host = colon + 3;
  const std::size_t slash = std::min(where.find_first_of("/?#", host), where.size());
  address.path = where.substr(slash);
  std::string authority = where.substr(host, slash - host);
  // A raw slash in a password would look like the host's end. For http the whole text may be searched, as no
  // path of http is read.
  const bool web = address.scheme.starts_with("http");
  if ((web ? std::string_view(where) : authority).find('@') != std::string_view::npos) {
    refuse("a user or password in an address");
  }
  const std::size_t bracket = authority.find(']');
  const std::size_t port = authority.find(':', bracket == std::string::npos ? 0 : bracket);
  if (port != std::string::npos) {
    const auto number = parse_integer(std::string_view(authority).substr(port + 1));
    if (!number || *number < 1 || *number > 65535) refuse("its port is none");
    address.port = static_cast<int>(*number);
    authority.resize(port);
  }
  if (authority.empty()) refuse("no host in it");
  address.host = std::move(authority);
  return address;
}

std::string web_base(const WebAddress& address, int http_port) {
  constexpr std::array<std::pair<int, int>, 3> of_hadoop = {{{8088, 8090}, {19888, 19890}, {9870, 9871}}};
  int port = address.port;
  if (port == 0 && address.scheme == "http") port = http_port;
  if (port == 0) {
    for (const auto& [http, https] : of_hadoop) port = http == http_port ? https : port;
  }
  const std::string base = address.scheme + "://" + address.host;
  return port == 0 ? base : fmt::format("{}:{}", base, port);
}

std::string percent_encoded(std::string_view path) {
  return percent_encoded(path, [](char c) { return is_unreserved(c) || c == '/'; });
}

}  // namespace wavewright
