#include "wavewright/history/source/content_check.h"

#include <algorithm>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/error.h"
#include "wavewright/history/reader.h"

namespace wavewright {

namespace {

// Numbers and texts of a binary history have zero bytes side by side, but few.
constexpr std::size_t most_zeros = std::size_t{1} << 16;

constexpr std::size_t decisive = 32;  // bytes: longer than every beginning below

// A trace may be one line of many jobs, a binary history has none.
bool has_lines(std::string_view start) {
  return start.starts_with("Avro-Json") || start.starts_with("Meta VERSION=\"") ||
         start.starts_with("Job JOBID=\"");
}

}  // namespace

void ContentCheck::take(std::string_view piece) {
  const bool undecided = start_.size() < decisive;
  if (undecided) {
    start_ += piece.substr(0, decisive - start_.size());
    lines_ = has_lines(without_byte_order_mark(start_));
  }
  take_zeros(piece);
  while ((lines_ || undecided) && !piece.empty()) {
    const auto newline = piece.find('\n');
    of_line_ += std::min(newline, piece.size());
    if (lines_ && of_line_ > longest_line) {
      throw InputError({source_, line_}, "line longer than 64 MiB, as Hadoop writes none",
                       "leave the file out, or take another copy of it");
    }
    if (newline == std::string_view::npos) return;
    of_line_ = 0;
    ++line_;
    piece.remove_prefix(newline + 1);
  }
}

void ContentCheck::take_zeros(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t leading = std::min(piece.find_first_not_of('\0'), piece.size());
    zeros_ += leading;
    if (zeros_ > most_zeros) {
      throw InputError({source_}, "a long row of zero bytes, as no history has",
                       "take another copy of it: the file was not written to its end");
    }
    if (leading == piece.size()) return;
    zeros_ = 0;
    piece.remove_prefix(leading);
    const auto next = piece.find('\0');
    if (next == std::string_view::npos) return;
    piece.remove_prefix(next);
  }
}

}  // namespace wavewright
