#include "wavewright/live/batch/batch_store.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/live/batch/batch_rows.h"
#include "wavewright/live/batch/ended_jobs.h"
#include "wavewright/live/batch/round_rows.h"
#include "wavewright/store/database.h"
#include "wavewright/store/key.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

using Json = nlohmann::json;
using enum ColumnKind;

std::string key_of(const std::string& batch) {
  return batch_row_key(batch);
}

constexpr std::array<std::string_view, 3> wish_words = {"hold", "release", "cancel"};

// `numbers` gets those of the jobs' rows, `orders` that of the next row of an order.
LiveBatch read_with_key(soci::session& session, const std::string& key, const std::string& store, bool& found,
                        std::map<std::string, std::int64_t>* numbers = nullptr,
                        std::int64_t* orders = nullptr) {
  LiveBatch batch;
  Query row(session,
            "select name, tag, began_ms, folder, directory, ordering, endless, added from wavewright_batch "
            "where batch_key = :k",
            {Value(key)}, {text, text, integer, text, text, text, integer, integer});
  found = row.fetch();
  if (!found) return batch;
  batch.name = row.text(0);
  batch.tag = row.text(1);
  batch.began = at_ms(row.number(2));
  batch.submissions = row.text(3);
  batch.directory = row.text(4);
  batch.ordering = stored_ordering(row.text(5), store);
  batch.endless = row.number(6) != 0;
  Query jobs(session,
             "select job_key, document from wavewright_batch_job where batch_key = :k order by job_key",
             {Value(key)}, {text, text});
  while (jobs.fetch()) {
    batch.jobs.push_back(stored_job(jobs.text(1), store));
    if (numbers != nullptr) (*numbers)[batch.jobs.back().id] = number_in_row_key(jobs.text(0));
  }
  const std::int64_t added = row.number(7);
  batch.added = added == std::ssize(batch.jobs) ? 0 : added;
  if (batch.has_queue()) batch.round = read_round(session, key, store, orders);
  return batch;
}

void insert_job(soci::session& session, const std::string& key, std::int64_t number, const LiveJob& job) {
  execute(session,
          "insert into wavewright_batch_job (job_key, batch_key, job_id, state, document) "
          "values (:k, :b, :j, :s, :d)",
          {Value(numbered_row_key(key, number)), Value(key), Value(job.id),
           Value(std::string(to_string(job.state))), Value(stored_text(job))});
}

std::int64_t logged(soci::session& session, const std::string& key) {
  Query row(session, "select logged from wavewright_batch where batch_key = :k", {Value(key)}, {integer});
  return row.fetch() ? row.number(0) : 0;
}

void insert_event(soci::session& session, const std::string& key, const std::string& event_key,
                  const LiveEvent& event) {
  execute(session,
          "insert into wavewright_batch_event (event_key, batch_key, at_ms, job_id, what, detail) "
          "values (:k, :b, :a, :j, :w, :d)",
          {Value(event_key), Value(key), Value(static_cast<long long>(to_ms(event.at))), Value(event.job),
           Value(event.what), Value(event.detail)});
}

void move_to_archive(soci::session& session, const std::string& key, std::int64_t number,
                     const LiveJob& job) {
  execute(session,
          "insert into wavewright_batch_past (past_key, batch_key, id_key, state, ended_ms, document) "
          "values (:p, :b, :i, :s, :e, :d)",
          {Value(past_row_key(key, job.id)), Value(key), Value(hash_text(job.id)),
           Value(std::string(to_string(job.state))),
           Value(static_cast<long long>(to_ms(ended_place(job).at))), Value(stored_text(job))});
  execute(session, "delete from wavewright_batch_job where job_key = :k",
          {Value(numbered_row_key(key, number))});
}

// Empty if it is not in the archive.
std::string archived_state(soci::session& session, const std::string& key, const std::string& job_id) {
  Query past(session, "select state from wavewright_batch_past where past_key = :k",
             {Value(past_row_key(key, job_id))}, {text});
  return past.fetch() ? past.text(0) : "";
}

