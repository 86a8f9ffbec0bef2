// gzip that arrives in pieces.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace wavewright {

[[nodiscard]] bool is_gzip(std::string_view bytes);

// Bytes to which a file of `stored` bytes may inflate: 200 times as many, at least 64 MiB, at most `limit`.
// Histories inflate at most 30-fold, a zip bomb about 1000-fold.
[[nodiscard]] std::size_t inflated_limit(std::size_t stored, std::size_t limit);

// Inflates content while it arrives; content that is no gzip passes as it is.
class Inflater {
 public:
  using Sink = std::function<void(std::string_view piece)>;

  // `limit`: bytes that may come out. Messages name `source`. What `sink` throws passes through.
  Inflater(std::string source, std::size_t limit, Sink sink);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // All members, as gunzip does. Throws InputError if the content is damaged, or if more comes out than
  // `limit` and the inflated_limit of the bytes inflated so far allow.
  void take(std::string_view bytes);

  // Throws InputError if a gzip stream ends early.
  void end();

 private:
  struct Stream;

  void inflate(std::string_view bytes);
  void hand_on(std::string_view piece);

  enum class Kind { unknown, plain, gzip };

  std::string source_;
  std::size_t limit_;
  Sink sink_;
  Kind kind_ = Kind::unknown;
  std::string start_;  // one byte that may begin a gzip
  std::unique_ptr<Stream> stream_;
  std::size_t taken_ = 0;  // bytes
  std::size_t given_ = 0;  // bytes
};

}  // namespace wavewright
