// YARN's node labels as classes of a cluster file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright {

// Labels that the cluster knows, from `/ws/v1/cluster/get-node-labels`: may the nodes run what asks for no
// label while they are idle? Empty where labels are off. Throws ExternalError for what is no JSON.
[[nodiscard]] std::map<std::string, bool> parse_labels(std::string_view text, const std::string& url);

// The class of the nodes with that label: named like it, but not as that of nodes without any. No label has a
// plus sign.
[[nodiscard]] std::string class_of_label(const std::string& label);

// Adds a class for each label of running nodes, and remarks on labels that are shared or have no running
// node. A server that does not list its labels is asked for nothing more.
void add_labels(const std::set<std::string>& of_nodes, const WebServer& resource_manager,
                FoundCluster& found);

}  // namespace wavewright
