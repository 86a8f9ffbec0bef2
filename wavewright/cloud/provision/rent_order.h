// An order: so many machines of one kind, asked for with one client token, and what became of them.
//
//   asked ──► placed ──► closed     the cloud named its machines; all of them have ended
//     └────────────────► closed     it was refused, or given up before a machine came of it
//
// An order in state `asked` is an intent: it is written before the request is sent, so that whoever comes
// after a crash finds it and asks again with the same token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cloud/provision/cloud.h"
#include "wavewright/cluster/lease_bill.h"
#include "wavewright/core/money.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

enum class OrderState : std::uint8_t { asked, placed, closed };
enum class MachineState : std::uint8_t { pending, running, joined, terminating, gone };

[[nodiscard]] std::string_view to_string(OrderState state);
[[nodiscard]] std::string_view to_string(MachineState state);

struct RentedMachine {
  std::string id;
  std::string host;
  MachineState state = MachineState::pending;
  Time launched{};
  Time seen{};             // last time that the cloud named it, and it had not ended
  Time gone{};             // when it was first known to have ended
  bool give_back = false;  // it is to be ended
  std::string reason;      // why it is, or was, given back or lost

  friend bool operator==(const RentedMachine&, const RentedMachine&) = default;
};

struct RentOrder {
  std::string token;
  std::string batch;
  std::string first = {};  // token of the order that it stands in for; empty = for none
  std::string place = {};  // account and region; each is looked at by itself
  LaunchTerms terms;
  std::string group = {};  // `CLUSTER/GROUP` of EMR: the group grows by `count`, and machines stay unnamed
  Count base = 0;          // of a group: how many machines it had without any order
  Count count = 1;
  Money hourly;           // the most that an hour of one machine can cost: the bid, or the price on demand
  Time asked{}, until{};  // the machines are wanted until then
  Duration boot{};        // a machine that is not up so long after it was asked for is given up
  Duration hold{};        // the longest time for which one machine can be billed
  int attempt = 1;        // 2 or more: in place of machines that did not come up
  int attempts = 1;       // at most
  OrderState state = OrderState::asked;
  bool wanted = true;
  int sends = 0;       // requests that were about to be sent
  Time sent{};         // the last of them
  std::string reason;  // why it is no longer wanted
  std::vector<RentedMachine> machines;
  Money cost;  // once closed

  friend bool operator==(const RentOrder&, const RentOrder&) = default;
};

// Price of `time` at `hourly`, at least that of `least_billed`, rounded up to a micro-dollar. Neither may be
// negative.
[[nodiscard]] Money most_cost(Money hourly, Duration time);

// The most that the order costs in all. A machine that has ended counts from its launch until its end was
// noticed, at most `hold`. Every other one, named or not, counts `hold`. A machine that was seen after that
// should have ended itself and did not: it counts until its end was noticed, or until `next_check`.
// O(machines).
[[nodiscard]] Money most_cost(const RentOrder& order, Time next_check);

// That part of it which is spent: machines until they ended, or until now. O(machines).
[[nodiscard]] Money spent(const RentOrder& order, Time now);
[[nodiscard]] Money spent(const RentOrder& order, const RentedMachine& machine, Time now);

// For how long a machine can be billed at most: until it is no longer wanted, the boot before its own clock
// starts, and a margin in which it goes down. Whole minutes.
[[nodiscard]] Duration longest_hold(Duration wanted, Duration boot);

}  // namespace wavewright
