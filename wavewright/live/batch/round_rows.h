// Rows of a dispatching queue's rounds: how it stands, and the order that rounds gave, which goes on from row
// to row. Rows of an order are numbered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <soci/soci.h>

#include "wavewright/live/batch/journal.h"

namespace wavewright {

// Nothing if the batch with that row key has none. `next`, if not null, gets the number of the next row of an
// order; it is left alone where there is no row. Throws InputError with `store` if a row is damaged.
[[nodiscard]] std::optional<LiveRound> read_round(soci::session& session, const std::string& batch_key,
                                                  const std::string& store, std::int64_t* next);

// `number`: of a new row of an order.
void write_round(soci::session& session, const std::string& batch_key, std::int64_t number,
                 const RoundEntry& round);

}  // namespace wavewright
