#include "wavewright/sched/plan_file.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t largest_plan = std::size_t{1} << 30;

// Reads fields by name and says which one is wrong.
class Fields {
 public:
  Fields(const Json& object, std::string where, const std::string& source)
      : object_(object), where_(std::move(where)), source_(source) {
    if (!object.is_object()) refuse("is not a JSON object");
  }

  [[nodiscard]] bool has(const char* name) const { return object_.contains(name); }
  [[nodiscard]] const Json& at(const char* name) const {
    if (!has(name)) refuse(std::string("has no '") + name + "'");
    return object_.at(name);
  }
  [[nodiscard]] std::int64_t integer(const char* name) const {
    const Json& value = at(name);
    if (!value.is_number_integer()) refuse(std::string("has a '") + name + "' that is no integer");
    const auto number = value.get<std::int64_t>();
    const bool overflows =
        value.is_number_unsigned() && value.get<std::uint64_t>() > (std::uint64_t{1} << 62);
    if (number < 0 || overflows) refuse(std::string("has a '") + name + "' that is negative or too large");
    return number;
  }
  [[nodiscard]] std::vector<std::string> ids(const char* name) const {
    const Json& value = at(name);
    if (!value.is_array()) refuse(std::string("has a '") + name + "' that is no list of ids");
    std::vector<std::string> ids;
    for (const Json& id : value) {
      if (!id.is_string()) refuse(std::string("has a '") + name + "' with an entry that is no id");
      ids.push_back(id.get<std::string>());
    }
    return ids;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({source_}, where_ + " " + what, "write plans with 'wavewright plan --out FILE'");
  }

 private:
  const Json& object_;
  std::string where_;
  const std::string& source_;
};

}  // namespace

Json plan_to_json(const Plan& plan) {
  Json pools = Json::array();
  for (const PlanPool& pool : plan.pools) {
    pools.push_back({{"map_slots", pool.slots.map_slots},
                     {"reduce_slots", pool.slots.reduce_slots},
                     {"jobs", pool.jobs}});
  }
  Json document = {
      {"objective", to_string(plan.objective)},
      {"method", plan.method},
      {"order", plan.order},
      {"pools", std::move(pools)},
      {"makespan_ms", to_ms(plan.makespan)},
      {"total_completion_ms", to_ms(plan.total_completion)},
      {"lower_bound_ms", to_ms(plan.lower_bound)},
      {"gap", std::isfinite(plan.gap()) ? Json(plan.gap()) : Json(nullptr)},
      {"proved_optimal", plan.proved_optimal},
      {"evaluated", plan.evaluated},
      {"seconds", plan.seconds},
      {"seed", plan.seed},
  };
  if (!plan.map_order.empty()) document["map_order"] = plan.map_order;
  if (!plan.reduce_order.empty()) document["reduce_order"] = plan.reduce_order;
  if (plan.best_single_order) document["best_single_order"] = true;
  if (plan.partial) document["partial"] = true;
  return document;
}

