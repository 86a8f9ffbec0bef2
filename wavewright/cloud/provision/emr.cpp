#include "wavewright/cloud/provision/emr.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/cloud/provision/cloud.h"

namespace wavewright {

namespace {

using Json = nlohmann::json;

std::pair<std::string, std::string> parts_of(const std::string& group) {
  const std::size_t slash = group.find('/');
  return {group.substr(0, slash), slash == std::string::npos ? "" : group.substr(slash + 1)};
}

Json answer_of(const std::string& text, const std::string& endpoint) {
  const Json answer = Json::parse(text, nullptr, false);
  if (!answer.is_object())
    throw CloudError(CloudFailure::unsure, {endpoint}, "the answer is not one of EMR", "check --endpoint");
  return answer;
}

}  // namespace

GroupSize Emr::size(const std::string& group) {
  const auto [cluster, id] = parts_of(group);
  Json ask = {{"ClusterId", cluster}};
  for (;;) {
    const Json answer =
        answer_of(client_.json("ElasticMapReduce.ListInstanceGroups", ask.dump(), Repeatable::yes),
                  client_.place().endpoint);
    for (const Json& each : answer.value("InstanceGroups", Json::array())) {
      if (each.value("Id", "") != id) continue;
      return {each.value("RequestedInstanceCount", Count{0}), each.value("RunningInstanceCount", Count{0}),
              each.value("InstanceGroupType", "") == "TASK",
              each.value("Status", Json::object()).value("State", "")};
    }
    const std::string marker = answer.value("Marker", "");
    if (marker.empty()) break;
    ask["Marker"] = marker;
  }
  throw CloudError(CloudFailure::refused, {client_.place().endpoint},
                   fmt::format("cluster '{}' has no instance group '{}'", cluster, id),
                   "list them with 'aws emr list-instance-groups'");
}

void Emr::resize(const std::string& group, Count machines) {
  const auto [cluster, id] = parts_of(group);
  const Json ask = {
      {"ClusterId", cluster},
      {"InstanceGroups", Json::array({{{"InstanceGroupId", id}, {"InstanceCount", machines}}})}};
  (void)client_.json("ElasticMapReduce.ModifyInstanceGroups", ask.dump(), Repeatable::yes);
}

}  // namespace wavewright
