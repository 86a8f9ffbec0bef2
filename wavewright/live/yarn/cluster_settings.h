// Settings of Hadoop's daemons that a cluster file has, too: limits of containers, heartbeats, slow-start,
// HDFS's blocks, and what the scheduler gives at a heartbeat.
//
// Source: what a ResourceManager or a NameNode answers at `/conf`. It tells memory in MiB, the heartbeat in
// ms and the size of a block in bytes.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "wavewright/cluster/cluster.h"

namespace wavewright {

// Keys of a cluster file whose values a server told, such as `hdfs.block_mb`; all others are defaults.
using ToldKeys = std::set<std::string>;

// Applies the settings of `/conf` (JSON) that a cluster file has. Numbers may have Hadoop's binary suffixes
// (`4m`, `128m`, `1g`). Ignores unknown and malformed values. Returns the keys that it set. Throws
// ExternalError with `url` if the text is no JSON. O(settings log settings).
ToldKeys apply_configuration(std::string_view text, const std::string& url, Cluster& cluster);

// The text of a cluster file with `# not told` behind each value whose key is not in `told`. O(text).
[[nodiscard]] std::string mark_untold(const std::string& toml, const ToldKeys& told);

}  // namespace wavewright
