// What the plug-in of the ResourceManager is told (plugins/yarn): for each job the ranks of its maps and
// reduces, and how many containers of each kind it may hold. A signed document in a file, written anew each
// second: an unchanged one is no sign of life.
//
// Its bytes: HMAC-SHA256 of the rest in hexadecimal digits, a line end, JSON of schema wavewright/targets/1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/yarn/target_placer.h"

namespace wavewright {

struct TaggedTarget {
  std::string tag;
  LiveTarget target;
};

// The jobs of the batch that have not ended. A job without a target of its own has its place in the batch as
// its ranks, and no limit.
//
// Where several commands are on their way to the cluster at once, a job may get there before one that stands
// before it. It may hold nothing until that one is there, for half a minute at most. So the order is kept.
[[nodiscard]] std::vector<TaggedTarget> targets_of(const LiveBatch& batch, Time now);

[[nodiscard]] std::string targets_text(std::int64_t generation, Time issued,
                                       std::span<const TaggedTarget> targets, std::string_view key,
                                       const TargetPlacer& placer = {});

// Throws as the constructor of TargetsFile does for the key.
void check_targets_key(const std::filesystem::path& key_file);

class TargetsFile {
 public:
  // The folder must exist. Throws ExternalError if another program writes to that file, or if the key cannot
  // be read; UsageError if others than its owner may read the key, or if it has less than 16 bytes.
  TargetsFile(std::filesystem::path file, const std::filesystem::path& key_file, TargetPlacer placer = {});
  ~TargetsFile();
  TargetsFile(const TargetsFile&) = delete;
  TargetsFile& operator=(const TargetsFile&) = delete;
  TargetsFile(TargetsFile&&) = delete;
  TargetsFile& operator=(TargetsFile&&) = delete;

  // A document of a generation above all before it, in this program and in those before. Throws
  // ExternalError.
  void write(std::span<const TaggedTarget> targets, Time now);

 private:
  std::filesystem::path file_;
  std::string key_;
  TargetPlacer placer_;
  int lock_ = -1;
  std::int64_t generation_ = 0;  // of the latest document
};

}  // namespace wavewright
