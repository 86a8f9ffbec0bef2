// The ledger records a policy's decisions and their effect, for every driver.
//
// It implements Decisions: groups, ranks, shares, caps, admission, reservations, preemption, timers, reasons.
// A driver (a simulation engine or the live driver) reports arrivals and the slots that jobs take and give
// back, asks which job is next, and carries out decisions through LedgerDriver. A decision that the policy
// did not announce, or on a job that has not arrived, throws InternalError.
//
// `Order` keeps the jobs that may start a task: OrderTree (groups, shares, caps), RankList (ranks only, less
// work for each task), or the reference engine's SortedOrder.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/sched/ledger/class_limits.h"
#include "wavewright/sched/ledger/misuse.h"
#include "wavewright/sched/ledger/preemptions.h"
#include "wavewright/sched/ledger/reservations.h"
#include "wavewright/sched/ledger/timers.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// A driver's reaction to decisions. Called while the policy decides.
class LedgerDriver {
 public:
  virtual ~LedgerDriver() = default;
  [[nodiscard]] virtual Time now() const = 0;
  [[nodiscard]] virtual JobFacts facts(JobIndex job) const = 0;
  virtual void admitted(JobIndex job) = 0;
  virtual void rejected(JobIndex job, const Reason& reason) = 0;
  virtual void explained(JobIndex, const Reason&) {}  // only if the reason differs from the job's last one
  virtual void capped(JobIndex, Kind, Count) {}       // with containers: the limit of the job's requests
  virtual LeaseId rent(const LeaseRequest&) { return Event::no_lease; }
  virtual void give_back(LeaseId) {}
};

template <class Order>
class Ledger {
 public:
  struct Cluster {
    std::size_t jobs = 0;
    std::size_t classes = 1;
    bool containers = false;  // one order, by memory, for all kinds: that of maps
  };
  // The policy and the driver must outlive it.
  Ledger(const Allocator& allocator, const Placer* placer, const Cluster& cluster, LedgerDriver& driver)
      : cluster_(cluster),
        driver_(driver),
        allocator_(*this, Part::allocator, allocator.name(), allocator.needs()),
        placer_(*this, Part::placer, placer ? placer->name() : "", placer ? placer->needs() : Features{}),
        standing_(cluster.jobs, Standing::absent),
        maps_(cluster.jobs, Kind::map),
        reduces_(cluster.jobs, Kind::reduce) {
    const Features needs = placer ? allocator.needs() | placer->needs() : allocator.needs();
    reserves_ = needs.has(Feature::reservations);
    if (needs.has(Feature::node_classes) || reserves_) holdings_.track(cluster.jobs, cluster.classes);
    if (!needs.has(Feature::node_classes)) return;
    class_caps_.track(cluster.jobs, cluster.classes);
    if constexpr (keeps_classes) {
      if (cluster.containers) return;  // one order for all kinds: each has caps of its own
      maps_.keep_classes(cluster.classes);
      reduces_.keep_classes(cluster.classes);
    }
  }
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  [[nodiscard]] Decisions& allocator() { return allocator_; }
  [[nodiscard]] Decisions& placer() { return placer_; }

  // ---- reports of a driver
  void arrived(JobIndex job) { standing_[job] = Standing::arrived; }
  void over(JobIndex job) {  // finished, failed or rejected
    if (!reservations_.empty()) reservations_.forget(job);
    if (holdings_.tracked()) class_caps_.forget(job);
    explained_.erase(job);
  }
  // The job takes or gives back a slot or container; needed if picks_nodes(). order(kind) counts for groups.
  void hold(JobIndex job, Kind kind, ClassId node_class) { change_holding(job, kind, node_class, 1); }
  void release(JobIndex job, Kind kind, ClassId node_class) { change_holding(job, kind, node_class, -1); }
  // A callback of the policy has returned.
  void decided() {
    if (!ranked_.empty()) check_ranks();
  }

