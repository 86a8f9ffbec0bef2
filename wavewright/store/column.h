// Packs columns of integers and texts into bytes, for a run's tasks.
//
// A column is a sequence of variable-length integers (LEB128, seven bits per byte, lowest first). The caller
// takes differences; they wrap around, so that every 64-bit value survives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wavewright {

class ColumnWriter {
 public:
  void put(std::uint64_t value);
  void put_signed(std::int64_t value);  // zigzag: values near 0 of either sign stay short
  void put_text(std::string_view text);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Throws std::runtime_error if the bytes end early or no writer can have made them; the caller knows the run.
class ColumnReader {
 public:
  ColumnReader() = default;
  explicit ColumnReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t get();
  [[nodiscard]] std::int64_t get_signed();
  [[nodiscard]] std::string get_text() { return std::string(get_view()); }
  [[nodiscard]] std::string_view get_view();  // of the reader's bytes
  [[nodiscard]] std::string_view rest() const { return rest_; }
  // A count of items that take at least one byte of `bytes_left` each, so that damaged data cannot demand
  // more memory than the input has bytes.
  [[nodiscard]] std::size_t get_count(std::size_t bytes_left);
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

// Numbers texts; the empty text is always 0.
class Dictionary {
 public:
  Dictionary();
  [[nodiscard]] std::uint64_t number(const std::string& text);
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
};

// Deflates and encodes in base64: plain text, because SOCI 4.0 has no binary values for MariaDB. Few bytes,
// which would not shrink, are not deflated.
[[nodiscard]] std::string to_compressed_text(std::string_view bytes);
// Throws std::runtime_error if the text is damaged.
[[nodiscard]] std::string from_compressed_text(std::string_view text);

}  // namespace wavewright
