#include "wavewright/energy/plan/energy_plan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"
#include "wavewright/job/objective.h"
#include "wavewright/sched/plan_check.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t largest_plan = std::size_t{1} << 30;

Json json_of(const std::map<std::string, Time>& until) {
  Json json = Json::object();
  for (const auto& [name, time] : until) json[name] = to_ms(time);
  return json;
}

class Reader {
 public:
  explicit Reader(const std::string& source) : source_(source) {}

  [[nodiscard]] EnergyPlan read(const std::string& text) const {
    Json document;
    try {
      document = Json::parse(text);
    } catch (const Json::exception&) {
      refuse("is not JSON");
    }
    if (!document.is_object()) refuse("is not a JSON object");
    if (!document.contains("objective") || document["objective"] != to_string(Objective::energy))
      refuse("is no plan for energy: its 'objective' is not \"energy\"");
    // Fields that a plan may have; the others are of the answer around it.
    static const std::vector<std::string> known = {"objective", "policy",   "order",
                                                   "starts",    "machines", "task_order"};
    for (const auto& [name, value] : document.items()) {
      const auto meant = nearest(name, known);
      if (meant && *meant != name && !name.starts_with("x_"))
        refuse(fmt::format("has '{}'; did you mean '{}'?", name, *meant));
    }
    EnergyPlan plan;
    if (document.contains("policy") && !document["policy"].is_null()) {
      plan.policy = text_of(document["policy"], "policy");
      return plan;
    }
    plan.order = order_of(document);
    if (document.contains("task_order")) plan.task_order = task_order_of(document["task_order"]);
    const std::set<std::string> jobs(plan.order.begin(), plan.order.end());
    std::set<std::string> started;
    for (const Json& entry : list_of(document, "starts")) {
      plan.starts.push_back(starts_of(entry, jobs));
      if (!started.insert(plan.starts.back().id).second)
        refuse("has starts of job '" + plan.starts.back().id + "' twice");
    }
    plan.machines = all_machines_of(document);
    return plan;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({source_}, "the plan " + what,
                     "write it with 'wavewright plan --objective energy --out FILE'");
  }
  [[nodiscard]] std::string text_of(const Json& value, const char* name) const {
    if (!value.is_string()) refuse(fmt::format("has a '{}' that is no text", name));
    return value.get<std::string>();
  }
  // Not negative.
  [[nodiscard]] std::int64_t integer_of(const Json& value, const std::string& name) const {
    constexpr std::int64_t most = to_ms(longest_duration);
    if (value.is_number_integer()) {
      const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= std::uint64_t{most}
                                                   : value.get<std::int64_t>() >= 0;
      if (fits) return value.get<std::int64_t>();
    }
    refuse(fmt::format("has a '{}' that is no whole number from 0 to {}", name, most));
  }
  [[nodiscard]] const Json& at(const Json& object, const char* name) const {
    if (!object.is_object() || !object.contains(name))
      refuse(fmt::format("has no '{}' where one is needed", name));
    return object.at(name);
  }
  [[nodiscard]] std::vector<Json> list_of(const Json& document, const char* name) const {
    if (!document.contains(name)) return {};
    if (!document[name].is_array()) refuse(fmt::format("has '{}' that are no list", name));
    return document[name].get<std::vector<Json>>();
  }
  [[nodiscard]] std::vector<std::string> order_of(const Json& document) const {
    if (!at(document, "order").is_array()) refuse("has an 'order' that is no list of ids");
    std::vector<std::string> order;
    std::set<std::string> seen;
    for (const Json& id : document["order"]) {
      order.push_back(text_of(id, "order"));
      if (!seen.insert(order.back()).second) refuse("names job '" + order.back() + "' twice");
    }
    return order;
  }
  [[nodiscard]] TaskOrder task_order_of(const Json& value) const {
    try {
      return parse_task_order(text_of(value, "task_order"));
    } catch (const UsageError& error) {
      throw InputError({source_}, error.problem(), error.remedy());
    }
  }
  [[nodiscard]] PlannedStarts starts_of(const Json& entry, const std::set<std::string>& jobs) const {
    PlannedStarts starts;
    starts.id = text_of(at(entry, "id"), "id");
    if (!jobs.contains(starts.id))
      refuse("has starts of job '" + starts.id + "', which its order does not name");
    const auto read = [&](const char* kind, std::map<std::string, Time>& until) {
      if (!entry.contains(kind)) return;
      if (!entry[kind].is_object()) refuse(fmt::format("has starts whose '{}' are no object", kind));
      for (const auto& [name, time] : entry[kind].items()) until[name] = at_ms(integer_of(time, name));
    };
    read("maps", starts.maps);
    read("reduces", starts.reduces);
    return starts;
  }
  [[nodiscard]] std::vector<PlannedMachines> all_machines_of(const Json& document) const {
    std::vector<PlannedMachines> all;
    std::set<std::string> classes;
    for (const Json& entry : list_of(document, "machines")) {
      all.push_back(machines_of(entry));
      if (!classes.insert(all.back().node_class).second)
        refuse("has machines of class '" + all.back().node_class + "' twice");
    }
    return all;
  }
  [[nodiscard]] PlannedMachines machines_of(const Json& entry) const {
    PlannedMachines machines;
    machines.node_class = text_of(at(entry, "class"), "class");
    machines.most = integer_of(at(entry, "most"), "most");
    if (entry.contains("keep_ms")) machines.keep = ms(integer_of(entry["keep_ms"], "keep_ms"));
    return machines;
  }

