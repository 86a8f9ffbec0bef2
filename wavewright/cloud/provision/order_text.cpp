#include "wavewright/cloud/provision/order_text.h"

#include <array>

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

using Json = nlohmann::json;

template <class State, std::size_t count>
State state_of(const std::string& word) {
  for (std::size_t i = 0; i < count; ++i)
    if (to_string(static_cast<State>(i)) == word) return static_cast<State>(i);
  throw std::runtime_error("unknown state");
}

Json to_json(const LaunchTerms& terms) {
  return {{"type", terms.type},
          {"image", terms.image},
          {"subnet", terms.subnet},
          {"key_name", terms.key_name},
          {"user_data", terms.user_data},
          {"bid_micro_usd", terms.bid ? Json(terms.bid->micro_usd) : Json(nullptr)}};
}

LaunchTerms terms_of(const Json& json) {
  LaunchTerms terms{json.at("type"),     json.at("image"),     json.at("subnet"),
                    json.at("key_name"), json.at("user_data"), std::nullopt};
  if (!json.at("bid_micro_usd").is_null()) terms.bid = Money{json.at("bid_micro_usd")};
  return terms;
}

Json to_json(const RentedMachine& machine) {
  return {{"id", machine.id},
          {"host", machine.host},
          {"state", to_string(machine.state)},
          {"launched_ms", to_ms(machine.launched)},
          {"seen_ms", to_ms(machine.seen)},
          {"gone_ms", to_ms(machine.gone)},
          {"give_back", machine.give_back},
          {"reason", machine.reason}};
}

RentedMachine machine_of(const Json& json) {
  constexpr std::size_t states = 5;
  return {json.at("id"),
          json.at("host"),
          state_of<MachineState, states>(json.at("state")),
          at_ms(json.at("launched_ms")),
          at_ms(json.at("seen_ms")),
          at_ms(json.at("gone_ms")),
          json.at("give_back"),
          json.at("reason")};
}

RentOrder order_of(const Json& json) {
  constexpr std::size_t states = 3;
  RentOrder order;
  order.token = json.at("token");
  order.batch = json.at("batch");
  order.first = json.at("first");
  order.place = json.at("place");
  order.terms = terms_of(json.at("terms"));
  order.group = json.at("group");
  order.base = json.at("base");
  order.count = json.at("count");
  order.hourly = Money{json.at("hourly_micro_usd")};
  order.asked = at_ms(json.at("asked_ms"));
  order.until = at_ms(json.at("until_ms"));
  order.boot = ms(json.at("boot_ms"));
  order.hold = ms(json.at("hold_ms"));
  order.attempt = json.at("attempt");
  order.attempts = json.at("attempts");
  order.state = state_of<OrderState, states>(json.at("state"));
  order.wanted = json.at("wanted");
  order.sends = json.at("sends");
  order.sent = at_ms(json.at("sent_ms"));
  order.reason = json.at("reason");
  order.cost = Money{json.at("cost_micro_usd")};
  for (const Json& machine : json.at("machines")) order.machines.push_back(machine_of(machine));
  return order;
}

}  // namespace

std::string order_text(const RentOrder& order) {
  Json machines = Json::array();
  for (const RentedMachine& machine : order.machines) machines.push_back(to_json(machine));
  return Json{{"token", order.token},
              {"batch", order.batch},
              {"first", order.first},
              {"place", order.place},
              {"terms", to_json(order.terms)},
              {"group", order.group},
              {"base", order.base},
              {"count", order.count},
              {"hourly_micro_usd", order.hourly.micro_usd},
              {"asked_ms", to_ms(order.asked)},
              {"until_ms", to_ms(order.until)},
              {"boot_ms", to_ms(order.boot)},
              {"hold_ms", to_ms(order.hold)},
              {"attempt", order.attempt},
              {"attempts", order.attempts},
              {"state", to_string(order.state)},
              {"wanted", order.wanted},
              {"sends", order.sends},
              {"sent_ms", to_ms(order.sent)},
              {"reason", order.reason},
              {"cost_micro_usd", order.cost.micro_usd},
              {"machines", machines}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

RentOrder parse_order(const std::string& text, const std::string& store) {
  try {
    return order_of(Json::parse(text));
  } catch (const std::exception&) {
    throw InputError({store}, "an order for machines is damaged",
                     "look at the machines with the cloud's own tools, by their tag wavewright:ledger");
  }
}

}  // namespace wavewright
