// Finds nodes that have gone silent long before YARN says so, which waits ten minutes by default: asks the
// web server of each NodeManager itself, twice a heartbeat.
//
// A node is silent if it answered neither of two questions in a row. The second may still answer the first
// (live/promise/node_probe.h). So a node that answers within 0.9 s is never taken for silent. One that dies
// is silent half a heartbeat to a heartbeat later if its port is closed, and at most 1.4 s later if it is
// frozen or off. That leaves 0.6 s until two heartbeats are over, for what is at risk to be found and told.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"
#include "wavewright/live/promise/promises.h"

namespace wavewright {

constexpr Duration node_heartbeat = ms(1'000);            // YARN's default
constexpr Duration ask_nodes_again = node_heartbeat / 2;  // from the start of one look to the next
constexpr Duration ask_nodes_within = ms(400);            // an answer is waited for, at one look

struct WatchedNode {
  std::string host;
  std::string web;      // HOST:PORT of its web server
  bool runs = true;     // as YARN believes; else it gets no more tasks
  bool drains = false;  // it is decommissioned once what runs there has ended
};

// The nodes of `/ws/v1/cluster/nodes` that run or drain, or are lost or unhealthy. Throws ExternalError with
// `url` if the text is no such answer. O(nodes).
[[nodiscard]] std::vector<WatchedNode> parse_watched_nodes(std::string_view text, const std::string& url);

class NodeWatch {
 public:
  // True for each address that answered. Takes `ask_nodes_within`, or a little more.
  using Probe = std::function<std::vector<bool>(const std::vector<std::string>& addresses)>;
  struct News {
    std::vector<std::string> silent, back;  // hosts
  };

  explicit NodeWatch(Probe probe) : probe_(std::move(probe)) {}

  // To be called each `ask_nodes_again` with what YARN lists. A node is silent if it did not answer twice in
  // a row, and back once it has. O(nodes · log).
  [[nodiscard]] News look(const std::vector<WatchedNode>& listed);

  // Silent, and YARN does not know it. Of several nodes on a host one is enough.
  [[nodiscard]] std::set<std::string> silent() const;
  // So many nodes are.
  [[nodiscard]] NodeIndex silent_nodes() const;
  // Has it looked as often as it takes to find a silent node?
  [[nodiscard]] bool is_sure() const { return looks_ >= silent_after; }
  // The node with that web server: is it silent, or listed no more? It is lost after 15 seconds. Before that
  // it may just be busy, or a ResourceManager that has just started does not list it yet. A node that was
  // never listed answers.
  [[nodiscard]] MasterNode state_of(const std::string& web) const;

  // Hosts of the cluster file: they count as listed once, if one of them is listed. Else the file has names
  // of its own.
  void expect(std::set<std::string> hosts) { expected_ = std::move(hosts); }
  // Was one of them ever listed?
  [[nodiscard]] bool knows_hosts() const;
  // Where the hosts of the cluster file's `nodes` nodes are not known, so many of them are away: one that was
  // replaced is not. A file may divide fewer real nodes into more. O(log nodes).
  [[nodiscard]] NodeIndex missing(NodeIndex nodes) const;
  // Were listed once, and are no more: lost, unhealthy, decommissioned.
  [[nodiscard]] std::set<std::string> gone() const;

 private:
  static constexpr int silent_after = 2;  // looks
  static constexpr int lost_after = static_cast<int>(ms(15'000) / ask_nodes_again);

  struct Node {  // that runs, as YARN lists it, or did once
    std::string host;
    bool listed = false;  // runs now
    int failures = 0;     // looks in a row at which it did not answer, or was not listed
    [[nodiscard]] bool is_silent() const { return listed && failures >= silent_after; }
  };
  [[nodiscard]] std::set<std::string> hosts(bool (*which)(const Node&)) const;

  Probe probe_;
  int looks_ = 0;
  NodeIndex known_ = 0;                // the most that were listed at once, running or not
  NodeIndex present_ = 0;              // run and are not silent
  std::map<std::string, Node> nodes_;  // by web server
  std::set<std::string> expected_;
};

// The slots of these hosts: a host that the cluster file does not name has as many as a node of it at most.
[[nodiscard]] SlotPool slots_of(const Cluster& cluster, const std::set<std::string>& hosts);

// The most slots that so many nodes of the cluster file have.
[[nodiscard]] SlotPool slots_of_any(const Cluster& cluster, NodeIndex nodes);

// The work that is left if `silent` slots of `all` were lost with what they held: any running job may have
// had its tasks there that have run longest, and its part of the outputs of maps that its reduces still need.
[[nodiscard]] ProgressByJob without_silent(ProgressByJob progress, SlotPool silent, SlotPool all);

// Tells of each running job what became of its master's node. O(jobs · log nodes).
[[nodiscard]] ProgressByJob with_masters(ProgressByJob progress, const LiveBatch& batch,
                                         const NodeWatch& nodes, Time now);

}  // namespace wavewright
