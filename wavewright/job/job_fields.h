// The fields of one line of a workload file, by name and type; used by JobParser only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "wavewright/core/quantity.h"

namespace wavewright {

// A JSON value in words: "a text", "an array"; a number as it is written.
[[nodiscard]] std::string kind_of(simdjson::dom::element value);

class JobFields {
 public:
  using Element = simdjson::dom::element;

  // `source`: the file's name, for messages.
  explicit JobFields(std::string source);

  // Forgets the fields of the line before.
  void begin(std::int64_t line);
  // Is it a field of workload files?
  [[nodiscard]] static bool knows(std::string_view name);
  // Only names that it knows. Refuses a field that is there already.
  void put(std::string_view name, Element value);

  // Throws InputError with file and line.
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::int64_t line() const { return line_; }

  // Absent where the line has no such field, or null. A value of another type is refused.
  [[nodiscard]] std::optional<Element> field(std::string_view name) const;
  [[nodiscard]] std::string text_of(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> integer_of(std::string_view name) const;
  [[nodiscard]] std::optional<Bytes> bytes_of(std::string_view name) const;
  [[nodiscard]] std::optional<double> number_of(std::string_view name) const;
  [[nodiscard]] std::optional<bool> truth_of(std::string_view name) const;
  [[nodiscard]] std::optional<Bytes> mebibytes_of(const std::string& name) const;

  // For a value inside of a field; `name` is for messages.
  [[nodiscard]] double number(Element value, const std::string& name) const;
  [[nodiscard]] std::vector<std::string> texts(Element value, const std::string& name) const;

 private:
  static constexpr std::size_t known_fields = 28;

  std::string source_;
  std::int64_t line_ = 0;
  std::array<std::optional<Element>, known_fields> values_;
};

}  // namespace wavewright