  const std::string& source_;
};

}  // namespace

Json energy_plan_to_json(const EnergyPlan& plan) {
  Json starts = Json::array(), machines = Json::array();
  for (const PlannedStarts& of : plan.starts) {
    Json entry = {{"id", of.id}};
    if (!of.maps.empty()) entry["maps"] = json_of(of.maps);
    if (!of.reduces.empty()) entry["reduces"] = json_of(of.reduces);
    starts.push_back(std::move(entry));
  }
  for (const PlannedMachines& of : plan.machines)
    machines.push_back({{"class", of.node_class}, {"most", of.most}, {"keep_ms", to_ms(of.keep)}});
  return {{"objective", to_string(Objective::energy)},
          {"policy", plan.policy.empty() ? Json(nullptr) : Json(plan.policy)},
          {"order", plan.order},
          {"task_order", to_string(plan.task_order)},
          {"starts", std::move(starts)},
          {"machines", std::move(machines)}};
}

EnergyPlan energy_plan_from_json(const std::string& text, const std::string& source) {
  return Reader(source).read(text);
}

EnergyPlan read_energy_plan(const std::filesystem::path& path) {
  return energy_plan_from_json(read_file(path, largest_plan), path.string());
}

void check_energy_plan(const EnergyPlan& plan, const Workload& workload, const Cluster& cluster,
                       const std::string& source) {
  if (!plan.policy.empty()) return;
  Plan ordered;
  ordered.order = plan.order;
  check_plan(ordered, workload, {}, source);
  std::vector<std::string> classes;
  classes.reserve(cluster.nodes.size());
  for (const NodeGroup& group : cluster.nodes) classes.push_back(group.node_class);
  const auto require_class = [&](const std::string& name) {
    if (std::find(classes.begin(), classes.end(), name) == classes.end())
      throw InputError({source}, "the plan names node class '" + name + "', which the cluster has not",
                       suggestion(name, classes));
  };
  for (const PlannedStarts& of : plan.starts) {
    for (const auto* const until : {&of.maps, &of.reduces})
      for (const auto& [name, time] : *until) require_class(name);
  }
  for (const PlannedMachines& of : plan.machines) {
    require_class(of.node_class);
    Count there = 0;
    for (const NodeGroup& group : cluster.nodes)
      there += group.rent && group.node_class == of.node_class ? group.count : 0;
    if (of.most <= there) continue;
    throw InputError({source},
                     fmt::format("the plan has {} machines of class '{}' on, and {} are for rent", of.most,
                                 of.node_class, there),
                     "make the plan for this cluster");
  }
}

bool holds_energy_plan(const std::filesystem::path& path) {
  if (path == "-") return false;
  const Json document = Json::parse(read_file(path, largest_plan), nullptr, false);
  return document.is_object() && document.contains("objective") &&
         document["objective"] == to_string(Objective::energy);
}

}  // namespace wavewright
