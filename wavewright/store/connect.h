// Opens the database of a store's URL.
#pragma once

#include <memory>
#include <string>

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"

namespace wavewright {

// Throws UsageError for an unknown kind of URL, ExternalError if it does not exist (SQLite, `existing`) or
// cannot be opened. SQLite: if the file or its folder is not writable, it is opened read-only (`existing`)
// and nothing is created beside it; otherwise with a write-ahead log, waiting up to ten seconds for other
// writers. Servers: UTF-8, and commits of others are seen at once.
[[nodiscard]] std::unique_ptr<Database> connect(const std::string& url, Store::Access access);

}  // namespace wavewright
