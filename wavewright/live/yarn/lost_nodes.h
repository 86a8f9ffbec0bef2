// Nodes that YARN gives up while a batch runs: what ran on them begins again on others, so the batch takes
// longer.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

struct ListedNode {
  std::string host;
  std::string state;     // as YARN names it: `RUNNING`, `LOST`
  std::string web = {};  // HOST:PORT of its web server; empty if YARN has none
};

// All nodes of `/ws/v1/cluster/nodes`. Throws ExternalError with `url` if the text is no such answer.
// O(nodes).
[[nodiscard]] std::vector<ListedNode> parse_listed_nodes(std::string_view text, const std::string& url);

class LostNodes {
 public:
  struct News {
    std::vector<ListedNode> lost;   // each host once
    std::vector<std::string> back;  // hosts that were lost, and run again
  };

  // Compares the list with the one before. A host is lost if it ran and is listed in a state of those that
  // are given up. One that is not listed is not lost: a ResourceManager that was restarted lists a node only
  // when it registers again. A host with several nodes runs as long as one of them does. O(nodes · log).
  [[nodiscard]] News look(const std::vector<ListedNode>& listed);

 private:
  std::set<std::string> ran_, lost_;  // hosts; none is in both
};

}  // namespace wavewright
