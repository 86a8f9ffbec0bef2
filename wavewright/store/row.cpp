#include "wavewright/store/row.h"

#include "wavewright/core/error.h"

#include <fmt/format.h>

#include "wavewright/store/key.h"

namespace wavewright {

namespace {

// A text column ends at a zero byte in every database.
std::string printable(std::string text) {
  for (char& c : text) {
    if (c == '\0') c = '?';
  }
  return text;
}

MaybeInteger maybe(const std::optional<Time>& time) {
  return time ? MaybeInteger{to_ms(*time), soci::i_ok} : MaybeInteger{};
}

std::optional<Time> instant(const MaybeInteger& column) {
  return column.there == soci::i_ok ? std::optional(at_ms(column.value)) : std::nullopt;
}

RunState parse_state(const std::string& text) {
  for (const RunState state : {RunState::running, RunState::succeeded, RunState::failed, RunState::killed}) {
    if (to_string(state) == text) return state;
  }
  return RunState::unknown;
}

}  // namespace

RunRow to_row(const RunHeader& header, const std::string& identity) {
  RunRow row;
  row.identity = printable(identity);
  row.id = printable(header.id);
  row.name = printable(header.name);
  row.user = printable(header.user);
  row.queue = printable(header.queue);
  row.id_key = search_key(row.id);
  row.name_key = search_key(row.name);
  row.user_key = search_key(row.user);
  row.queue_key = search_key(row.queue);
  row.state = to_string(header.state);
  row.hadoop = printable(header.hadoop);
  row.source = printable(header.source);
  const std::optional<Time> first = header.submit   ? header.submit
                                    : header.launch ? header.launch
                                                    : header.finish;
  row.ordered = first ? to_ms(*first) : 0;
  row.submit = maybe(header.submit);
  row.launch = maybe(header.launch);
  row.finish = maybe(header.finish);
  row.maps = header.maps;
  row.reduces = header.reduces;
  row.failed = header.failed_attempts;
  row.killed = header.killed_attempts;
  row.peak_maps = header.peak.map_slots;
  row.peak_reduces = header.peak.reduce_slots;
  if (header.input) row.input = {header.input->count, soci::i_ok};
  return row;
}

RunHeader from_row(const RunRow& row) {
  constexpr std::int64_t most = 100'000'000;  // tasks of a run; nothing that we wrote holds more
  for (const auto count : {row.maps, row.reduces, row.failed, row.killed, row.peak_maps, row.peak_reduces}) {
    if (count < 0 || count > most) {
      throw OutsideError({row.id}, fmt::format("the stored run is damaged: it counts {} tasks", count),
                         "restore a copy of the store, or import again into another one");
    }
  }
  RunHeader header;
  header.id = row.id;
  header.name = row.name;
  header.user = row.user;
  header.queue = row.queue;
  header.state = parse_state(row.state);
  header.submit = instant(row.submit);
  header.launch = instant(row.launch);
  header.finish = instant(row.finish);
  header.maps = row.maps;
  header.reduces = row.reduces;
  header.failed_attempts = row.failed;
  header.killed_attempts = row.killed;
  header.peak = {row.peak_maps, row.peak_reduces};
  if (row.input.there == soci::i_ok) header.input = Bytes{row.input.value};
  header.hadoop = row.hadoop;
  header.source = row.source;
  return header;
}

std::string selected_columns() {
  return "select r.identity, r.job_id, r.name, r.user_name, r.queue, r.state, r.submit_ms, r.launch_ms, "
         "r.finish_ms, r.maps, r.reduces, r.failed_attempts, r.killed_attempts, r.peak_maps, r.peak_reduces, "
         "r.input_bytes, r.hadoop, r.source";
}

void read_into(soci::statement& statement, RunRow& row) {
  for (std::string* text : {&row.identity, &row.id, &row.name, &row.user, &row.queue, &row.state}) {
    statement.exchange(soci::into(*text));
  }
  statement.exchange(soci::into(row.submit.value, row.submit.there));
  statement.exchange(soci::into(row.launch.value, row.launch.there));
  statement.exchange(soci::into(row.finish.value, row.finish.there));
  for (long long* number :
       {&row.maps, &row.reduces, &row.failed, &row.killed, &row.peak_maps, &row.peak_reduces}) {
    statement.exchange(soci::into(*number));
  }
  statement.exchange(soci::into(row.input.value, row.input.there));
  statement.exchange(soci::into(row.hadoop));
  statement.exchange(soci::into(row.source));
}

void write_row(soci::session& session, RunRow& row) {
  using soci::use;
  session
      << "insert into wavewright_run (identity, job_id, name, user_name, queue, id_key, name_key, user_key, "
         "queue_key, state, ordered_ms, submit_ms, launch_ms, finish_ms, maps, reduces, failed_attempts, "
         "killed_attempts, peak_maps, peak_reduces, input_bytes, hadoop, source) values (:identity, :job_id, "
         ":name, :user_name, :queue, :id_key, :name_key, :user_key, :queue_key, :state, :ordered_ms, "
         ":submit_ms, :launch_ms, :finish_ms, :maps, :reduces, :failed_attempts, :killed_attempts, "
         ":peak_maps, :peak_reduces, :input_bytes, :hadoop, :source)",
      use(row.identity), use(row.id), use(row.name), use(row.user), use(row.queue), use(row.id_key),
      use(row.name_key), use(row.user_key), use(row.queue_key), use(row.state), use(row.ordered),
      use(row.submit.value, row.submit.there), use(row.launch.value, row.launch.there),
      use(row.finish.value, row.finish.there), use(row.maps), use(row.reduces), use(row.failed),
      use(row.killed), use(row.peak_maps), use(row.peak_reduces), use(row.input.value, row.input.there),
      use(row.hadoop), use(row.source);
}

}  // namespace wavewright
