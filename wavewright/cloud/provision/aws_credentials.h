// Credentials and region, found where Amazon's own tools look for them.
//
// They are values to pass on, never to show: nothing here puts a secret or a session token into a message.
#pragma once

#include <string>

namespace wavewright {

struct AwsCredentials {
  std::string key_id, secret;
  std::string session_token;  // of temporary credentials; empty = none
};

// With a profile: from the file of shared credentials. Without one: from AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; else of AWS_PROFILE, or the profile `default`. The file is
// AWS_SHARED_CREDENTIALS_FILE, else `~/.aws/credentials`. Throws UsageError if there are none, InputError if
// the file is damaged; neither shows what the file holds.
[[nodiscard]] AwsCredentials find_credentials(const std::string& profile);

// `given`; else AWS_REGION, AWS_DEFAULT_REGION, or that of the profile in AWS_CONFIG_FILE, else
// `~/.aws/config`. Throws UsageError if there is none, or if it cannot be the name of a region.
[[nodiscard]] std::string find_region(const std::string& given, const std::string& profile);

// `given`; else AWS_ENDPOINT_URL; else `https://SERVICE.REGION.amazonaws.com`. A URL without a path. Throws
// UsageError for another one, or for `http:` to another machine: the session token would be readable.
[[nodiscard]] std::string find_endpoint(const std::string& given, const std::string& service,
                                        const std::string& region);

}  // namespace wavewright
