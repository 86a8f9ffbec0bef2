// Reads a cluster from the REST interface of YARN's ResourceManager.
//
// Decoding is separate from the network, so that recorded responses can be tested. Each function throws
// ExternalError with the URL if the response is not one of a ResourceManager.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/yarn/cluster_settings.h"

namespace wavewright {

// `remarks`: what a cluster file cannot hold (nodes that do not run, queues that have no shares).
struct FoundCluster {
  Cluster cluster;
  std::string version;    // of Hadoop
  std::string scheduler;  // `capacityScheduler`, `fairScheduler`, `fifoScheduler`
  Count nodes = 0;        // number of running nodes
  std::vector<std::string> remarks;
  std::vector<std::string> with_plugin;  // names of the queues that our plug-in orders (plugins/yarn)
  ToldKeys told;
  // The class that `yarn.scheduler.app-placement-allocator.class` names; empty = none. Absent: its
  // configuration is not shown.
  std::optional<std::string> placement_allocator = std::nullopt;
};

// Groups running nodes of equal memory, vcores, rack and label, the largest group first. A node label becomes
// the class of its nodes, with a row of `classes` that names the label; other nodes are `default`. Takes
// all queues of the Capacity scheduler; of the Fair scheduler, the shares among siblings as weights. Names
// the hosts if no two nodes have the same one. Container limits, heartbeat and slow-start come from the
// daemon's configuration. Throws Infeasible if no node runs. O(nodes log nodes + queues).
[[nodiscard]] FoundCluster find_cluster(const WebServer& resource_manager);

// The policy that is the cluster's own scheduler: as YARN tells; or of a cluster file, where queues of the
// Capacity scheduler have capacities, and those of the Fair scheduler weights.
[[nodiscard]] std::string own_scheduler(const FoundCluster& found);
[[nodiscard]] std::string own_scheduler(const Cluster& cluster);

// The steps of find_cluster on a response's text; `url` is for errors.
struct Nodes {
  std::vector<NodeGroup> groups;
  Count running = 0;
  Count others = 0;              // lost, unhealthy, decommissioned
  std::set<std::string> labels;  // of running nodes
};
[[nodiscard]] Nodes parse_nodes(std::string_view text, const std::string& url);

struct Queues {
  std::string scheduler;
  std::vector<Queue> queues;  // parents before children
  std::vector<std::string> remarks;
  std::vector<std::string> with_plugin;  // as in FoundCluster
  bool makes_more = false;               // the Capacity scheduler makes some when a job names them
  // Queues of the Capacity scheduler that take no job now, as they or one above them are stopped or run
  // empty.
  std::vector<std::string> closed = {};
};
[[nodiscard]] Queues parse_queues(std::string_view text, const std::string& url);

// Which keys of a cluster file's queues such a scheduler tells.
[[nodiscard]] ToldKeys told_of_queues(const std::string& scheduler);

// URL of the server that a user names: `HOST`, `HOST:PORT` or a URL with a path. Without a
// port it gets one as web_base gives it (history/source/server.h), `port` for http. Throws UsageError for
// another scheme.
[[nodiscard]] std::string server_url(const std::string& given, int port);
// Likewise of a server and its standbys, with commas between them. Throws UsageError if one is named twice.
[[nodiscard]] std::vector<std::string> server_urls(const std::string& given, int port);

// Fetches JSON from a path of the server. Throws ExternalError if the response is none.
[[nodiscard]] std::string fetch_json(const WebServer& server, const std::string& path);

}  // namespace wavewright
