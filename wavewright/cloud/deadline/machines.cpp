#include "wavewright/cloud/deadline/machines.h"

#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// The job's last reduce has started.
bool have_read(JobIndex job, const View& view) {
  return view.pending(job, Kind::reduce) == 0 && view.pending(job, Kind::map) == 0 &&
         view.held(job, Kind::map, any_class) == 0;
}

constexpr Duration instant = ms(1), hour = ms(3'600'000), look_interval = ms(60'000);

Count machines_for(Count slots, Count of_machine) {
  return slots <= 0 || of_machine == 0 ? 0 : (slots + of_machine - 1) / of_machine;
}

}  // namespace

void Machines::begin(const View& view, const std::string& policy) {
  if (!rents()) return;
  for (ClassId of = 0; of < view.classes(); ++of) {
    if (!options_.node_class.empty() && view.class_name(of) != options_.node_class) continue;
    const LeaseOffer offer = view.lease_offer(of);
    if (offer.machines == 0) continue;
    if (options_.market == MachineMarket::spot && !offer.spot) {
      throw UsageError("policy '" + policy + "' bids for machines of class '" +
                           std::string(view.class_name(of)) + "', which has no spot prices",
                       "give its [[nodes]] a `spot`, or the policy machines=on-demand");
    }
    class_ = of;
    boot_ = offer.boot;
    machine_ = offer.machine;
    if (!options_.bid) options_.bid = offer.on_demand_per_hour;
    if (!options_.to_paid_hour && !options_.keep) {
      options_.to_paid_hour = offer.billing == Billing::per_started_hour;
      options_.keep = instant;
    }
    return;
  }
  const std::string which = options_.node_class.empty() ? "" : " of class '" + options_.node_class + "'";
  throw UsageError("policy '" + policy + "' rents machines" + which + ", and the cluster offers none",
                   "give a row of [[nodes]] `rent = true`");
}

Count Machines::left(const View& view) const {
  if (!rents()) return 0;
  return std::clamp<Count>(options_.most - static_cast<Count>(leases_.size()), 0,
                           view.lease_offer(class_).machines);
}

void Machines::hear(const Event& event, const View& view, Decisions& decisions) {
  using enum Event::What;
  if (!rents()) return;
  if (event.what == finished) return drop_outputs(event.job, view, decisions);
  if (event.what == node_notice) return notice(event.lease);
  if (event.what == node_up || event.what == node_down) {
    const auto found = leases_.find(event.lease);
    if (event.lease == Event::no_lease || found == leases_.end()) return;
    if (event.what == node_up) {
      found->second.joined = event.at;
      found->second.node = event.node;
      on_[event.node] = event.lease;
      joins_.erase(joins_.find(found->second.joins));
      return idle(event.lease, view, decisions);
    }
    if (!found->second.joined) {
      joins_.erase(joins_.find(found->second.joins));
    } else {
      on_.erase(found->second.node);
      if (found->second.leaving) --leaving_;
    }
    leases_.erase(found);
    return;
  }
  if (event.what != started && event.what != ended && event.what != lost) return;
  std::vector<std::vector<Running>>& slots = running_[static_cast<std::size_t>(event.kind)];
  if (slots.size() <= event.slot) slots.resize(event.slot + std::size_t{1});
  std::vector<Running>& here = slots[event.slot];
  if (event.what == started) {
    here.push_back({event.job, event.task, event.attempt, event.node});
    if (options_.until_read && event.kind == Kind::reduce && have_read(event.job, view))
      drop_outputs(event.job, view, decisions);
    return occupy(event.node, 1, view, decisions);
  }
  const auto found = std::find_if(here.begin(), here.end(), [&](const Running& each) {
    return each.job == event.job && each.task == event.task && each.attempt == event.attempt;
  });
  if (found == here.end()) return;  // the output of a map that is done was lost
  const NodeIndex node = found->node;
  here.erase(found);
  if (event.what == ended && event.kind == Kind::map) {
    // Reduces that started early have read it.
    if (options_.until_read && have_read(event.job, view)) {
      drop_outputs(event.job, view, decisions);
    } else {
      keep_output(event, view);
    }
  }
  occupy(node, -1, view, decisions);
}

// The capacity is less from now on, so that `cover` rents another machine for it.
void Machines::notice(LeaseId lease) {
  const auto found = leases_.find(lease);
  if (found == leases_.end() || found->second.noticed) return;
  found->second.noticed = true;
  if (std::exchange(found->second.leaving, false)) --leaving_;
}