class StoreJournal : public Journal {
 public:
  StoreJournal(const Store& store, const std::string& name, std::string program)
      : store_(store), name_(name), key_(key_of(name)), program_(std::move(program)) {}

  LiveBatch lead() override {
    const Database& database = store_.database();
    LiveBatch batch = database.in_transaction([&](soci::session& session) {
      execute(session,
              "update wavewright_batch set lead = lead + 1, writes = writes + 1, leader = :p "
              "where batch_key = :k",
              {Value(program_), Value(key_)});
      Query row(session, "select lead, events from wavewright_batch where batch_key = :k", {Value(key_)},
                {integer, integer});
      bool found = row.fetch();
      if (found) {
        lead_ = row.number(0);
        events_ = row.number(1);
      }
      numbers_.clear();
      orders_ = 0;
      return read_with_key(session, key_, database.where().shown, found, &numbers_, &orders_);
    });
    if (batch.name.empty()) throw UsageError("the store has no batch '" + name_ + "'");
    return batch;
  }

  void write(const JournalEntry& entry) override {
    const std::int64_t events = events_;
    store_.database().in_transaction([&](soci::session& session) {
      const auto count = static_cast<long long>(entry.events.size());
      const long long led =
          execute(session,
                  "update wavewright_batch set writes = writes + 1, events = :e, logged = logged + :n "
                  "where batch_key = :k and lead = :l",
                  {Value(static_cast<long long>(events) + count), Value(count), Value(key_), Value(lead_)});
      if (led == 0) throw LeadLost();
      for (const LiveJob& job : entry.jobs) {
        execute(session, "update wavewright_batch_job set state = :s, document = :d where job_key = :k",
                {Value(std::string(to_string(job.state))), Value(stored_text(job)),
                 Value(numbered_row_key(key_, numbers_.at(job.id)))});
      }
      std::int64_t number = events;
      for (const LiveEvent& event : entry.events)
        insert_event(session, key_, numbered_row_key(key_, number++), event);
      for (const std::string& wish : entry.granted)
        execute(session, "delete from wavewright_batch_wish where wish_key = :k", {Value(wish)});
      for (const LiveJob& job : entry.archived) move_to_archive(session, key_, numbers_.at(job.id), job);
      if (entry.round) write_round(session, key_, orders_, *entry.round);
      return 0;
    });
    if (entry.round && !entry.round->order.empty()) ++orders_;
    for (const LiveJob& job : entry.archived) numbers_.erase(job.id);
    events_ = events + std::ssize(entry.events);
  }

  void beat() override {
    store_.database().in_transaction([&](soci::session& session) {
      const long long led = execute(
          session, "update wavewright_batch set writes = writes + 1 where batch_key = :k and lead = :l",
          {Value(key_), Value(lead_)});
      if (led == 0) throw LeadLost();
      return 0;
    });
  }

  std::vector<LiveJob> added(std::size_t known) override {
    const Database& database = store_.database();
    return database.guarded([&](soci::session& session) {
      std::vector<LiveJob> found;
      // By the primary key alone: with the batch's key, SQLite passes over all its jobs.
      Query rows(session,
                 "select job_key, document from wavewright_batch_job where job_key >= :f and job_key <= :l "
                 "order by job_key",
                 {Value(numbered_row_key(key_, static_cast<std::int64_t>(known))),
                  Value(numbered_row_key(key_, last_row))},
                 {text, text});
      while (rows.fetch()) {
        found.push_back(stored_job(rows.text(1), database.where().shown));
        numbers_[found.back().id] = number_in_row_key(rows.text(0));
      }
      return found;
    });
  }

