// The tables, as an ordered list of migrations; one SQL for all databases.
//
// Kept to what SQLite, PostgreSQL and MariaDB share: no automatic keys (a run's key is its identity), no
// upserts, no binary values, 64-bit integers as `bigint`, absent values as NULL.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace soci {
class session;
}

namespace wavewright {

// The version that this program writes: the number of migrations.
[[nodiscard]] int schema_version();

// Creates or updates the tables, in one transaction. Throws OutsideError (naming `store`) when the schema is
// newer than this program.
void update_schema(soci::session& session, const std::string& store);

}  // namespace wavewright
