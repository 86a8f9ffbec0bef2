// Takes a history's bytes while they arrive from a server or a pipe: inflates them, and refuses what no
// history holds before it is in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "wavewright/core/gzip.h"
#include "wavewright/history/source/content_check.h"

namespace wavewright {

class ContentReading {
 public:
  // `limit`: bytes of the (inflated) content.
  ContentReading(const std::string& source, std::size_t limit)
      : check_(source), inflater_(source, limit, [this](std::string_view piece) { keep(piece); }) {}

  // Throws InputError as Inflater and ContentCheck do.
  void take(std::string_view bytes) { inflater_.take(bytes); }
  [[nodiscard]] std::string finish() && {
    inflater_.end();
    return std::move(content_);
  }

 private:
  void keep(std::string_view piece) {
    check_.take(piece);
    content_ += piece;
  }

  ContentCheck check_;
  std::string content_;
  Inflater inflater_;
};

}  // namespace wavewright
