#include "wavewright/cloud/provision/aws_credentials.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <boost/property_tree/ini_parser.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {

namespace {

namespace tree = boost::property_tree;

// Empty if it is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? "" : value;
}

std::string file_of(const char* set_by, const char* in_home) {
  const std::string file = variable(set_by);
  return !file.empty() ? file : (std::filesystem::path(variable("HOME")) / ".aws" / in_home).string();
}

std::string profile_name(const std::string& given) {
  if (!given.empty()) return given;
  const std::string set = variable("AWS_PROFILE");
  return set.empty() ? "default" : set;
}

// A section of the file; none if there is no such file or section.
std::optional<tree::ptree> section_of(const std::string& file, const std::string& section) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  constexpr std::size_t largest = std::size_t{1} << 20;
  std::istringstream text(read_file(file, largest));
  tree::ptree all;
  try {
    tree::read_ini(text, all);
  } catch (const tree::ini_parser_error& error) {  // its message may hold what the line says
    throw InputError({file, static_cast<std::int64_t>(error.line())}, "is no line of a credentials file",
                     "write [PROFILE] or NAME = VALUE");
  }
  const auto found = all.find(section);
  return found == all.not_found() ? std::nullopt : std::optional(found->second);
}

bool is_region(const std::string& text) {
  constexpr std::size_t longest = 32;
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
         });
}

// Does the URL name this machine?
bool is_loopback(const std::string& url) {
  const std::string host = url.substr(0, url.find_first_of(":/", std::string("http://").size()));
  if (url.starts_with("http://[::1]")) return true;
  return host == "http://127.0.0.1" || host == "http://localhost";
}

}  // namespace

AwsCredentials find_credentials(const std::string& profile) {
  if (profile.empty() && !variable("AWS_ACCESS_KEY_ID").empty()) {
    AwsCredentials found{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                         variable("AWS_SESSION_TOKEN")};
    if (found.secret.empty())
      throw UsageError("AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not", "set both");
    return found;
  }
  const std::string file = file_of("AWS_SHARED_CREDENTIALS_FILE", "credentials");
  const std::string name = profile_name(profile);
  const std::optional<tree::ptree> section = section_of(file, name);
  const std::string remedy = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name one with --profile";
  if (!section) throw UsageError(fmt::format("no credentials: {} has no profile '{}'", file, name), remedy);
  AwsCredentials found{section->get("aws_access_key_id", ""), section->get("aws_secret_access_key", ""),
                       section->get("aws_session_token", "")};
  if (found.key_id.empty() || found.secret.empty())
    throw UsageError(fmt::format("no credentials: profile '{}' of {} has no key", name, file),
                     "write aws_access_key_id and aws_secret_access_key there");
  return found;
}

std::string find_region(const std::string& given, const std::string& profile) {
  std::string region = given;
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
    if (region.empty()) region = variable(name);
  if (region.empty()) {
    const std::string name = profile_name(profile);
    const auto section =
        section_of(file_of("AWS_CONFIG_FILE", "config"), name == "default" ? name : "profile " + name);
    if (section) region = section->get("region", "");
  }
  if (region.empty()) throw UsageError("no region is named", "name one with --region, such as eu-west-1");
  if (!is_region(region))
    throw UsageError(fmt::format("'{}' is no region", region), "write it like eu-west-1");
  return region;
}

std::string find_endpoint(const std::string& given, const std::string& service, const std::string& region) {
  std::string url = given.empty() ? variable("AWS_ENDPOINT_URL") : given;
  const std::string suffix = region.starts_with("cn-") ? ".cn" : "";
  if (url.empty()) return fmt::format("https://{}.{}.amazonaws.com{}", service, region, suffix);
  while (url.ends_with('/')) url.pop_back();
  const bool safe = url.starts_with("https://");
  if (!safe && !url.starts_with("http://"))
    throw UsageError(fmt::format("'{}' is no endpoint", url), "write it like https://ec2.example:4566");
  if (url.find_first_of("/?#@", url.find("://") + 3) != std::string::npos)
    throw UsageError("an endpoint has neither a path nor a query nor a user",
                     "write it like https://ec2.example:4566");
  if (!safe && !is_loopback(url))
    throw UsageError(fmt::format("{} is not encrypted, and not of this machine", url), "write https://");
  return url;
}

}  // namespace wavewright
