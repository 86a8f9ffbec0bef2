#include "wavewright/history/follow.h"

#include "wavewright/core/when.h"

namespace wavewright {

namespace {

// Names kept in memory. Beyond that the oldest may be found twice; an import skips them by their version.
constexpr std::size_t most_remembered = 100'000;

}  // namespace

Follower::Follower(std::string where, SourceOptions options, Duration overlap)
    : where_(std::move(where)),
      options_(std::move(options)),
      overlap_(overlap),
      source_(open_source(where_, options_)) {}

void Follower::look(Time now, const std::function<bool(HistoryFile&&)>& found,
                    const DiagnosticSink& diagnostics) {
  SourceOptions options = options_;
  if (last_) options.since = std::max(*last_ - overlap_, options.since.value_or(Time::min()));
  source_ = open_source(where_, options);
  std::map<std::string, Seen> listed;
  bool whole = true;
  source_->list(
      [&](HistoryFile&& file) {
        const auto known = seen_.find(file.name);
        Seen seen{file.version, now};
        std::string name = file.name;
        const bool old =
            known != seen_.end() && !file.version.empty() && known->second.version == file.version;
        if (!old && !found(std::move(file))) return whole = false;
        if (listed.size() < most_remembered) listed.insert_or_assign(std::move(name), std::move(seen));
        return true;
      },
      diagnostics);
  // A name that is no longer listed is older than the overlap, or gone; it can be forgotten.
  for (auto& [name, seen] : seen_) {
    if (seen.looked + overlap_ >= now || !whole) listed.emplace(name, std::move(seen));
  }
  seen_ = std::move(listed);
  if (whole) last_ = now;
}

FollowedSource::FollowedSource(const std::string& where, const SourceOptions& options)
    : where_(where), options_(options), follower_(Follower(where, options)) {}

void FollowedSource::list(const std::function<bool(HistoryFile&&)>& found,
                          const DiagnosticSink& diagnostics) const {
  if (!follower_) follower_.emplace(where_, options_);
  follower_->look(now_instant(), found, [&](Diagnostic&& diagnostic) {
    if (told_.size() >= most_remembered) told_.clear();
    if (told_.emplace(diagnostic.where.text(), diagnostic.reason).second) diagnostics(std::move(diagnostic));
  });
}

FileHistory FollowedSource::read(const HistoryFile& file) const {
  return follower_->source().read(file);
}

void FollowedSource::forget() {
  follower_.reset();
}

}  // namespace wavewright
