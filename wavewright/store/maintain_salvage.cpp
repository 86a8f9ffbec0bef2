#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/copy_rows.h"
#include "wavewright/store/database.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/stored_runs.h"

namespace wavewright {

namespace {

class Salvage {
 public:
  Salvage(const Database& from, const Database& to, const std::atomic<bool>& interrupted,
          const std::function<void(Count)>& progress)
      : from_(from), to_(to), interrupted_(interrupted), progress_(progress) {}

  Copied made() && {
    from_.guarded([&](soci::session& session) {
      each_stored_run(
          session,
          [&](const Row& row, const std::string& tasks, const std::string& phases) {
            take(row, tasks, phases);
          },
          [&](const std::string& identity, const std::string& why) { lose(identity, why); });
    });
    write();
    take_files();
    copied_.partial = interrupted_;
    (void)to_.in_transaction([](soci::session& session) {
      write_counts(session, count_all(session));
      return true;
    });
    return std::move(copied_);
  }

 private:
  void take(const Row& row, const std::string& tasks, const std::string& phases) {
    if (interrupted_) return;
    try {
      const JobRun run = unpacked(from_.where().shown, row, tasks);
      runs_.push_back(row);
      tasks_.push_back({row.front(), Value(tasks)});
      phases_.push_back({row.front(), Value(phases.empty() ? phases_text_of(run) : phases)});
    } catch (const Error& error) {
      return lose(row.front().text, error.problem());
    }
    constexpr std::size_t at_once = 500;
    if (runs_.size() >= at_once) write();
  }

  void lose(const std::string& identity, const std::string& why) {
    if (!identity.empty()) ++copied_.lost;
    constexpr std::size_t most_told = 1'000;
    if (copied_.losses.size() < most_told)
      copied_.losses.push_back(identity.empty() ? why : identity + ": " + why);
  }

  void write() {
    const Count fresh = to_.in_transaction([&](soci::session&) {
      const std::vector<Row> runs = missing(to_, run_table(), runs_);
      const std::vector<std::string> keys = keys_of(runs);
      insert(to_, run_table(), runs);
      insert(to_, tasks_table(), of(keys, tasks_));
      insert(to_, phases_table(), of(keys, phases_));
      return std::ssize(runs);
    });
    copied_.runs += fresh;
    copied_.there += std::ssize(runs_) - fresh;
    passed_ += std::ssize(runs_);
    for (std::vector<Row>* rows : {&runs_, &tasks_, &phases_}) rows->clear();
    if (progress_) progress_(passed_);
  }

  // Both are in order of their keys.
  static std::vector<Row> of(std::span<const std::string> keys, const std::vector<Row>& rows) {
    std::vector<Row> chosen;
    std::size_t next = 0;
    for (const Row& row : rows) {
      if (next == keys.size() || row.front().text != keys[next]) continue;
      chosen.push_back(row);
      ++next;
    }
    return chosen;
  }

  // A file whose record is lost is read again by the next import. Which file a lost run came from is not
  // known, so then all are read again.
  void take_files() {
    if (interrupted_ || !copied_.losses.empty()) return;
    try {
      each_page(from_, file_table(), [&](std::vector<Row>&& rows) {
        const Count fresh = copy_files(to_, rows);
        copied_.files += fresh;
        copied_.there += std::ssize(rows) - fresh;
        return !interrupted_;
      });
    } catch (const InputError& error) {
      copied_.losses.push_back("records of files: " + error.problem());
    }
  }

  const Database& from_;
  const Database& to_;
  const std::atomic<bool>& interrupted_;
  const std::function<void(Count)>& progress_;
  Copied copied_;
  Count passed_ = 0;
  std::vector<Row> runs_;
  std::vector<Row> tasks_;
  std::vector<Row> phases_;
};

}  // namespace

Copied salvage_store(const Store& from, const Store& to, const std::atomic<bool>& interrupted,
                     const std::function<void(Count)>& progress) {
  refuse_onto_itself(from, to);
  return Salvage(from.database(), to.database(), interrupted, progress).made();
}

}  // namespace wavewright
