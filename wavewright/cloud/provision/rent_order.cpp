#include "wavewright/cloud/provision/rent_order.h"

#include <algorithm>
#include <array>

namespace wavewright {

std::string_view to_string(OrderState state) {
  constexpr std::array<std::string_view, 3> words = {"asked", "placed", "closed"};
  return words.at(static_cast<std::size_t>(state));
}

std::string_view to_string(MachineState state) {
  constexpr std::array<std::string_view, 5> words = {"pending", "running", "joined", "terminating", "gone"};
  return words.at(static_cast<std::size_t>(state));
}

Money most_cost(Money hourly, Duration time) {
  __extension__ using Wide = __int128;
  constexpr std::int64_t ms_per_hour = 3'600'000;
  const std::int64_t billed = to_ms(std::max(time, least_billed));
  return {static_cast<std::int64_t>((Wide{hourly.micro_usd} * billed + ms_per_hour - 1) / ms_per_hour)};
}

namespace {

// From its launch to the instant, in which the clock of the cloud may be ahead of ours. A machine ends itself
// within `hold`, however late that is noticed, unless it was seen after that.
Duration used(const RentOrder& order, const RentedMachine& machine, Time until) {
  const Duration noticed = std::max(until - machine.launched, Duration{});
  const bool overdue = machine.seen - machine.launched > order.hold;
  return overdue ? noticed : std::min(noticed, order.hold);
}

}  // namespace

Money most_cost(const RentOrder& order, Time next_check) {
  if (order.state == OrderState::closed) return order.cost;
  Money sum;
  for (const RentedMachine& machine : order.machines) {
    const bool ended = machine.state == MachineState::gone;
    sum += most_cost(order.hourly, ended ? used(order, machine, machine.gone)
                                         : std::max(order.hold, used(order, machine, next_check)));
  }
  const Duration unnamed = order.group.empty() ? order.hold : std::max(order.hold, next_check - order.asked);
  for (Count i = std::ssize(order.machines); i < order.count; ++i) sum += most_cost(order.hourly, unnamed);
  return sum;
}

Money spent(const RentOrder& order, const RentedMachine& machine, Time now) {
  const Time end = machine.state == MachineState::gone ? machine.gone : now;
  return most_cost(order.hourly, used(order, machine, end));
}

Money spent(const RentOrder& order, Time now) {
  if (order.state == OrderState::closed) return order.cost;
  Money sum;
  for (const RentedMachine& machine : order.machines) sum += spent(order, machine, now);
  if (!order.group.empty() && order.sends > 0)
    for (Count i = 0; i < order.count; ++i) sum += most_cost(order.hourly, now - order.asked);
  return sum;
}

Duration longest_hold(Duration wanted, Duration boot) {
  constexpr Duration minute = ms(60'000);
  constexpr Duration goes_down = 2 * minute;
  const Duration whole = wanted + boot + goes_down;
  return (whole + minute - ms(1)) / minute * minute;
}

}  // namespace wavewright
