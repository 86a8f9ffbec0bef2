#include "apps/commands/machines_cloud.h"

#include <random>

#include <fmt/format.h>

#include "wavewright/cloud/provision/aws_account.h"
#include "wavewright/cloud/provision/rent_token.h"
#include "wavewright/core/when.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright::app {

void CloudOptions::declare(CLI::App& command) {
  command.add_option("--region", region, "region of the cloud (default: AWS_REGION, or that of the profile)")
      ->type_name("REGION");
  command
      .add_option("--profile", profile,
                  "profile of ~/.aws/credentials (default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)")
      ->type_name("NAME");
  command
      .add_option("--endpoint", endpoint,
                  "another server of these APIs (default: AWS_ENDPOINT_URL, or Amazon's)")
      ->type_name("URL");
  command.add_option("--ca-file", ca_file, "certificates to trust besides the system's")->type_name("FILE");
  command
      .add_option("--resource-manager", resource_manager,
                  "a machine is up when it is a node of this YARN (default: when it runs)")
      ->type_name("ADDRESS");
}

std::string CloudPlace::text() const {
  return endpoint.empty() ? account + " " + region : account + " " + region + " " + endpoint;
}

CloudPlace CloudPlace::of(const std::string& text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = std::min(text.find(' ', first + 1), text.size());
  return {text.substr(0, first), text.substr(first + 1, second - first - 1),
          text.substr(std::min(second + 1, text.size()))};
}

std::set<std::string> running_hosts(const std::string& resource_manager, const std::string& ca_file) {
  constexpr int port = 8088;
  const WebServer server(server_urls(resource_manager, port), ca_file);
  const Json nodes = Json::parse(fetch_json(server, "/ws/v1/cluster/nodes?states=RUNNING"), nullptr, false);
  std::set<std::string> hosts;
  const Json none = Json::object();
  const Json& list =
      nodes.is_object() && nodes.contains("nodes") && nodes["nodes"].is_object() ? nodes["nodes"] : none;
  if (list.contains("node") && list["node"].is_array())
    for (const Json& node : list["node"])
      if (node.contains("nodeHostName") && node["nodeHostName"].is_string())
        hosts.insert(node["nodeHostName"]);
  return hosts;
}

AwsClient MachinesCloud::client(const Context& context, const CloudOptions& options,
                                const char* service) const {
  return {{service, place_.region, find_endpoint(options.endpoint, service, place_.region), options.ca_file},
          credentials_,
          std::random_device{}(),
          &context.interrupted};
}

MachinesCloud::MachinesCloud(const Context& context, const CloudOptions& options, RentLedger& ledger)
    : credentials_(find_credentials(options.profile)) {
  place_.region = find_region(options.region, options.profile);
  const std::string own = find_endpoint(options.endpoint, "ec2", place_.region);
  if (own.find(".amazonaws.com") == std::string::npos) place_.endpoint = own;
  AwsClient sts = client(context, options, "sts");
  place_.account = aws_account(sts);
  ec2_client_ = std::make_unique<AwsClient>(client(context, options, "ec2"));
  emr_client_ = std::make_unique<AwsClient>(client(context, options, "elasticmapreduce"));
  ec2_ = std::make_unique<Ec2>(*ec2_client_);
  emr_ = std::make_unique<Emr>(*emr_client_);
  Reconciler::Outside outside{.now = now_instant, .token = rent_token};
  if (!options.resource_manager.empty())
    outside.joined = [options] { return running_hosts(options.resource_manager, options.ca_file); };
  reconciler_ = std::make_unique<Reconciler>(ledger, *ec2_, RentRules{.place = place_.text()}, outside);
  keeper_ = std::make_unique<GroupKeeper>(ledger, *emr_, place_.text(), now_instant);
}

StepReport MachinesCloud::step() {
  StepReport report = reconciler_->step();
  const StepReport groups = keeper_->step();
  report.machines += groups.machines;
  report.missing += groups.missing;
  report.leaving += groups.leaving;
  report.notes.insert(report.notes.end(), groups.notes.begin(), groups.notes.end());
  report.refused.insert(report.refused.end(), groups.refused.begin(), groups.refused.end());
  return report;
}

}  // namespace wavewright::app
