#include "wavewright/live/yarn/targets.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/live/submission/signature.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

std::string read_key(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0)
    throw ExternalError({file.string()}, fmt::format("cannot read the key: {}", std::strerror(errno)),
                        "make one as plugins/yarn/README.md says");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw UsageError(fmt::format("others may use the key {}", file.string()), "chmod 600 it");
  std::string key = read_file(file, std::size_t{1} << 16);
  while (key.ends_with('\n') || key.ends_with('\r')) key.pop_back();
  constexpr std::size_t least = 16;
  if (key.size() < least)
    throw UsageError(fmt::format("the key {} has {} bytes", file.string(), key.size()),
                     fmt::format("give at least {}", least));
  return key;
}

// 0 for what is no document, as the plug-in would refuse it, too.
std::int64_t generation_of(const std::filesystem::path& file, std::string_view key) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return 0;
  const std::string text = read_file(file, std::size_t{8} << 20);
  const std::size_t line = text.find('\n');
  if (line == std::string::npos ||
      !same_signature(text.substr(0, line), signature_of(text.substr(line + 1), key)))
    return 0;
  const Json document =
      Json::parse(text.begin() + static_cast<std::ptrdiff_t>(line) + 1, text.end(), nullptr, false);
  return document.is_object() ? document.value("generation", std::int64_t{0}) : 0;
}

}  // namespace

std::vector<TaggedTarget> targets_of(const LiveBatch& batch, Time now) {
  constexpr Duration patience = ms(30'000);
  std::vector<TaggedTarget> targets;
  std::optional<Time> on_its_way;  // the first command since then is not there yet
  for (std::size_t place = 0; place < batch.jobs.size(); ++place) {
    const LiveJob& job = batch.jobs[place];
    if (has_ended(job.state)) continue;
    const auto rank = static_cast<std::int64_t>(place);
    TaggedTarget target{job.tag, job.target.value_or(LiveTarget{rank, rank, {}, {}})};
    if (on_its_way && job.submitting_since >= on_its_way) target.target.maps = target.target.reduces = 0;
    targets.push_back(std::move(target));
    const bool fresh = job.state == LiveState::submitting && now - *job.submitting_since < patience;
    if (fresh && (!on_its_way || *job.submitting_since < *on_its_way)) on_its_way = job.submitting_since;
  }
  return targets;
}

std::string targets_text(std::int64_t generation, Time issued, std::span<const TaggedTarget> targets,
                         std::string_view key, const TargetPlacer& placer) {
  Json document = {{"schema", "wavewright/targets/1"},
                   {"generation", generation},
                   {"issued_ms", to_ms(issued)},
                   {"applications", Json::array()}};
  for (const auto& [tag, target] : targets) {
    Json entry = {{"tag", tag}, {"map_rank", target.map_rank}, {"reduce_rank", target.reduce_rank}};
    if (target.maps) entry["map_target"] = *target.maps;
    if (target.reduces) entry["reduce_target"] = *target.reduces;
    if (!placer.name.empty()) entry["placement"] = placer.name;
    if (placer.name == "delay") {
      entry["node_wait_ms"] = to_ms(placer.node);
      entry["rack_wait_ms"] = to_ms(placer.rack);
    }
    document["applications"].push_back(std::move(entry));
  }
  const std::string text = document.dump();
  return signature_of(text, key) + "\n" + text;
}

void check_targets_key(const std::filesystem::path& key_file) {
  (void)read_key(key_file);
}

TargetsFile::TargetsFile(std::filesystem::path file, const std::filesystem::path& key_file,
                         TargetPlacer placer)
    : file_(std::move(file)), key_(read_key(key_file)), placer_(std::move(placer)) {
  const std::string lock = file_.string() + ".lock";
  lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0)
    throw ExternalError({lock}, fmt::format("cannot be made: {}", std::strerror(errno)),
                        "name a file in a folder that you may write");
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock_);
    throw ExternalError({file_.string()}, "another wavewright writes targets there",
                        "end it, or name another file");
  }
  generation_ = generation_of(file_, key_);
}

TargetsFile::~TargetsFile() {
  ::close(lock_);
}

void TargetsFile::write(std::span<const TaggedTarget> targets, Time now) {
  // By the clock, so that a file that was lost does not begin anew; above the last one if the clock went
  // back.
  generation_ = std::max(generation_ + 1, to_ms(now));
  const std::string text = targets_text(generation_, now, targets, key_, placer_);
  write_file(file_, [&](std::ostream& out) { out << text; });
}

}  // namespace wavewright