  std::vector<JobWish> wishes() override {
    return store_.database().guarded([&](soci::session& session) {
      std::vector<JobWish> wishes;
      Query rows(
          session,
          "select wish_key, job_id, wish from wavewright_batch_wish where batch_key = :k order by wish_key",
          {Value(key_)}, {text, text, text});
      while (rows.fetch()) {
        const auto word = std::find(wish_words.begin(), wish_words.end(), rows.text(2));
        if (word == wish_words.end()) continue;
        wishes.push_back({rows.text(0), rows.text(1), static_cast<Wish>(word - wish_words.begin())});
      }
      return wishes;
    });
  }

 private:
  const Store& store_;
  std::string name_, key_, program_;
  std::map<std::string, std::int64_t> numbers_;  // of the jobs' rows, by id
  long long lead_ = 0;
  std::int64_t events_ = 0;
  std::int64_t orders_ = 0;  // number of the next row of an order
};

}  // namespace

BatchStore::BatchStore(const Store& store) : store_(store) {
  store.database().limit_idle_transactions();
}

void BatchStore::create(const LiveBatch& batch) const {
  const Database& database = store_.database();
  const std::string key = key_of(batch.name);
  const bool fresh = database.in_transaction([&](soci::session& session) {
    Query there(session, "select name from wavewright_batch where batch_key = :k", {Value(key)}, {text});
    if (there.fetch()) return false;
    // The first event has the number 1, so that jobs may be added before it.
    execute(
        session,
        "insert into wavewright_batch (batch_key, name, tag, began_ms, folder, directory, ordering, lead, "
        "events, writes, leader, endless, added, logged) values (:k, :n, :t, :b, :f, :d, :o, 0, 1, 0, '', "
        ":x, :a, 0)",
        {Value(key), Value(batch.name), Value(batch.tag), Value(static_cast<long long>(to_ms(batch.began))),
         Value(batch.submissions), Value(batch.directory), Value(stored_text(batch.ordering)),
         Value(static_cast<long long>(batch.endless)), Value(static_cast<long long>(batch.jobs.size()))});
    for (std::size_t i = 0; i < batch.jobs.size(); ++i)
      insert_job(session, key, static_cast<std::int64_t>(i), batch.jobs[i]);
    return true;
  });
  if (!fresh) throw UsageError(fmt::format("the store has a batch '{}' already", batch.name));
}

void BatchStore::add(const std::string& name, const std::vector<LiveJob>& jobs, Time now,
                     const std::string& led_by) const {
  const std::string key = key_of(name);
  store_.database().in_transaction([&](soci::session& session) {
    // Whoever else writes to the batch waits from here on.
    const auto more = static_cast<long long>(jobs.size());
    const long long there =
        execute(session,
                "update wavewright_batch set writes = writes + 1, added = added + :a, logged = logged + :b "
                "where batch_key = :k",
                {Value(more), Value(more), Value(key)});
    if (there == 0) throw UsageError(fmt::format("the store has no batch '{}'", name));
    std::int64_t last_event = 0, number = 0;
    {
      Query row(session, "select events, added, leader from wavewright_batch where batch_key = :k",
                {Value(key)}, {integer, integer, text});
      if (row.fetch()) {
        if (!led_by.empty() && row.text(2) != led_by)
          throw ExternalError({"batch"}, "is not led by this daemon now", "ask again in some seconds");
        last_event = std::max<std::int64_t>(0, row.number(0) - 1);
        number = row.number(1) - more;
      }
    }
    std::set<std::string> ids;
    {
      Query rows(session, "select job_id from wavewright_batch_job where batch_key = :k", {Value(key)},
                 {text});
      while (rows.fetch()) ids.insert(rows.text(0));
    }
    for (const LiveJob& job : jobs) {
      if (!ids.insert(job.id).second)
        throw UsageError(fmt::format("batch '{}' has a job '{}' already", name, job.id),
                         "give it another id");
      if (const std::string past = archived_state(session, key, job.id); !past.empty())
        throw UsageError(
            fmt::format("batch '{}' had a job '{}', which is in its archive: {}", name, job.id, past),
            "give it another id");
      insert_job(session, key, number, job);
      // Behind the latest event of whoever leads the batch.
      insert_event(session, key, fmt::format("{}.{:08}", numbered_row_key(key, last_event), number),
                   {now, job.id, "Added", ""});
      ++number;
    }
    return 0;
  });
}

