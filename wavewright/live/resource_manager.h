// YARN's ResourceManager as its REST interface tells of it: what the cluster consists of.
//
// Answers are decoded apart from the network, so that recorded ones can be tried. All of them throw
// ExternalError, naming the URL, where the answer is not what a ResourceManager gives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

// What is worth a word but has no place in a cluster file: nodes that are not running, a scheduler whose
// queues cannot be written as shares.
struct FoundCluster {
  Cluster cluster;
  std::string version;    // of Hadoop
  std::string scheduler;  // `capacityScheduler`, `fairScheduler`, `fifoScheduler`
  Count nodes = 0;        // running
  std::vector<std::string> remarks;
};

// Running nodes as groups of equal ones (memory, vcores, rack, label as class), largest group first;
// of the Capacity scheduler all queues, of the Fair scheduler their weights as shares of their siblings';
// container limits, heartbeat and slow-start from the daemon's configuration. O(nodes log nodes + queues).
// Infeasible where no node runs.
[[nodiscard]] FoundCluster find_cluster(const WebServer& resource_manager);

// The parts of it, on an answer's text; `url` names it in errors.
struct Nodes {
  std::vector<NodeGroup> groups;
  Count running = 0;
  Count others = 0;  // lost, unhealthy, decommissioned
};
[[nodiscard]] Nodes parse_nodes(std::string_view text, const std::string& url);

struct Queues {
  std::string scheduler;
  std::vector<Queue> queues;  // parents before children
  std::vector<std::string> remarks;
};
[[nodiscard]] Queues parse_queues(std::string_view text, const std::string& url);

// From `/conf` (as JSON): what a cluster file has of it. Unknown or odd values are left as they are.
void apply_configuration(std::string_view text, const std::string& url, Cluster& cluster);

// The server that a user means: `HOST`, `HOST:PORT` and URLs with a path are understood; `http` without a
// port means `port`. UsageError on another scheme.
[[nodiscard]] std::string server_url(const std::string& given, int port);

// The JSON at a path of the server; throws ExternalError where it gives none.
[[nodiscard]] std::string fetch_json(const WebServer& server, const std::string& path);

}  // namespace wavewright
