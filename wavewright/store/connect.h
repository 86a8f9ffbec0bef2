// From a store's URL to an open database.
#pragma once

#include <memory>
#include <string>

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"

namespace wavewright {

// UsageError for an unknown kind of URL; ExternalError where there is nothing (SQLite, `existing`) or it
// cannot be opened. SQLite: a file that may not be written, or whose folder may not, is opened to read only
// (`existing`), which leaves nothing beside it; else a write-ahead log, and ten seconds of patience with
// other writers. Servers: UTF-8, and what was committed is seen at once.
[[nodiscard]] std::unique_ptr<Database> connect(const std::string& url, Store::Access access);

}  // namespace wavewright
