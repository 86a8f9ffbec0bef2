// Writes rows of one store into another: only those that are not there.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/store/database.h"
#include "wavewright/store/table.h"

namespace wavewright {

[[nodiscard]] std::vector<std::string> keys_of(std::span<const Row> rows);

// The table's rows with these keys.
[[nodiscard]] std::vector<Row> rows_with(soci::session& session, const TableSpec& table,
                                         std::span<const std::string> keys);

// Those of the rows that `to` lacks. Throws ExternalError if it has another row with the key of one.
[[nodiscard]] std::vector<Row> missing(const Database& to, const TableSpec& table, std::vector<Row> rows);

// In a transaction of `to`.
void insert(const Database& to, const TableSpec& table, std::vector<Row> rows);

// Replaces older records of these files; returns how many were not there. In one transaction.
Count copy_files(const Database& to, const std::vector<Row>& files);

// Calls `take` with the table's rows, some hundred at a time, until it returns false.
void each_page(const Database& from, const TableSpec& table,
               const std::function<bool(std::vector<Row>&& rows)>& take);

}  // namespace wavewright
