// Every stored run with its data, also out of a database of which some pages are damaged.
#pragma once

#include <functional>
#include <string>

#include "wavewright/store/table.h"

namespace wavewright {

using EachStoredRun =
    std::function<void(const Row& run, const std::string& tasks, const std::string& phases)>;
using Unreadable = std::function<void(const std::string& identity, const std::string& why)>;

// Calls `each` with every run's row, tasks and phases (empty if missing), in order of identity. Reads some
// hundred at a time, so memory does not grow with the store.
//
// If the database fails to read some, `unreadable` is called for each of them with the database's words, the
// others are read one by one, and phases that cannot be read count as missing. Memory then grows by all
// identities. Without `unreadable`, and inside a transaction of a server, the failure is thrown (soci_error).
void each_stored_run(soci::session& session, const EachStoredRun& each, const Unreadable& unreadable = {});

}  // namespace wavewright
