// From a store's URL to an open database session.
#pragma once

#include <memory>
#include <string>

#include "wavewright/store/store.h"

namespace soci {
class session;
}

namespace wavewright {

// UsageError for an unknown kind of URL; OutsideError where there is nothing (`existing`) or it cannot be
// opened. SQLite: write-ahead log, and ten seconds of patience with other writers.
[[nodiscard]] std::unique_ptr<soci::session> connect(const std::string& url, Store::Access access);

// What the database said, as an error that names the store and what to do.
[[noreturn]] void refuse(const std::string& url, const std::string& message);

}  // namespace wavewright
