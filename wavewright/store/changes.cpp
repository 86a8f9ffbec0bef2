#include "wavewright/store/changes.h"

#include <algorithm>
#include <unordered_map>

#include "wavewright/core/error.h"
#include "wavewright/store/key.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/row.h"
#include "wavewright/store/run_copy.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

// A copy that is known: stored, or earlier in the batch.
struct Known : RunCopy {
  std::size_t place = stored;  // index in the batch
  Row row;                     // if stored

  static constexpr std::size_t stored = static_cast<std::size_t>(-1);
};

// All of a run but its identity and source.
std::string content_of(const Row& row, const std::string& tasks) {
  std::string all;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i == run_column::identity || i == run_column::source) continue;
    all += row[i].is_null() ? "-" : row[i].is_text ? row[i].text : std::to_string(row[i].number);
    all += '\n';
  }
  return hash_text(all) + hash_text(tasks);
}

std::string content_of(const PackedRun& run) {
  return content_of(to_row(run.header, run.identity), run.tasks);
}

Known known_of(const PackedRun& run, std::size_t place) {
  const RunHeader& header = run.header;
  return {{run.identity,
           storable(header.id),
           storable(header.name),
           storable(header.source),
           header.state,
           header.submit,
           header.launch,
           header.finish,
           {},
           run.fullness},
          place,
          {}};
}

Known known_of(const Row& row) {
  const RunHeader header = from_row(row);
  const auto sound = header.damage.empty() ? std::optional(Fullness{}) : std::nullopt;
  return {{row[run_column::identity].text,
           header.id,
           header.name,
           header.source,
           header.state,
           header.submit,
           header.launch,
           header.finish,
           {},
           sound},
          Known::stored,
          row};
}

// The copies that a batch may meet, by job id (or identity if there is none).
class KnownCopies {
 public:
  KnownCopies(const Database& database, std::span<const PackedRun> runs)
      : session_(database.session()), store_(database.where().shown) {
    std::vector<std::string> ids;
    std::vector<std::string> identities;
    for (const PackedRun& run : runs) {
      (run.header.id.empty() ? identities : ids)
          .push_back(run.header.id.empty() ? run.identity : search_key(storable(run.header.id)));
    }
    look_up("id_key", ids);
    look_up("identity", identities);
    read_contents(runs);
  }

  std::vector<Known>& like(const Known& run) { return known_[run.id.empty() ? run.identity : run.id]; }

 private:
  void look_up(const std::string& column, std::span<const std::string> keys) {
    each_chunk(keys, [&](const std::string& list, const Row& uses) {
      Query query(session_,
                  "select " + run_columns(session_) + " from wavewright_run where " + column + " in " + list,
                  uses, run_table());
      while (query.fetch()) {
        Known run = known_of(query.row());
        std::vector<Known>& others = like(run);
        others.push_back(std::move(run));
      }
    });
  }

  // Reads contents of stored copies where they decide. A stored run is unpacked only if its content differs.
  void read_contents(std::span<const PackedRun> runs) {
    std::unordered_map<std::string, std::pair<Known*, std::vector<std::string>>> wanted;  // contents it meets
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Known run = known_of(runs[i], i);
      for (Known& other : like(run)) {
        if (!same_job(other, run) || !needs_content(other, run)) continue;
        auto& entry = wanted[other.identity];
        entry.first = &other;
        entry.second.push_back(content_of(runs[i]));
      }
    }
    std::vector<std::string> identities;
    identities.reserve(wanted.size());
    for (const auto& [identity, entry] : wanted) identities.push_back(identity);
    each_chunk(identities, [&](const std::string& list, const Row& uses) {
      using enum ColumnKind;
      Query query(session_, "select identity, tasks from wavewright_tasks where identity in " + list, uses,
                  {text, text});
      while (query.fetch()) {
        auto& [known, met] = wanted.at(query.text(0));
        take_content(*known, query.text(1), met);
        known = nullptr;
      }
    });
    for (auto& [identity, entry] : wanted) {
      if (entry.first != nullptr) entry.first->fullness.reset();  // a run without its tasks
    }
  }

  void take_content(Known& known, const std::string& tasks, const std::vector<std::string>& met) {
    known.content = content_of(known.row, tasks);
    const bool equal =
        std::all_of(met.begin(), met.end(), [&](const std::string& one) { return one == known.content; });
    if (equal || !known.fullness) return;
    try {
      known.fullness = fullness_of(unpacked(store_, known.row, tasks));
    } catch (const Error&) {
      known.fullness.reset();
    }
  }

  soci::session& session_;
  std::string store_;
  std::unordered_map<std::string, std::vector<Known>> known_;
};

class Choice {
 public:
  Choice(KnownCopies& known, std::span<const PackedRun> runs) : known_(known), runs_(runs) {
    changes_.kept.assign(runs.size(), true);
  }

  Changes made() && {
    for (std::size_t i = 0; i < runs_.size(); ++i) take(i);
    return std::move(changes_);
  }

 private:
  void take(std::size_t place) {
    Known run = known_of(runs_[place], place);
    std::vector<Known>& others = known_.like(run);
    if (!others.empty()) run.content = content_of(runs_[place]);
    const Known* best = nullptr;
    for (Known& other : others) {
      if (!same_job(other, run)) continue;
      if (other.content.empty() && other.place != Known::stored)
        other.content = content_of(runs_[other.place]);
      if (best == nullptr || (same_job(*best, other) && effect_of(other, *best) != CopyEffect::nothing_new))
        best = &other;
    }
    if (best == nullptr) {
      ++changes_.added.fresh;
      others.push_back(std::move(run));
      return;
    }
    const CopyEffect effect = effect_of(run, *best);
    const Known kept = effect == CopyEffect::nothing_new ? *best : run;
    leave_only(kept, *best, others);
    if (effect == CopyEffect::nothing_new) {
      changes_.kept[place] = false;
      ++changes_.added.known;
      return;
    }
    ++(effect == CopyEffect::completes ? changes_.added.completed : changes_.added.updated);
    others.push_back(std::move(run));
  }

  // Removes the other copies of the job of `best`.
  void leave_only(const Known& kept, const Known& best, std::vector<Known>& others) {
    // `best` may be one of those that go.
    const Known like = best;  // NOLINT(performance-unnecessary-copy-initialization)
    std::erase_if(others, [&](const Known& other) {
      if (other.identity == kept.identity && other.place == kept.place) return false;
      if (!same_job(like, other)) return false;
      if (other.place == Known::stored) {
        changes_.removed.push_back(other.identity);
      } else {
        changes_.kept[other.place] = false;
      }
      return true;
    });
  }

  KnownCopies& known_;
  std::span<const PackedRun> runs_;
  Changes changes_;
};

}  // namespace

Changes changes_of(const Database& database, std::span<const PackedRun> runs) {
  KnownCopies known(database, runs);
  return Choice(known, runs).made();
}

}  // namespace wavewright