Plan plan_from_json(const std::string& text, const std::string& source) {
  Json document;
  try {
    document = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw InputError({source, 0, static_cast<std::int64_t>(error.byte)}, "not JSON",
                     "write plans with 'wavewright plan --out FILE'");
  } catch (const Json::out_of_range&) {  // such as 1e999
    throw InputError({source}, "a number in it is too large",
                     "write plans with 'wavewright plan --out FILE'");
  }
  const Fields fields(document, "the plan", source);
  static const std::vector<std::string> known = {
      "order",          "pools",    "map_order",      "reduce_order",
      "objective",      "method",   "makespan_ms",    "total_completion_ms",
      "lower_bound_ms", "gap",      "proved_optimal", "evaluated",
      "seconds",        "seed",     "partial",        "compared",
      "limits",         "deadline", "risk",           "best_single_order",
      "robust",         "users"};
  for (const auto& [name, value] : document.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end() || name.starts_with("x_")) continue;
    if (name == "caps") fields.refuse("has 'caps', which nothing here enforces yet");
    if (const auto meant = nearest(name, known))
      fields.refuse("has '" + name + "'; did you mean '" + *meant + "'?");
  }
  Plan plan;
  plan.order = fields.ids("order");
  if (fields.has("pools")) {
    if (!fields.at("pools").is_array()) fields.refuse("has 'pools' that are no list");
    for (const Json& entry : fields.at("pools")) {
      const Fields pool(entry, "pool " + std::to_string(plan.pools.size() + 1), source);
      plan.pools.push_back({{pool.integer("map_slots"), pool.integer("reduce_slots")}, pool.ids("jobs")});
    }
  }
  if (fields.has("map_order")) plan.map_order = fields.ids("map_order");
  if (fields.has("reduce_order")) plan.reduce_order = fields.ids("reduce_order");
  if (fields.has("objective") && fields.at("objective").is_string()) {
    try {
      plan.objective = parse_objective(fields.at("objective").get<std::string>());
    } catch (const UsageError& error) {
      throw InputError({source}, error.problem(), error.remedy());
    }
  }
  if (fields.has("method") && fields.at("method").is_string())
    plan.method = fields.at("method").get<std::string>();
  // A plan written by hand need not say what it is worth.
  if (fields.has("makespan_ms")) plan.makespan = ms(fields.integer("makespan_ms"));
  if (fields.has("total_completion_ms")) plan.total_completion = ms(fields.integer("total_completion_ms"));
  if (fields.has("lower_bound_ms")) plan.lower_bound = ms(fields.integer("lower_bound_ms"));
  return plan;
}

Plan read_plan(const std::filesystem::path& path) {
  return plan_from_json(read_file(path, largest_plan), path.string());
}

void write_plan_document(const std::filesystem::path& path, const Json& document) {
  write_file(path, [&](std::ostream& out) {
    out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

void check_plan(const Plan& plan, const Workload& workload, SlotPool pool, const std::string& source) {
  const auto refuse = [&](const std::string& what) {
    throw InputError({source}, what, "make the plan from this workload and for this pool");
  };
  std::unordered_map<std::string, std::size_t> known;
  for (const Job& job : workload.jobs) known.emplace(job.id, 0);
  std::size_t round = 0;
  const auto check_ids = [&](const std::vector<std::string>& ids, const std::string& what) {
    ++round;
    for (const std::string& id : ids) {
      const auto found = known.find(id);
      if (found == known.end()) refuse(what + " names job '" + id + "', which the workload has not");
      if (found->second == round) refuse(what + " names job '" + id + "' twice");
      found->second = round;
    }
    for (const auto& [id, seen] : known) {
      if (seen != round) refuse(what + " does not name job '" + id + "'");
    }
  };
  check_ids(plan.order, "the plan's order");
  if (!plan.map_order.empty()) check_ids(plan.map_order, "the plan's map order");
  if (!plan.reduce_order.empty()) check_ids(plan.reduce_order, "the plan's reduce order");
  if (plan.pools.empty()) return;
  std::vector<std::string> joined;
  SlotPool total;
  for (const PlanPool& part : plan.pools) {
    joined.insert(joined.end(), part.jobs.begin(), part.jobs.end());
    if (part.slots.map_slots > pool.map_slots || part.slots.reduce_slots > pool.reduce_slots) {
      refuse("a pool of the plan is larger than the whole");
    }
    total.map_slots += part.slots.map_slots;
    total.reduce_slots += part.slots.reduce_slots;
  }
  check_ids(joined, "the plan's list of pools");
  if (total.map_slots > pool.map_slots || total.reduce_slots > pool.reduce_slots) {
    refuse("the plan's pools need " + std::to_string(total.map_slots) + " map and " +
           std::to_string(total.reduce_slots) + " reduce slots, more than there are");
  }
}

}  // namespace wavewright
