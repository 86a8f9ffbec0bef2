// Columns of integers and texts as bytes: what a run's tasks are packed into.
//
// Each column is its values as variable-length integers, one after the other (LEB128, seven bits a byte,
// lowest first); differences are taken by the caller and wrap around, so that every 64-bit value survives.
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
  void put_signed(std::int64_t value);  // zigzag: small magnitudes of either sign stay short
  void put_text(std::string_view text);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Throws std::runtime_error where the bytes end early or cannot be what a writer made; the caller knows
// which run they belong to.
class ColumnReader {
 public:
  ColumnReader() = default;
  explicit ColumnReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t get();
  [[nodiscard]] std::int64_t get_signed();
  [[nodiscard]] std::string get_text();
  // A count of things that each take at least one byte of what is left, so that damage cannot ask for
  // more memory than there is input.
  [[nodiscard]] std::size_t get_count(std::size_t bytes_left);
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

// Texts by number; the empty text is always 0.
class Dictionary {
 public:
  Dictionary();
  [[nodiscard]] std::uint64_t number(const std::string& text);
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
};

// Deflated, then in base64: plain text, because SOCI 4.0 has no binary values for MariaDB. Few bytes, which
// would not become fewer, are not deflated.
[[nodiscard]] std::string to_compressed_text(std::string_view bytes);
// Throws std::runtime_error on damage.
[[nodiscard]] std::string from_compressed_text(std::string_view text);

}  // namespace wavewright
