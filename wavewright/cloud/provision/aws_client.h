// Signed requests to one of Amazon's services, sent again where that is safe.
//
// libcurl signs (core/http.h). Requests are POST with a body and without a query, which libcurl 7.88 signs
// rightly. A throttled request is sent again after a pause drawn from [0, min(20 s, 0.5 s · 2ⁿ)] (full
// jitter); so is one without an answer, if it is `repeatable`.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/cloud/provision/aws_credentials.h"
#include "wavewright/core/http.h"
#include "wavewright/core/random.h"
#include "wavewright/core/time.h"

namespace wavewright {

struct AwsPlace {
  std::string service;   // `ec2`
  std::string region;    // `eu-west-1`
  std::string endpoint;  // `https://ec2.eu-west-1.amazonaws.com`
  std::string ca_file;   // empty = the system's
};

enum class Repeatable : std::uint8_t { no, yes };

class AwsClient {
 public:
  using Pause = std::function<void(Duration)>;
  // `pause` waits; it may throw Interrupted. `seed` is of the pauses.
  AwsClient(AwsPlace place, AwsCredentials credentials, std::uint64_t seed,
            InterruptFlag interrupted = nullptr, Pause pause = {});

  // The Query API: a form; returns XML. Throws CloudError; Interrupted.
  [[nodiscard]] std::string query(const std::vector<std::pair<std::string, std::string>>& form,
                                  Repeatable repeatable);
  // The JSON API: `target` is the operation's full name. Likewise.
  [[nodiscard]] std::string json(const std::string& target, const std::string& body, Repeatable repeatable);

  [[nodiscard]] const AwsPlace& place() const { return place_; }

 private:
  [[nodiscard]] std::string send(HttpRequest request, Repeatable repeatable);
  [[nodiscard]] std::string send_once(const HttpRequest& request);
  [[nodiscard]] HttpRequest signed_request(std::string body, std::string content_type) const;

  AwsPlace place_;
  AwsCredentials credentials_;
  HttpClient http_;
  Random random_;
  Pause pause_;
};

// The pause before the try with that number, from 1, as a part of its upper limit.
[[nodiscard]] Duration backoff(int attempt, double part);

// Percent-encodes all but letters, digits and `-_.~`.
[[nodiscard]] std::string form_text(const std::vector<std::pair<std::string, std::string>>& form);

// Waits, and looks at `interrupted` meanwhile. Throws Interrupted.
void wait_for(Duration time, InterruptFlag interrupted);

}  // namespace wavewright
