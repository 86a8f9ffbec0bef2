#include "wavewright/store/column.h"

#include <zlib.h>

#include <array>
#include <limits>
#include <new>
#include <stdexcept>

namespace wavewright {

namespace {

constexpr std::size_t least_to_deflate = 160;  // bytes

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k, ++out) {
      if (i + k <= bytes.size()) *out = base64_digits[group >> (18 - 6 * k) & 63U];
    }
  }
  return text;
}

constexpr std::array<int, 256> base64_values = [] {
  std::array<int, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < base64_digits.size(); ++i) {
    values[static_cast<unsigned char>(base64_digits[i])] = static_cast<int>(i);
  }
  return values;
}();

std::string from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes(text.size() * 6 / 8, '\0');
  char* out = bytes.data();
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int digit = base64_values[static_cast<unsigned char>(c)];
    if (digit < 0) throw std::runtime_error("not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      *out++ = static_cast<char>(bits >> held & 0xffU);
    }
  }
  return bytes;
}

// One deflate stream per thread, because its setup costs more than deflating the tasks of a small run.
class Deflater {
 public:
  Deflater() {
    if (deflateInit(&stream_, 6) != Z_OK) throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  Deflater(Deflater&&) = delete;
  Deflater& operator=(Deflater&&) = delete;

  std::string deflated(std::string_view bytes) {
    deflateReset(&stream_);
    std::string packed(deflateBound(&stream_, static_cast<uLong>(bytes.size())), '\0');
    // zlib's input pointer lacks const, though it only reads. A run's columns stay below its limit of 4 GB.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    stream_.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream_.avail_out = static_cast<uInt>(packed.size());
    if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) throw std::bad_alloc();
    packed.resize(stream_.total_out);
    return packed;
  }

 private:
  z_stream stream_{};
};

// One inflate stream per thread: its setup costs more than inflating the phases of a small run.
class Inflater {
 public:
  Inflater() {
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  Inflater(Inflater&&) = delete;
  Inflater& operator=(Inflater&&) = delete;

  // Fills `bytes`; false if `packed` is damaged or of another length.
  bool inflate_into(std::string& bytes, std::string_view packed) {
    if (packed.size() > limit || bytes.size() > limit) return false;
    inflateReset(&stream_);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_out = static_cast<uInt>(bytes.size());
    return inflate(&stream_, Z_FINISH) == Z_STREAM_END && stream_.total_out == bytes.size();
  }

 private:
  static constexpr std::size_t limit = std::numeric_limits<uInt>::max();
  z_stream stream_{};
};

}  // namespace

void ColumnWriter::put(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>(value | 0x80U);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

void ColumnWriter::put_signed(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void ColumnWriter::put_text(std::string_view text) {
  put(text.size());
  bytes_ += text;
}

std::uint64_t ColumnReader::get() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) throw std::runtime_error("a column ends early");
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  throw std::runtime_error("a column holds an overlong number");
}

std::int64_t ColumnReader::get_signed() {
  const std::uint64_t bits = get();
  return static_cast<std::int64_t>(bits >> 1 ^ (0 - (bits & 1U)));
}

std::string_view ColumnReader::get_view() {
  const std::uint64_t size = get();
  if (size > rest_.size()) throw std::runtime_error("a text ends early");
  const std::string_view text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return text;
}

std::size_t ColumnReader::get_count(std::size_t bytes_left) {
  const std::uint64_t count = get();
  if (count > bytes_left) throw std::runtime_error("a count is larger than its column");
  return count;
}

Dictionary::Dictionary() {
  texts_.emplace_back();
  numbers_.emplace("", 0);
}

std::uint64_t Dictionary::number(const std::string& text) {
  const auto [entry, fresh] = numbers_.try_emplace(text, texts_.size());
  if (fresh) texts_.push_back(text);
  return entry->second;
}

std::string to_compressed_text(std::string_view bytes) {
  if (bytes.size() < least_to_deflate) return to_base64(bytes).insert(0, 1, '-');
  thread_local Deflater deflater;
  std::string text = std::to_string(bytes.size());
  text += ':';
  return text += to_base64(deflater.deflated(bytes));
}

std::string from_compressed_text(std::string_view text) {
  if (text.starts_with('-')) return from_base64(text.substr(1));
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 12)
    throw std::runtime_error("no length in front");
  std::uint64_t expected = 0;
  for (const char c : text.substr(0, colon)) {
    if (c < '0' || c > '9') throw std::runtime_error("no length in front");
    expected = expected * 10 + static_cast<std::uint64_t>(c - '0');
  }
  const std::string packed = from_base64(text.substr(colon + 1));
  // Deflate shrinks at most by a factor of 1032; a larger length is damage.
  if (expected > packed.size() * 1032 + 64) throw std::runtime_error("a length that cannot be");
  std::string bytes(expected, '\0');
  thread_local Inflater inflater;
  if (!inflater.inflate_into(bytes, packed)) throw std::runtime_error("damaged compression");
  return bytes;
}

}  // namespace wavewright
