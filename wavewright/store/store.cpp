#include "wavewright/store/store.h"

#include <algorithm>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/store/connect.h"
#include "wavewright/store/key.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/phases_codec.h"
#include "wavewright/store/row.h"
#include "wavewright/store/schema.h"
#include "wavewright/store/select.h"
#include "wavewright/store/task_codec.h"
#include "wavewright/store/writer.h"

namespace wavewright {

namespace {

// Absent if missing, damaged, of another program version or of other tasks: they follow from the tasks.
std::optional<RunPhases> stored_phases(const RunHeader& header, const std::string& text, SettingsPool& pool) {
  if (text.empty()) return std::nullopt;
  try {
    auto phases = unpack_phases(text, pool);
    const bool of_run =
        phases && phases->id == header.id && phases->maps == header.maps && phases->reduces == header.reduces;
    return of_run ? std::move(phases) : std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

RunPhases phases_from(const Database& database, const Row& row, const RunHeader& header,
                      const std::string& text, SettingsPool& pool) {
  if (header.damage.empty()) {
    if (auto phases = stored_phases(header, text, pool)) return *std::move(phases);
  }
  Query tasks(database.session(), "select tasks from wavewright_tasks where identity = :identity",
              {row[run_column::identity]}, {ColumnKind::text});
  return phases_of(unpacked(database.where().shown, row, tasks.fetch() ? tasks.text(0) : std::string()));
}

// What `read` gives of a run; nothing if the run is damaged and somebody is told.
template <class Read>
auto readable(const Row& row, const Store::DamageSink& told, Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const ExternalError& error) {
    if (!told) throw;
    told(from_row(row), error.problem());
    return std::nullopt;
  }
}

}  // namespace

Store::Store(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&& other) noexcept {
  writer_ = std::move(other.writer_);  // before the session that its statements belong to
  database_ = std::move(other.database_);
  damaged_ = std::move(other.damaged_);
  return *this;
}

Store Store::open(const std::string& url, Access access) {
  std::unique_ptr<Database> database = connect(url, access);
  update_schema(*database, access);
  return Store(std::move(database));
}

Store::Added& Store::Added::operator+=(const Added& other) {
  fresh += other.fresh;
  completed += other.completed;
  updated += other.updated;
  known += other.known;
  return *this;
}

Store::Added Store::add(std::span<const PackedRun> runs, std::span<const ImportedFile> files) {
  return database_->in_transaction([&](soci::session& /*session*/) {
    try {
      if (!writer_) writer_ = std::make_unique<RunWriter>(*database_);
      return writer_->add(runs, files);
    } catch (...) {
      writer_.reset();  // drops rows that must not be written later
      throw;
    }
  });
}

Store::Added Store::add(std::span<const JobRun> runs) {
  std::vector<PackedRun> packed;
  packed.reserve(runs.size());
  for (const JobRun& run : runs) packed.push_back(pack_run(run));
  return add(std::span<const PackedRun>(packed));
}

std::vector<bool> Store::unchanged(std::span<const ImportedFile> files) const {
  return database_->guarded([&](soci::session& session) {
    std::map<std::string, std::pair<std::string, std::string>> known;  // key → name, version
    std::vector<std::string> keys;
    for (const ImportedFile& file : files) keys.push_back(file_key(file.name));
    each_chunk(keys, [&](const std::string& list, const Row& uses) {
      using enum ColumnKind;
      Query query(
          session,
          "select file_key, name, version from wavewright_file where jobs > 0 and file_key in " + list, uses,
          {text, text, text});
      while (query.fetch()) known[query.text(0)] = {query.text(1), query.text(2)};
    });
    std::vector<bool> same;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto entry = known.find(keys[i]);
      same.push_back(entry != known.end() && !files[i].version.empty() &&
                     entry->second == std::pair(storable(files[i].name), storable(files[i].version)));
    }
    return same;
  });
}

std::vector<RunHeader> Store::headers(const RunFilter& filter) const {
  return database_->guarded([&](soci::session&) {
    std::vector<RunHeader> found;
    select_runs(*database_, filter, Beside::nothing,
                [&](const Row& row, const std::string&) { found.push_back(from_row(row)); });
    return found;
  });
}

void Store::each_run(const RunFilter& filter, const std::function<void(JobRun&&)>& sink) const {
  database_->guarded([&](soci::session&) {
    select_runs(*database_, filter, Beside::tasks, [&](const Row& row, const std::string& tasks) {
      if (auto run = readable(row, damaged_, [&] { return unpacked(database_->where().shown, row, tasks); }))
        sink(*std::move(run));
    });
  });
}

std::vector<JobRun> Store::runs(const RunFilter& filter) const {
  std::vector<JobRun> found;
  each_run(filter, [&](JobRun&& run) { found.push_back(std::move(run)); });
  return found;
}

void Store::each_phases(const RunFilter& filter,
                        const std::function<void(const RunHeader&, RunPhases&&)>& sink) const {
  database_->guarded([&](soci::session&) {
    SettingsPool pool;
    select_runs(*database_, filter, Beside::phases, [&](const Row& row, const std::string& text) {
      const RunHeader header = from_row(row);
      if (auto phases =
              readable(row, damaged_, [&] { return phases_from(*database_, row, header, text, pool); }))
        sink(header, *std::move(phases));
    });
  });
}

std::vector<RunStay> Store::stays(Time from, Time to) const {
  return database_->guarded([&](soci::session& session) {
    using enum ColumnKind;
    std::vector<RunStay> found;
    const auto instant = [](Time time) { return Value(static_cast<long long>(to_ms(time))); };
    Query query(session,
                "select job_id, submit_ms, finish_ms from wavewright_run where submit_ms >= 0 and "
                "submit_ms < :to_ms and finish_ms > :from_ms and finish_ms <= :most_ms",
                {instant(to), instant(from), instant(at_ms(2 * longest_duration.count()))},
                {text, integer, integer});
    while (query.fetch()) found.push_back({query.text(0), at_ms(query.number(1)), at_ms(query.number(2))});
    return found;
  });
}

Count Store::run_count() const {
  return database_->guarded([&](soci::session& session) {
    Query query(session, "select runs from wavewright_count where kind = 'queue'", {}, {ColumnKind::integer});
    Count sum = 0;
    while (query.fetch()) sum += query.number(0);
    return sum;
  });
}

std::vector<RunName> Store::names() const {
  return database_->guarded([&](soci::session& session) {
    using enum ColumnKind;
    std::vector<RunName> found;
    Query query(session, "select value, runs, succeeded from wavewright_count where kind = 'name'", {},
                {text, integer, integer});
    while (query.fetch()) found.push_back({query.text(0), query.number(1), query.number(2)});
    std::sort(found.begin(), found.end(), [](const RunName& a, const RunName& b) { return a.name < b.name; });
    return found;
  });
}

std::string Store::known_name(const std::string& name) const {
  const auto found = database_->guarded([&](soci::session& session) {
    Query query(session, "select value from wavewright_count where kind = 'name' and value_key = :key",
                {Value(search_key(name))}, {ColumnKind::text});
    std::vector<std::string> values;
    while (query.fetch()) values.push_back(query.text(0));
    return values;
  });
  if (std::find(found.begin(), found.end(), name) != found.end()) return name;
  if (!found.empty()) return *std::min_element(found.begin(), found.end());
  std::vector<std::string> known;
  for (const RunName& entry : names()) known.push_back(entry.name);
  if (known.empty()) {
    throw UsageError("the store holds no runs yet", "import histories with 'wavewright import PATH…'");
  }
  const auto close = nearest(name, known);
  throw UsageError("no runs of a job named '" + name + "'",
                   close ? "did you mean '" + *close + "'?" : "'wavewright profile' lists the names");
}

}  // namespace wavewright
