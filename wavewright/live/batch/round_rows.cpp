#include "wavewright/live/batch/round_rows.h"

#include <utility>

#include "wavewright/live/batch/batch_rows.h"
#include "wavewright/store/table.h"

namespace wavewright {

using enum ColumnKind;

std::optional<LiveRound> read_round(soci::session& session, const std::string& batch_key,
                                    const std::string& store, std::int64_t* next) {
  LiveRound round;
  {
    Query row(session, "select began_ms, work_ms, due_ms from wavewright_batch_round where batch_key = :k",
              {Value(batch_key)}, {integer, integer, integer});
    if (!row.fetch()) return std::nullopt;
    round.began = at_ms(row.number(0));
    if (!row.row()[1].is_null()) round.work = ms(row.number(1));
    if (!row.row()[2].is_null()) round.due = at_ms(row.number(2));
  }
  Query rows(session,
             "select order_key, ids from wavewright_batch_order where batch_key = :k order by order_key",
             {Value(batch_key)}, {text, text});
  while (rows.fetch()) {
    for (std::string& id : stored_ids(rows.text(1), store)) round.order.push_back(std::move(id));
    if (next != nullptr) *next = number_in_row_key(rows.text(0)) + 1;
  }
  return round;
}

void write_round(soci::session& session, const std::string& batch_key, std::int64_t number,
                 const RoundEntry& round) {
  execute(session, "delete from wavewright_batch_round where batch_key = :k", {Value(batch_key)});
  const auto in_ms = [](const auto& value) {
    return value ? Value(static_cast<long long>(to_ms(*value))) : Value();
  };
  execute(session,
          "insert into wavewright_batch_round (batch_key, began_ms, work_ms, due_ms) values (:k, :b, :w, :d)",
          {Value(batch_key), Value(static_cast<long long>(to_ms(round.began))), in_ms(round.work),
           in_ms(round.due)});
  if (round.anew)
    execute(session, "delete from wavewright_batch_order where batch_key = :k", {Value(batch_key)});
  if (round.order.empty()) return;
  execute(session, "insert into wavewright_batch_order (order_key, batch_key, ids) values (:o, :k, :i)",
          {Value(numbered_row_key(batch_key, number)), Value(batch_key), Value(stored_text(round.order))});
}

}  // namespace wavewright
