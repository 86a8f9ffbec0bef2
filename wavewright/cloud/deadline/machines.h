// Rents the machines that jobs with deadlines need, and gives idle ones back [CLOUD §4.2, §4.4.1].
//
// All deadline policies share it. They say how many slots their jobs need together; machines are rented for
// the slots that are neither present nor booting, and again if machines are revoked. The paper leaves open
// when idle machines go back, so that is an option. A machine is given back only if the slots that stay
// cover the need, and not while reduces of a job under way need maps that ended there: they would run again.
// The simulator takes a reduce that has started to have fetched them. A policy may rely on that, or keep such
// machines until the job ends.
//
// On demand, spot, or hybrid: spot while its price is not above the bid and the bid is not above the price on
// demand, else on demand. With `spot` alone nothing is rented while the price is above the bid; the price is
// looked at again after each minute, as its changes are no events. After a restart the leases are not known.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

enum class MachineMarket : std::uint8_t { none, on_demand, spot, hybrid };

struct MachineOptions {
  MachineMarket market = MachineMarket::none;
  std::optional<Money> bid{};  // of an hour; none = the price on demand
  std::string node_class{};    // to rent; empty = the first that is offered
  Count most = unlimited;      // machines at once
  bool to_paid_hour = false;   // idle machines stay until the end of the hour that is paid for
  // Machines with map output stay until all reduces of the job have started, not until it ends.
  bool until_read = false;
  std::optional<Duration> keep{};  // idle machines stay for this time; none = by the cluster's billing
};

class Machines {
 public:
  explicit Machines(MachineOptions options) : options_(std::move(options)) {}

  [[nodiscard]] bool rents() const { return options_.market != MachineMarket::none; }
  // Finds the class. Throws UsageError if it is not for rent, or has no spot market where one is needed.
  void begin(const View& view, const std::string& policy);

  [[nodiscard]] ClassId node_class() const { return class_; }  // 0 if nothing is rented
  [[nodiscard]] Duration boot() const { return boot_; }
  [[nodiscard]] Resources machine() const { return machine_; }
  // Those that boot are among them, those that were given back are not.
  [[nodiscard]] Count rented() const { return static_cast<Count>(leases_.size()) - leaving_; }
  [[nodiscard]] Count leaving() const { return leaving_; }  // given back, still present
  [[nodiscard]] Count there() const { return static_cast<Count>(on_.size()) - leaving_; }
  [[nodiscard]] const std::multiset<Time>& joins() const { return joins_; }  // of those that boot
  [[nodiscard]] Count left(const View& view) const;  // machines that may still be rented. O(nodes)

  // Keeps count of what runs where. O(1).
  void hear(const Event& event, const View& view, Decisions& decisions);
  // Rents what the need lacks. O(nodes) if something lacks, else O(1).
  void cover(Resources need, const View& view, Decisions& decisions);
  [[nodiscard]] static bool owns(Token token) { return token >= first_token; }
  [[nodiscard]] static bool gives_back(Token token) { return owns(token) && token != look_again; }
  // Gives an idle machine back if its time is over and the rest covers the need.
  void timer(Token token, Resources need, const View& view, Decisions& decisions);

 private:
  struct Rented {
    Time joins{};  // when it has booted
    std::optional<Time> joined{};
    NodeIndex node = 0;
    Count busy = 0;     // attempts that run there
    Count outputs = 0;  // jobs that are not over and whose reduces read maps that ended there
    bool leaving = false;
    bool noticed = false;  // the market takes it soon; its slots do not count any more
  };
  struct Running {
    JobIndex job = 0;
    TaskIndex task = 0;
    std::uint32_t attempt = 0;
    NodeIndex node = 0;
  };
  static constexpr Token first_token = Token{1} << 40;  // + the lease: an idle machine
  static constexpr Token look_again = Token{1} << 41;

  [[nodiscard]] std::optional<LeaseRequest> request(const LeaseOffer& offer) const;
  [[nodiscard]] Count lacking(Resources need, const View& view) const;
  [[nodiscard]] Time goes_back(const Rented& idle, Time from) const;
  void occupy(NodeIndex node, Count by, const View& view, Decisions& decisions);
  void notice(LeaseId lease);
  void keep_output(const Event& ended, const View& view);
  void drop_outputs(JobIndex job, const View& view, Decisions& decisions);
  void idle(LeaseId lease, const View& view, Decisions& decisions);

  MachineOptions options_;
  ClassId class_ = 0;
  Duration boot_{};
  Resources machine_;
  std::unordered_map<LeaseId, Rented> leases_;                // that have not ended
  std::unordered_map<NodeIndex, LeaseId> on_;                 // the lease of a node that is present
  std::array<std::vector<std::vector<Running>>, 3> running_;  // by kind and slot, which several may share
  std::unordered_map<JobIndex, std::set<LeaseId>> outputs_;   // where maps of the job ended
  std::multiset<Time> joins_;                                 // of machines that boot
  Count leaving_ = 0;                                         // given back, still present
};

}  // namespace wavewright
