// Reads a plain or gzip file line by line. Memory: the longest line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

class LineReader {
 public:
  // Readable bytes behind a line's end, for simdjson.
  static constexpr std::size_t padding = 64;
  static constexpr std::size_t longest_line = std::size_t{256} << 20;

  // `-` is standard input. Throws ExternalError if the file cannot be opened.
  explicit LineReader(const std::filesystem::path& path);
  // Lines of a text; `source` names it in errors.
  LineReader(std::string_view text, std::string source);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;
  LineReader(LineReader&&) = delete;
  LineReader& operator=(LineReader&&) = delete;

  // The next line without its end (`\n` or `\r\n`), valid until the next call; skips a byte-order mark at the
  // start. Throws InputError for damaged gzip and lines over `longest_line`, ExternalError if reading fails.
  [[nodiscard]] std::optional<std::string_view> next();

  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::int64_t line() const { return line_; }        // number of the last line returned, from 1
  [[nodiscard]] bool ended_early() const { return !terminated_; }  // it had no end: the last of the file

 private:
  struct Stream;
  bool fill();  // false at the end

  std::string source_;
  std::unique_ptr<Stream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;    // first byte not yet given
  std::size_t end_ = 0;      // behind the last byte read
  std::size_t scanned_ = 0;  // no line end stands before this
  std::int64_t line_ = 0;
  bool terminated_ = true;
};

}  // namespace wavewright
