// Takes a history's bytes while they arrive from a server or a pipe: inflates them, and refuses what no
// history holds before it is in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "wavewright/core/gzip.h"
#include "wavewright/history/source/content.h"
#include "wavewright/history/source/content_check.h"

namespace wavewright {

class ContentReading {
 public:
  // Thrown by `take` when the beginning of a history is none: `finish` then gives enough to describe it.
  struct NoHistory {};

  enum class What { history, settings };

  // `limit`: bytes of the (inflated) content.
  ContentReading(const std::string& source, What what, std::size_t limit)
      : check_(source),
        looked_(what == What::settings),
        inflater_(source, limit, [this](std::string_view piece) { keep(piece); }) {}

  // Throws InputError as Inflater and ContentCheck do, NoHistory.
  void take(std::string_view bytes) { inflater_.take(bytes); }
  [[nodiscard]] std::string finish() && {
    if (!no_history_) inflater_.end();
    return std::move(content_);
  }

 private:
  void keep(std::string_view piece) {
    check_.take(piece);
    content_ += piece;
    if (looked_ || content_.size() <= bytes_to_recognise) return;
    looked_ = true;
    no_history_ = !begins_as_history(content_);
    if (no_history_) throw NoHistory();
  }

  ContentCheck check_;
  std::string content_;
  bool looked_;
  bool no_history_ = false;
  Inflater inflater_;
};

}  // namespace wavewright
