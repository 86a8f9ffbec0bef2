// The cloud that `wavewright machines` asks: clients of one account and region, and the steps on its
// machines.
#pragma once

#include <memory>
#include <string>

#include <CLI/App.hpp>

#include "apps/context.h"
#include "wavewright/cloud/provision/ec2.h"
#include "wavewright/cloud/provision/group_keeper.h"
#include "wavewright/cloud/provision/reconciler.h"

namespace wavewright::app {

struct CloudOptions {
  std::string region = {}, profile = {}, endpoint = {}, ca_file = {}, resource_manager = {};

  void declare(CLI::App& command);
};

// `ACCOUNT REGION`, with the endpoint where one is given: what an order is bound to.
struct CloudPlace {
  std::string account, region, endpoint;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static CloudPlace of(const std::string& text);
};

class MachinesCloud {
 public:
  // Asks the cloud whose the credentials are. Throws CloudError, UsageError.
  MachinesCloud(const Context& context, const CloudOptions& options, RentLedger& ledger);

  [[nodiscard]] const CloudPlace& place() const { return place_; }
  [[nodiscard]] StepReport step();
  void prepare(RentOrder& order) { keeper_->prepare(order); }
  [[nodiscard]] std::optional<Money> spot_price(const std::string& type, Time now) {
    return ec2_->spot_price(type, now);
  }

 private:
  [[nodiscard]] AwsClient client(const Context& context, const CloudOptions& options,
                                 const char* service) const;

  AwsCredentials credentials_;
  CloudPlace place_;
  std::unique_ptr<AwsClient> ec2_client_, emr_client_;
  std::unique_ptr<Ec2> ec2_;
  std::unique_ptr<Emr> emr_;
  std::unique_ptr<Reconciler> reconciler_;
  std::unique_ptr<GroupKeeper> keeper_;
};

// Hosts of the nodes that run under the ResourceManager. Throws ExternalError.
[[nodiscard]] std::set<std::string> running_hosts(const std::string& resource_manager,
                                                  const std::string& ca_file);

}  // namespace wavewright::app
