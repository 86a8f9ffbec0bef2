#include "wavewright/cloud/provision/cloud_error.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace wavewright {

namespace {

struct Known {
  std::string_view code;
  CloudFailure failure;
  std::string_view what;
  std::string_view remedy;
};

constexpr std::string_view check_keys = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile";
constexpr std::string_view check_secret = "check the secret key, and the clock of this machine";
constexpr std::string_view renew = "get new temporary credentials";
constexpr std::string_view ask_rights = "have the account's administrator allow it";
constexpr std::string_view wait = "try again later, with fewer programs at once";
constexpr std::string_view raise = "give other machines back, or ask Amazon for a higher limit";
constexpr std::string_view elsewhere = "try another type, region or subnet, or try later";

using enum CloudFailure;
constexpr std::array known = std::to_array<Known>({
    {"AuthFailure", denied, "the access key is not accepted", check_keys},
    {"InvalidClientTokenId", denied, "the access key is not known", check_keys},
    {"UnrecognizedClientException", denied, "the access key is not known", check_keys},
    {"MissingAuthenticationToken", denied, "the access key is missing", check_keys},
    {"MissingAuthenticationTokenException", denied, "the access key is missing", check_keys},
    {"SignatureDoesNotMatch", denied, "the signature is wrong", check_secret},
    {"InvalidSignatureException", denied, "the signature is wrong", check_secret},
    {"IncompleteSignature", denied, "the signature is wrong", check_secret},
    {"RequestExpired", denied, "the request or its credentials have expired", renew},
    {"ExpiredToken", denied, "the temporary credentials have expired", renew},
    {"ExpiredTokenException", denied, "the temporary credentials have expired", renew},
    {"UnauthorizedOperation", denied, "the credentials do not allow this", ask_rights},
    {"AccessDenied", denied, "the credentials do not allow this", ask_rights},
    {"AccessDeniedException", denied, "the credentials do not allow this", ask_rights},
    {"OptInRequired", denied, "the account is not signed up for this service", ask_rights},
    {"RequestLimitExceeded", throttled, "too many requests at once", wait},
    {"Throttling", throttled, "too many requests at once", wait},
    {"ThrottlingException", throttled, "too many requests at once", wait},
    {"RequestThrottled", throttled, "too many requests at once", wait},
    {"TooManyRequestsException", throttled, "too many requests at once", wait},
    {"InstanceLimitExceeded", refused, "the quota of machines is used up", raise},
    {"VcpuLimitExceeded", refused, "the quota of processors is used up", raise},
    {"MaxSpotInstanceCountExceeded", refused, "the quota of spot machines is used up", raise},
    {"SpotMaxPriceTooLow", refused, "the bid is below the spot price", "bid more with --bid"},
    {"InsufficientInstanceCapacity", refused, "the cloud has no such machines left", elsewhere},
    {"InsufficientCapacity", refused, "the cloud has no such machines left", elsewhere},
    {"Unsupported", refused, "this region does not have what is asked for", elsewhere},
    {"InvalidInstanceType", refused, "there is no such type of machine in this region", elsewhere},
    {"InvalidAMIID.NotFound", refused, "there is no such image in this region", "name another with --image"},
    {"InvalidAMIID.Malformed", refused, "this is no image", "write --image like ami-0123456789abcdef0"},
});

// One line of at most 200 characters.
std::string shortened(const std::string& message) {
  constexpr std::size_t longest = 200;
  std::string text = message.substr(0, longest);
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  while (text.ends_with('.') || text.ends_with(' ')) text.pop_back();
  return message.size() > longest ? text + "…" : text;
}

}  // namespace

CloudError cloud_error(const std::string& endpoint, int status, const std::string& code,
                       const std::string& message) {
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const Known& each) { return each.code == code; });
  const std::string tail = message.empty() ? "" : ": " + shortened(message);
  if (found != known.end()) {
    const bool secret = found->failure == denied;
    return {found->failure,
            {endpoint},
            fmt::format("{} ({}{})", found->what, code, secret ? "" : tail),
            std::string(found->remedy)};
  }
  constexpr int too_many = 429, server_error = 500;
  if (status == too_many) return {throttled, {endpoint}, "too many requests at once", std::string(wait)};
  const std::string told = code.empty() ? fmt::format("HTTP status {}", status) : shortened(code) + tail;
  if (status >= server_error || code.empty())
    return {unsure, {endpoint}, "the cloud failed (" + told + ")", "it is asked again at the next try"};
  return {refused, {endpoint}, "refused (" + told + ")", "look up what it means, and ask otherwise"};
}

}  // namespace wavewright
