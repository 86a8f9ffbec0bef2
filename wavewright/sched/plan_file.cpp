#include "wavewright/sched/plan_file.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t largest_plan = std::size_t{1} << 30;

// Reads fields by name. Errors name the field.
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
  // Calls `read` for each object of the list.
  void each(const char* name, const std::function<void(const Fields&)>& read) const {
    if (!has(name)) return;
    if (!at(name).is_array()) refuse(std::string("has '") + name + "' that are no list");
    std::size_t number = 0;
    for (const Json& entry : at(name))
      read(Fields(entry, fmt::format("entry {} of '{}'", ++number, name), source_));
  }
  [[nodiscard]] std::string id() const {
    if (!at("id").is_string()) refuse("has an 'id' that is no text");
    return at("id").get<std::string>();
  }
  // 1 or more.
  [[nodiscard]] Count positive(const char* name) const {
    const Count value = integer(name);
    if (value == 0) refuse(std::string("has a '") + name + "' of 0");
    return value;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({source_}, where_ + " " + what, "write plans with 'wavewright plan --out FILE'");
  }

 private:
  const Json& object_;
  std::string where_;
  const std::string& source_;
};

Json json_of(const std::vector<PlanTurn>& turns) {
  Json list = Json::array();
  for (const PlanTurn& turn : turns) list.push_back({{"id", turn.id}, {"tasks", turn.tasks}});
  return list;
}

Json json_of(const std::vector<PlanCap>& caps) {
  Json list = Json::array();
  for (const PlanCap& cap : caps) {
    Json entry = {{"id", cap.id}};
    if (cap.maps) entry["maps"] = *cap.maps;
    if (cap.reduces) entry["reduces"] = *cap.reduces;
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<PlanTurn> turns_of(const Fields& fields, const char* name) {
  std::vector<PlanTurn> turns;
  fields.each(name, [&](const Fields& entry) { turns.push_back({entry.id(), entry.positive("tasks")}); });
  return turns;
}

std::vector<PlanCap> caps_of(const Fields& fields) {
  std::vector<PlanCap> caps;
  fields.each("caps", [&](const Fields& entry) {
    PlanCap& cap = caps.emplace_back();
    cap.id = entry.id();
    if (entry.has("maps")) cap.maps = entry.positive("maps");
    if (entry.has("reduces")) cap.reduces = entry.positive("reduces");
  });
  return caps;
}

TaskOrder task_order_of(const Fields& fields, const std::string& source) {
  if (!fields.at("task_order").is_string()) fields.refuse("has a 'task_order' that is no text");
  try {
    return parse_task_order(fields.at("task_order").get<std::string>());
  } catch (const UsageError& error) {
    throw InputError({source}, error.problem(), error.remedy());
  }
}

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
      {"task_order", to_string(plan.task_order)},
      {"makespan_ms", to_ms(plan.makespan)},
      {"total_completion_ms", to_ms(plan.total_completion)},
      {"lower_bound_ms", to_ms(plan.lower_bound)},
      {"lower_bound_model", plan.lower_bound == plan.order_free_bound ? "any-task-order" : "this-task-order"},
      {"order_free_bound_ms", to_ms(plan.order_free_bound)},
      {"gap", std::isfinite(plan.gap()) ? Json(plan.gap()) : Json(nullptr)},
      {"proved_optimal", plan.proved_optimal},
      {"evaluated", plan.evaluated},
      {"seconds", plan.seconds},
      {"seed", plan.seed},
  };
  if (!plan.map_order.empty()) document["map_order"] = plan.map_order;
  if (!plan.reduce_order.empty()) document["reduce_order"] = plan.reduce_order;
  if (!plan.map_turns.empty()) document["map_turns"] = json_of(plan.map_turns);
  if (!plan.reduce_turns.empty()) document["reduce_turns"] = json_of(plan.reduce_turns);
  if (!plan.caps.empty()) document["caps"] = json_of(plan.caps);
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
  if (fields.has("late_at_most") && !fields.has("order"))
    throw InputError({source}, "it says which machines to rent, and has no order of jobs",
                     "simulate its `spec` with --policy");
  if (fields.has("objective") && fields.at("objective") == to_string(Objective::energy))
    throw InputError({source}, "it is a plan for energy, which says where tasks start",
                     "simulate it with --plan, or with --policy 'energy-plan(FILE)'");
  static const std::vector<std::string> known = {
      "order", "pools", "map_order", "reduce_order", "objective", "method", "makespan_ms",
      "total_completion_ms", "task_order", "lower_bound_ms", "lower_bound_model", "order_free_bound_ms",
      "gap", "proved_optimal", "evaluated", "seconds", "seed", "partial", "compared", "limits", "deadline",
      "risk", "best_single_order", "robust", "users", "map_turns", "reduce_turns", "caps",
      // of `plan --objective tardiness`
      "value", "lower_bound", "weighted", "total_tardiness_ms", "tardy_jobs", "jobs", "jobs_with_deadline"};
  for (const auto& [name, value] : document.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end() || name.starts_with("x_")) continue;
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
  plan.map_turns = turns_of(fields, "map_turns");
  plan.reduce_turns = turns_of(fields, "reduce_turns");
  plan.caps = caps_of(fields);
  // The order with the least tardiness is a plan like any other; its values are not those of a search.
  const bool due = fields.has("objective") && fields.at("objective") == to_string(Objective::total_tardiness);
  if (fields.has("objective") && fields.at("objective").is_string() && !due) {
    try {
      plan.objective = parse_objective(fields.at("objective").get<std::string>());
    } catch (const UsageError& error) {
      throw InputError({source}, error.problem(), error.remedy());
    }
  }
  if (fields.has("task_order")) plan.task_order = task_order_of(fields, source);
  if (fields.has("method") && fields.at("method").is_string())
    plan.method = fields.at("method").get<std::string>();
  // A plan written by hand may leave out its values.
  if (fields.has("makespan_ms")) plan.makespan = ms(fields.integer("makespan_ms"));
  if (fields.has("total_completion_ms")) plan.total_completion = ms(fields.integer("total_completion_ms"));
  if (fields.has("lower_bound_ms")) plan.lower_bound = ms(fields.integer("lower_bound_ms"));
  if (fields.has("order_free_bound_ms")) plan.order_free_bound = ms(fields.integer("order_free_bound_ms"));
  return plan;
}

Plan read_plan(const std::filesystem::path& path) {
  if (path == "-") throw UsageError("a plan is read from a file", "name /dev/stdin for standard input");
  return plan_from_json(read_file(path, largest_plan), path.string());
}

void write_plan_document(const std::filesystem::path& path, const Json& document) {
  write_file(path, [&](std::ostream& out) {
    out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

}  // namespace wavewright
