#include "wavewright/live/batch_store.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/store/database.h"
#include "wavewright/store/key.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

using Json = nlohmann::json;
using enum ColumnKind;

std::string key_of(const std::string& batch) {
  return hash_text(batch);
}

std::string numbered(const std::string& key, std::int64_t number) {
  return fmt::format("{}.{:012}", key, number);
}

Json instant(const std::optional<Time>& at) {
  return at ? Json(to_ms(*at)) : Json(nullptr);
}

std::string document_of(const LiveJob& job) {
  return Json{{"id", job.id},
              {"name", job.name},
              {"after", job.after},
              {"not_before_ms", to_ms(job.not_before)},
              {"command", job.command},
              {"tag", job.tag},
              {"many_applications", job.many_applications},
              {"state", to_string(job.state)},
              {"attempts", job.attempts},
              {"cluster_away", job.cluster_away},
              {"cancel", job.cancel},
              {"mark", {job.mark.incarnation, job.mark.ended, job.mark.kept}},
              {"submitting_since_ms", instant(job.submitting_since)},
              {"accepted_ms", instant(job.accepted_at)},
              {"started_ms", instant(job.started_at)},
              {"ended_ms", instant(job.ended_at)},
              {"applications", job.applications},
              {"reason", job.reason}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

LiveJob job_of(const std::string& text, const std::string& store) {
  try {
    const Json document = Json::parse(text);
    const auto at = [&](const char* key) {
      const Json& value = document.at(key);
      return value.is_null() ? std::optional<Time>() : at_ms(value.get<std::int64_t>());
    };
    LiveJob job;
    document.at("id").get_to(job.id);
    document.at("name").get_to(job.name);
    document.at("after").get_to(job.after);
    job.not_before = at_ms(document.at("not_before_ms").get<std::int64_t>());
    document.at("command").get_to(job.command);
    document.at("tag").get_to(job.tag);
    document.at("many_applications").get_to(job.many_applications);
    job.state = parse_live_state(document.at("state").get<std::string>(), store);
    document.at("attempts").get_to(job.attempts);
    document.at("cluster_away").get_to(job.cluster_away);
    document.at("cancel").get_to(job.cancel);
    const auto mark = document.at("mark").get<std::array<std::int64_t, 3>>();
    job.mark = {mark[0], mark[1], mark[2]};
    job.submitting_since = at("submitting_since_ms");
    job.accepted_at = at("accepted_ms");
    job.started_at = at("started_ms");
    job.ended_at = at("ended_ms");
    document.at("applications").get_to(job.applications);
    document.at("reason").get_to(job.reason);
    return job;
  } catch (const Json::exception&) {
    throw InputError({store}, "a job of a live batch is damaged", "restore the store from a copy");
  }
}

constexpr std::array<std::string_view, 3> wish_words = {"hold", "release", "cancel"};

LiveBatch read_with_key(soci::session& session, const std::string& key, const std::string& store,
                        bool& found) {
  LiveBatch batch;
  Query row(session,
            "select name, tag, began_ms, folder, directory from wavewright_batch where batch_key = :k",
            {Value(key)}, {text, text, integer, text, text});
  found = row.fetch();
  if (!found) return batch;
  batch.name = row.text(0);
  batch.tag = row.text(1);
  batch.began = at_ms(row.number(2));
  batch.submissions = row.text(3);
  batch.directory = row.text(4);
  Query jobs(session,
             "select job_key, document from wavewright_batch_job where batch_key = :k order by job_key",
             {Value(key)}, {text, text});
  while (jobs.fetch()) batch.jobs.push_back(job_of(jobs.text(1), store));
  return batch;
}

class StoreJournal : public Journal {
 public:
  StoreJournal(const Store& store, const std::string& name)
      : store_(store), name_(name), key_(key_of(name)) {}

  LiveBatch lead() override {
    const Database& database = store_.database();
    LiveBatch batch = database.in_transaction([&](soci::session& session) {
      execute(session, "update wavewright_batch set lead = lead + 1 where batch_key = :k", {Value(key_)});
      Query row(session, "select lead, events from wavewright_batch where batch_key = :k", {Value(key_)},
                {integer, integer});
      bool found = row.fetch();
      if (found) {
        lead_ = row.number(0);
        events_ = row.number(1);
      }
      return read_with_key(session, key_, database.where().shown, found);
    });
    if (batch.name.empty()) throw UsageError("the store has no batch '" + name_ + "'");
    for (std::size_t i = 0; i < batch.jobs.size(); ++i) places_[batch.jobs[i].id] = i;
    return batch;
  }

  void write(const JournalEntry& entry) override {
    const std::int64_t events = events_;
    store_.database().in_transaction([&](soci::session& session) {
      const auto count = static_cast<long long>(entry.events.size());
      const long long led =
          execute(session,
                  "update wavewright_batch set writes = writes + 1, events = :e "
                  "where batch_key = :k and lead = :l",
                  {Value(static_cast<long long>(events) + count), Value(key_), Value(lead_)});
      if (led == 0) throw LeadLost();
      for (const LiveJob& job : entry.jobs) {
        execute(session, "update wavewright_batch_job set state = :s, document = :d where job_key = :k",
                {Value(std::string(to_string(job.state))), Value(document_of(job)),
                 Value(numbered(key_, static_cast<std::int64_t>(places_.at(job.id))))});
      }
      std::int64_t number = events;
      for (const LiveEvent& event : entry.events) {
        execute(session,
                "insert into wavewright_batch_event (event_key, batch_key, at_ms, job_id, what, detail) "
                "values (:k, :b, :a, :j, :w, :d)",
                {Value(numbered(key_, number++)), Value(key_), Value(static_cast<long long>(to_ms(event.at))),
                 Value(event.job), Value(event.what), Value(event.detail)});
      }
      for (const std::string& wish : entry.granted)
        execute(session, "delete from wavewright_batch_wish where wish_key = :k", {Value(wish)});
      return 0;
    });
    events_ = events + std::ssize(entry.events);
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
  std::string name_, key_;
  std::map<std::string, std::size_t> places_;
  long long lead_ = 0;
  std::int64_t events_ = 0;
};

}  // namespace

void BatchStore::create(const LiveBatch& batch) const {
  const Database& database = store_.database();
  const std::string key = key_of(batch.name);
  const bool fresh = database.in_transaction([&](soci::session& session) {
    Query there(session, "select name from wavewright_batch where batch_key = :k", {Value(key)}, {text});
    if (there.fetch()) return false;
    execute(
        session,
        "insert into wavewright_batch (batch_key, name, tag, began_ms, folder, directory, lead, events, "
        "writes) "
        "values (:k, :n, :t, :b, :f, :d, 0, 0, 0)",
        {Value(key), Value(batch.name), Value(batch.tag), Value(static_cast<long long>(to_ms(batch.began))),
         Value(batch.submissions), Value(batch.directory)});
    for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
      execute(session,
              "insert into wavewright_batch_job (job_key, batch_key, job_id, state, document) "
              "values (:k, :b, :j, :s, :d)",
              {Value(numbered(key, static_cast<std::int64_t>(i))), Value(key), Value(batch.jobs[i].id),
               Value(std::string(to_string(batch.jobs[i].state))), Value(document_of(batch.jobs[i]))});
    }
    return true;
  });
  if (!fresh) throw UsageError(fmt::format("the store has a batch '{}' already", batch.name));
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

std::vector<LiveEvent> BatchStore::events(const std::string& name) const {
  return store_.database().guarded([&](soci::session& session) {
    std::vector<LiveEvent> events;
    Query rows(session,
               "select at_ms, job_id, what, detail from wavewright_batch_event where batch_key = :k order by "
               "event_key",
               {Value(key_of(name))}, {integer, text, text, text});
    while (rows.fetch()) events.push_back({at_ms(rows.number(0)), rows.text(1), rows.text(2), rows.text(3)});
    return events;
  });
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

std::unique_ptr<Journal> BatchStore::journal(const std::string& name) const {
  return std::make_unique<StoreJournal>(store_, name);
}

}  // namespace wavewright