  // ---- queries of a driver
  [[nodiscard]] bool has_arrived(JobIndex job) const {
    return job < standing_.size() && standing_[job] != Standing::absent;
  }
  [[nodiscard]] Order& order(Kind kind) {
    return kind == Kind::map || cluster_.containers ? maps_ : reduces_;
  }
  [[nodiscard]] const Order& order(Kind kind) const {
    return kind == Kind::map || cluster_.containers ? maps_ : reduces_;
  }
  // Only without containers.
  template <Kind kind>
  [[nodiscard]] Order& order_of() {
    return kind == Kind::map ? maps_ : reduces_;
  }
  // No timer, preemption or reservation.
  [[nodiscard]] bool nothing_put_off() const {
    return timers_.empty() && preemptions_.empty() && reservations_.empty();
  }
  [[nodiscard]] Timers& timers() { return timers_; }
  [[nodiscard]] Preemptions& preemptions() { return preemptions_; }
  [[nodiscard]] Reservations& reservations() { return reservations_; }
  [[nodiscard]] const Reservations& reservations() const { return reservations_; }
  [[nodiscard]] const ClassCaps& class_caps() const { return class_caps_; }
  [[nodiscard]] const ClassHoldings& holdings() const { return holdings_; }
  // The last reason that the policy gave for the job (Decisions::explain); null if there is none.
  [[nodiscard]] const Reason* explained(JobIndex job) const {
    const auto found = explained_.find(job);
    return found == explained_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool reserves() const { return reserves_; }
  // True if a job may be refused a slot on one node and take it on another.
  [[nodiscard]] bool picks_nodes() const { return holdings_.tracked(); }
  [[nodiscard]] bool below_class_cap(JobIndex job, Kind kind, ClassId node_class) const {
    const Count cap = class_caps_.of(job, kind, node_class);
    return cap == unlimited || holdings_.of(job, kind, node_class) < cap;
  }
  // The job's slots or containers on a single class. InternalError if the policy did not announce that need.
  [[nodiscard]] Count held_on(JobIndex job, Kind kind, ClassId node_class) const {
    if (!holdings_.tracked()) refuse_undeclared(allocator_.name(), Feature::node_classes);
    return holdings_.of(job, kind, node_class);
  }

 private:
  enum class Standing : std::uint8_t { absent, arrived, admitted, rejected };
  static constexpr bool keeps_classes = requires(Order& order) { order.keep_classes(); };

  // The decisions of one part of the policy.
  class Seat final : public Decisions {
   public:
    Seat(Ledger& ledger, Part part, std::string name, Features needs)
        : ledger_(ledger), part_(part), name_(std::move(name)), needs_(needs) {}
    [[nodiscard]] const std::string& name() const { return name_; }

    void admit(JobIndex job, GroupId group) override {
      ledger_.undecided(job, *this);
      if (group != root_group) announced(Feature::groups);
      ledger_.admit(job, group);
    }
    void reject(JobIndex job, const Reason& reason) override {
      ledger_.undecided(job, *this) = Standing::rejected;
      ledger_.driver_.rejected(job, reason);
    }
    void explain(JobIndex job, const Reason& reason) override {
      known(job);
      Reason& last = ledger_.explained_[job];
      if (last == reason) return;
      last = reason;
      ledger_.driver_.explained(job, reason);
    }
    void group(GroupId group, GroupId parent, Limits guaranteed, Limits max) override {
      announced(Feature::groups);
      if constexpr (Order::limited) {
        ledger_.maps_.group(group, parent, guaranteed, max, ledger_.sequence_);
        ledger_.reduces_.group(group, parent, guaranteed, max, ledger_.sequence_++);
      }
    }
    void rank(JobIndex job, Kind kind, Key key) override {
      announced(Feature::rank, Feature::rank_per_kind);
      known(job);
      ledger_.ranked(kind, *this).rank(job, key);
      if (!needs_.has(Feature::rank_per_kind) && !ledger_.cluster_.containers) ledger_.ranked_.push_back(job);
    }
    void rank_group(GroupId group, Kind kind, Key key) override {
      announced(Feature::groups);
      if constexpr (Order::limited) ledger_.ranked(kind, *this).rank_group(group, key);
    }
    void order(GroupId group, Ordering ordering) override {
      announced(Feature::shares);
      if constexpr (Order::limited) {
        ledger_.maps_.order(group, ordering);
        ledger_.reduces_.order(group, ordering);
      }
    }
    void share(JobIndex job, Kind kind, Share share) override {
      announced(Feature::shares);
      known(job);
      if constexpr (Order::limited) ledger_.ranked(kind, *this).share(job, share);
    }
    void share_group(GroupId group, Kind kind, Share share) override {
      announced(Feature::shares);
      if constexpr (Order::limited) ledger_.ranked(kind, *this).share_group(group, share);
    }
    void cap(JobIndex job, Kind kind, ClassId node_class, Count count) override {
      announced(Feature::caps);
      known(job);
      if (node_class != any_class) {
        announced(Feature::node_classes);
        class_exists(node_class);
        if (kind == Kind::master) (void)ledger_.ranked(kind, *this);
        ledger_.class_caps_.set(job, kind, node_class, count);
        return ledger_.renew_open(job, kind, node_class);
      }
      if constexpr (Order::limited) {
        if (!ledger_.cluster_.containers) ledger_.ranked(kind, *this).cap(job, count);
      }
      ledger_.driver_.capped(job, kind, count);
    }
    void reserve(JobIndex job, Kind kind, ClassId node_class, Count count, Time from, Time to) override {
      announced(Feature::reservations);
      known(job);
      (void)ledger_.ranked(kind, *this);
      if (node_class != any_class) {
        announced(Feature::node_classes);
        class_exists(node_class);
      }
      if (count < 0 || to < from) refuse_interval(name_, count, from, to);
      ledger_.reservations_.set({job, kind, node_class, count, from, to});
    }
    void preempt(JobIndex job, Kind kind, ClassId node_class, Count count, Duration grace) override {
      announced(Feature::preemption);
      known(job);
      (void)ledger_.ranked(kind, *this);
      if (node_class != any_class) {
        announced(Feature::node_classes);
        class_exists(node_class);
      }
      ledger_.preemptions_.add(ledger_.driver_.now() + std::max(grace, Duration{}),
                               {job, kind, node_class, count});
    }
    void near_only(JobIndex job, bool only) override {
      announced(Feature::placement);
      known(job);
      if constexpr (requires(Order& order) { order.hide(job, only); }) ledger_.maps_.hide(job, only);
    }
    void set_timer(Time at, Token token) override {
      announced(Feature::timers);
      const Time now = ledger_.driver_.now();
      if (at < now) refuse_past_timer(name_, at, now);
      ledger_.timers_.set(part_, token, std::max(at, now + ms(1)));
    }
    void cancel_timer(Token token) override {
      announced(Feature::timers);
      ledger_.timers_.cancel(part_, token);
    }
    LeaseId rent(const LeaseRequest& request) override {
      announced(Feature::leases);
      class_exists(request.node_class);
      return ledger_.driver_.rent(request);
    }
    void give_back(LeaseId lease) override {
      announced(Feature::leases);
      ledger_.driver_.give_back(lease);
    }

   private:
    void announced(Feature feature) const {
      if (!needs_.has(feature)) refuse_undeclared(name_, feature);
    }
    void announced(Feature either, Feature other) const {
      if (!needs_.has(either) && !needs_.has(other)) refuse_undeclared(name_, either);
    }
    void known(JobIndex job) const {
      if (!ledger_.has_arrived(job)) refuse_unknown_job(name_, job);
    }
    void class_exists(ClassId node_class) const {
      if (node_class >= ledger_.cluster_.classes) refuse_unknown_class(name_, node_class);
    }

    Ledger& ledger_;
    Part part_;
    std::string name_;
    Features needs_;
  };

  Standing& undecided(JobIndex job, const Seat& seat) {
    if (!has_arrived(job)) refuse_unknown_job(seat.name(), job);
    if (standing_[job] != Standing::arrived)
      refuse_second_decision(seat.name(), std::string(driver_.facts(job).id));
    return standing_[job];
  }
  void admit(JobIndex job, GroupId group) {
    maps_.admit(job, group, sequence_);
    reduces_.admit(job, group, sequence_++);
    standing_[job] = Standing::admitted;
    driver_.admitted(job);
  }
  Order& ranked(Kind kind, const Seat& seat) {
    if (kind == Kind::master) refuse_masters(seat.name());
    return kind == Kind::map ? maps_ : reduces_;
  }
  // By 1 or -1.
  void change_holding(JobIndex job, Kind kind, ClassId node_class, std::int32_t by) {
    holdings_.change(job, kind, node_class, by);
    if (!class_caps_.any(job, kind)) return;
    const Count cap = class_caps_.of(job, kind, node_class), held = holdings_.of(job, kind, node_class);
    const bool crosses = by > 0 ? held == cap : held + 1 == cap;  // else the class is as open as before
    if (crosses) renew_open(job, kind, node_class);
  }
  // The job's holding or cap on the class has changed: is the class open to it?
  void renew_open(JobIndex job, Kind kind, ClassId node_class) {
    if constexpr (keeps_classes) {
      if (cluster_.containers) return;
      Order& jobs = order(kind);
      const auto bit = Order::classes_of(node_class);
      bool open = below_class_cap(job, kind, node_class);
      if (cluster_.classes > Order::distinct_classes) {
        for (ClassId each = 0; each < cluster_.classes && !open; ++each)
          open = Order::classes_of(each) == bit && below_class_cap(job, kind, each);
      }
      jobs.open(job, open ? jobs.open(job) | bit : jobs.open(job) & ~bit);
    }
  }
  // One order for both kinds, unless the policy announced two.
  void check_ranks() {
    for (const JobIndex job : ranked_) {
      if (maps_.rank_of(job) != reduces_.rank_of(job))
        refuse_undeclared(allocator_.name(), Feature::rank_per_kind);
    }
    ranked_.clear();
  }

  Cluster cluster_;
  LedgerDriver& driver_;
  Seat allocator_;
  Seat placer_;
  std::vector<Standing> standing_;  // by job
  Order maps_;
  Order reduces_;
  std::uint64_t sequence_ = 0;    // of groups and admissions
  std::vector<JobIndex> ranked_;  // since the callback began
  bool reserves_ = false;
  Timers timers_;
  Preemptions preemptions_;
  Reservations reservations_;
  ClassCaps class_caps_;
  ClassHoldings holdings_;
  std::unordered_map<JobIndex, Reason> explained_;  // the last reason of each job
};

}  // namespace wavewright