void BatchStore::forget(const std::string& name) const {
  store_.database().in_transaction([&](soci::session& session) {
    for (const char* table : {"wish", "event", "past", "job", "pools", "round", "order"})
      execute(session, fmt::format("delete from wavewright_batch_{} where batch_key = :k", table),
              {Value(key_of(name))});
    execute(session, "delete from wavewright_batch where batch_key = :k", {Value(key_of(name))});
    return 0;
  });
}

std::optional<LiveBatch> BatchStore::read(const std::string& name) const {
  const Database& database = store_.database();
  return database.in_transaction([&](soci::session& session) {
    bool found = false;
    LiveBatch batch = read_with_key(session, key_of(name), database.where().shown, found);
    return found ? std::optional(std::move(batch)) : std::nullopt;
  });
}

std::vector<std::string> BatchStore::names() const {
  return store_.database().guarded([&](soci::session& session) {
    std::vector<std::string> names;
    Query rows(session, "select name from wavewright_batch order by began_ms desc, batch_key", {}, {text});
    while (rows.fetch()) names.push_back(rows.text(0));
    return names;
  });
}

std::vector<LiveEvent> BatchStore::events(const std::string& name, std::int64_t behind,
                                          std::int64_t at_most) const {
  const std::string key = key_of(name);
  return store_.database().in_transaction([&](soci::session& session) {
    const std::int64_t wanted = std::min(at_most, logged(session, key) - behind);
    std::vector<LiveEvent> events;
    if (wanted <= 0) return events;
    // Counted from the nearer end, as what is skipped is read, too.
    const std::int64_t after = logged(session, key) - behind - wanted;
    const bool backwards = after < behind;
    Query rows(
        session,
        fmt::format("select at_ms, job_id, what, detail from wavewright_batch_event where batch_key = :k "
                    "order by event_key {} limit {} offset {}",
                    backwards ? "desc" : "asc", wanted, backwards ? after : behind),
        {Value(key)}, {integer, text, text, text});
    while (rows.fetch()) events.push_back({at_ms(rows.number(0)), rows.text(1), rows.text(2), rows.text(3)});
    if (backwards) std::reverse(events.begin(), events.end());
    return events;
  });
}

std::int64_t BatchStore::count_events(const std::string& name) const {
  return store_.database().guarded([&](soci::session& session) { return logged(session, key_of(name)); });
}

void BatchStore::wish(const std::string& batch, const std::string& job, Wish wish, Time now) const {
  const std::string key = key_of(batch);
  store_.database().in_transaction([&](soci::session& session) {
    // Equal instants of two users stay two wishes.
    for (std::int64_t number = to_ms(now);; ++number) {
      const std::string wish_key = fmt::format("{}.{:015}", key, number);
      Query there(session, "select wish_key from wavewright_batch_wish where wish_key = :k",
                  {Value(wish_key)}, {text});
      if (there.fetch()) continue;
      execute(session,
              "insert into wavewright_batch_wish (wish_key, batch_key, job_id, wish) values (:k, :b, :j, :w)",
              {Value(wish_key), Value(key), Value(job),
               Value(std::string(wish_words[static_cast<std::size_t>(wish)]))});
      return 0;
    }
  });
}

std::unique_ptr<Journal> BatchStore::journal(const std::string& name, const std::string& program) const {
  return std::make_unique<StoreJournal>(store_, name, program);
}

BatchStore::Lead BatchStore::lead_of(const std::string& name) const {
  return store_.database().guarded([&](soci::session& session) {
    Query row(session, "select leader, writes from wavewright_batch where batch_key = :k",
              {Value(key_of(name))}, {text, integer});
    if (!row.fetch()) throw UsageError(fmt::format("the store has no batch '{}'", name));
    return Lead{row.text(0), row.number(1)};
  });
}

}  // namespace wavewright