void Machines::keep_output(const Event& ended, const View& view) {
  const auto found = on_.find(ended.node);
  if (found == on_.end() || view.facts(ended.job).reduces == 0 || view.keeps_map_output()) return;
  if (outputs_[ended.job].insert(found->second).second) ++leases_.at(found->second).outputs;
}

void Machines::drop_outputs(JobIndex job, const View& view, Decisions& decisions) {
  const auto where = outputs_.find(job);
  if (where == outputs_.end()) return;
  for (const LeaseId lease : where->second) {
    const auto found = leases_.find(lease);
    if (found == leases_.end()) continue;
    --found->second.outputs;
    if (found->second.busy == 0) idle(lease, view, decisions);
  }
  outputs_.erase(where);
}

void Machines::occupy(NodeIndex node, Count by, const View& view, Decisions& decisions) {
  const auto found = on_.find(node);
  if (found == on_.end()) return;
  Rented& rented = leases_.at(found->second);
  rented.busy = std::max<Count>(0, rented.busy + by);
  if (rented.busy == 0) idle(found->second, view, decisions);
}

// The instant at which a machine that is idle from `from` on is given back; it leaves 1 ms later.
Time Machines::goes_back(const Rented& idle, Time from) const {
  if (!options_.to_paid_hour) return from + std::max(instant, *options_.keep);
  const Count hours = (from - *idle.joined + instant) / hour + 1;
  return *idle.joined + hours * hour - instant;
}

void Machines::idle(LeaseId lease, const View& view, Decisions& decisions) {
  const Rented& rented = leases_.at(lease);
  if (!rented.leaving && !rented.noticed && rented.outputs == 0)
    decisions.set_timer(goes_back(rented, view.now()), first_token + lease);
}

Count Machines::lacking(Resources need, const View& view) const {
  const Resources there = view.capacity(any_class);
  const Count coming = static_cast<Count>(joins_.size()) - leaving_;
  return std::max(
      machines_for(need.map_slots - there.map_slots - coming * machine_.map_slots, machine_.map_slots),
      machines_for(need.reduce_slots - there.reduce_slots - coming * machine_.reduce_slots,
                   machine_.reduce_slots));
}

std::optional<LeaseRequest> Machines::request(const LeaseOffer& offer) const {
  LeaseRequest request{.node_class = class_, .machines = 1, .bid = std::nullopt};
  const bool below = offer.spot && *offer.spot <= *options_.bid;
  if (options_.market == MachineMarket::spot && !below) return std::nullopt;
  const bool bids =
      options_.market == MachineMarket::spot ||
      (options_.market == MachineMarket::hybrid && below && *options_.bid <= offer.on_demand_per_hour);
  if (bids) request.bid = options_.bid;
  return request;
}

void Machines::cover(Resources need, const View& view, Decisions& decisions) {
  if (!rents()) return;
  const Count lacks = lacking(need, view);
  if (lacks == 0) return;
  const LeaseOffer offer = view.lease_offer(class_);
  std::optional<LeaseRequest> asked = request(offer);
  if (!asked) return decisions.set_timer(view.now() + look_interval, look_again);
  asked->machines = std::min({lacks, offer.machines, options_.most - static_cast<Count>(leases_.size())});
  if (asked->machines < 1) return;
  const LeaseId first = decisions.rent(*asked);
  for (Count i = 0; i < asked->machines; ++i) {
    leases_[first + static_cast<LeaseId>(i)].joins = view.now() + boot_;
    joins_.insert(view.now() + boot_);
  }
}

void Machines::timer(Token token, Resources need, const View& view, Decisions& decisions) {
  if (token == look_again) return cover(need, view, decisions);
  const auto lease = static_cast<LeaseId>(token - first_token);
  const auto found = leases_.find(lease);
  if (found == leases_.end() || found->second.leaving || found->second.noticed || found->second.busy > 0 ||
      found->second.outputs > 0) {
    return;
  }
  ++leaving_;
  if (lacking(need, view) > 0) {
    --leaving_;
    const Time next = goes_back(found->second, view.now());
    return decisions.set_timer(std::max(next, view.now() + ms(1000)), token);  // it is needed
  }
  found->second.leaving = true;
  decisions.give_back(lease);
}

}  // namespace wavewright
