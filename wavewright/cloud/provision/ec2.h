// Amazon EC2 through its Query API, version 2016-11-15.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cloud/provision/aws_client.h"
#include "wavewright/cloud/provision/cloud.h"

namespace wavewright {

class Ec2 : public Cloud {
 public:
  // The client must outlive it.
  explicit Ec2(AwsClient& client) : client_(client) {}

  // RunInstances with a client token. Each machine and its volumes carry the tags `wavewright:ledger`,
  // `wavewright:batch` and `wavewright:lease` (the token). It ends when it is shut down, which it does itself
  // after `lifetime` (user_data.h).
  [[nodiscard]] std::vector<Instance> launch(const LaunchRequest& request) override;
  // DescribeInstances by tag, all pages.
  [[nodiscard]] std::vector<Instance> instances(const std::string& ledger) override;
  void terminate(const std::vector<std::string>& ids) override;

  // DescribeSpotPriceHistory: the lowest price of an hour now, over all zones of the region. None if the
  // region has no spot market for the type. Throws CloudError.
  [[nodiscard]] std::optional<Money> spot_price(const std::string& type, Time now);

 private:
  AwsClient& client_;
};

// The form that `launch` sends.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> launch_form(const LaunchRequest& request);

// One page of RunInstances or DescribeInstances; `next` gets the token of the page behind it. Throws
// CloudError with `unsure` if it is none.
[[nodiscard]] std::vector<Instance> parse_instances(std::string_view xml, const std::string& endpoint,
                                                    std::string& next);

}  // namespace wavewright
