// Matchmaking: a node takes maps whose blocks it holds, of whichever job; a node that found none at two
// heartbeats in a row takes one other map [UNL tables 4.1 and 4.2].
//
// As printed, lines 19-22 never give out a map that is not local. Reading: a node whose marker is 0 takes one
// and stops; otherwise its marker becomes 0 and it stops.
#pragma once

#include <map>
#include <set>

#include "wavewright/sched/policy.h"

namespace wavewright {

class Matchmaking final : public Placer {
 public:
  std::string name() const override { return "matchmaking"; }
  Features needs() const override { return Features::of(Feature::placement); }
  EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void on(const Event&, const View&, Decisions&) override { marked_.clear(); }
  std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                  Decisions&) override {
    if (offer.kind == Kind::map && took_other_[offer.node] == offer.at) return std::nullopt;
    std::optional<TaskChoice> other;  // of the first job that has a map left
    while (const std::optional<JobIndex> job = candidates.next()) {
      if (const auto local = candidates.closest(*job, Locality::node)) {
        if (offer.kind == Kind::map) marked_.erase(offer.node);
        return local;
      }
      if (!other) other = candidates.closest(*job, Locality::off_rack);
    }
    if (!other || marked_.insert(offer.node).second) return std::nullopt;  // its first miss
    took_other_[offer.node] = offer.at;
    return other;
  }

 private:
  std::set<NodeIndex> marked_;  // their marker is 0: they found no local map the last time
  std::map<NodeIndex, std::optional<Time>> took_other_;
};

}  // namespace wavewright
