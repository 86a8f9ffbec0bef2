#include "wavewright/live/outlook/outlook_store.h"

#include "wavewright/live/outlook/outlook_document.h"
#include "wavewright/store/database.h"
#include "wavewright/store/key.h"
#include "wavewright/store/table.h"

namespace wavewright {

using enum ColumnKind;

double KeptPromise::error() const {
  return static_cast<double>((measured - expected).count()) / static_cast<double>(expected.count());
}

void OutlookStore::keep(const std::string& batch, const Outlook& outlook) const {
  const std::string key = hash_text(batch);
  store_.database().in_transaction([&](soci::session& session) {
    execute(session, "delete from wavewright_batch_outlook where batch_key = :k", {Value(key)});
    execute(session, "insert into wavewright_batch_outlook (batch_key, at_ms, document) values (:k, :a, :d)",
            {Value(key), Value(static_cast<long long>(to_ms(outlook.at))), Value(outlook_text(outlook))});
    return 0;
  });
}

std::optional<Outlook> OutlookStore::read(const std::string& batch) const {
  const Database& database = store_.database();
  return database.guarded([&](soci::session& session) {
    std::optional<Outlook> outlook;
    Query row(session, "select document from wavewright_batch_outlook where batch_key = :k",
              {Value(hash_text(batch))}, {text});
    if (row.fetch()) outlook = parse_outlook(row.text(0), database.where().shown);
    return outlook;
  });
}

void OutlookStore::keep(const std::string& batch, const std::string& job, const KeptPromise& promise) const {
  const std::string key = hash_text(batch + "\n" + job);
  store_.database().in_transaction([&](soci::session& session) {
    execute(session, "delete from wavewright_promise where promise_key = :k", {Value(key)});
    execute(session,
            "insert into wavewright_promise (promise_key, profile_key, ended_ms, expected_ms, measured_ms) "
            "values (:k, :p, :e, :x, :m)",
            {Value(key), Value(hash_text(fold_case(promise.profile))),
             Value(static_cast<long long>(to_ms(promise.ended))),
             Value(static_cast<long long>(to_ms(promise.expected))),
             Value(static_cast<long long>(to_ms(promise.measured)))});
    return 0;
  });
}

bool OutlookStore::holds(const std::string& batch, const std::string& job, const KeptPromise& promise) const {
  return store_.database().guarded([&](soci::session& session) {
    Query row(session, "select ended_ms from wavewright_promise where promise_key = :k",
              {Value(hash_text(batch + "\n" + job))}, {integer});
    return row.fetch() && at_ms(row.number(0)) == promise.ended;
  });
}

std::vector<KeptPromise> OutlookStore::promises(const std::string& profile, std::size_t most) const {
  return store_.database().guarded([&](soci::session& session) {
    std::vector<KeptPromise> found;
    Query rows(session,
               "select ended_ms, expected_ms, measured_ms from wavewright_promise where profile_key = :p "
               "order by ended_ms desc limit " +
                   std::to_string(most),
               {Value(hash_text(fold_case(profile)))}, {integer, integer, integer});
    while (rows.fetch())
      found.push_back({profile, at_ms(rows.number(0)), ms(rows.number(1)), ms(rows.number(2))});
    return found;
  });
}

std::optional<KeptPromise> kept_promise(const LiveJob& job, std::optional<Time> started) {
  if (job.state != LiveState::done || job.profile.empty() || !job.expected_start || !job.expected_end ||
      !job.ended_at)
    return std::nullopt;
  if (!started) started = job.started_at;
  if (!started) return std::nullopt;
  KeptPromise promise{job.profile, *job.ended_at, *job.expected_end - *job.expected_start,
                      *job.ended_at - *started};
  if (promise.expected <= Duration{} || promise.measured <= Duration{}) return std::nullopt;
  return promise;
}

}  // namespace wavewright
