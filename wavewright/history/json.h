// JSON of servers and traces, read without trust: a value that is missing, of another type or out of range
// counts as absent.
//
// A document is limited to 128 MiB, as simdjson's tree takes about ten times that, and to 64 levels of
// nesting.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wavewright::json {

using Value = simdjson::dom::element;

inline constexpr std::size_t largest_document = std::size_t{128} << 20;

// Holds one document at a time; its values and texts are valid until the next `parse`.
class Document {
 public:
  // Throws InputError with the reason if `bytes` are not a JSON document (`1e999` and `NaN` are no numbers).
  [[nodiscard]] Value parse(std::string_view bytes, const std::string& source);

 private:
  simdjson::dom::parser parser_;
};

// The member of that name; absent also if `object` is no object.
[[nodiscard]] std::optional<Value> member(Value object, std::string_view key);

// A member's text; empty if absent.
[[nodiscard]] std::string_view text(Value object, std::string_view key);

// A member's whole number, also written as a text or as `1.0e3`; absent if it exceeds 64 bits.
[[nodiscard]] std::optional<std::int64_t> integer(Value object, std::string_view key);

// Calls `each` for the items of that array; old servers write a list of one as the object itself.
template <class Each>
void for_each(Value object, std::string_view key, Each each) {
  const std::optional<Value> list = member(object, key);
  if (!list) return;
  if (simdjson::dom::array array; list->get(array) == simdjson::SUCCESS) {
    for (const Value one : array) each(one);
  } else if (list->is_object()) {
    each(*list);
  }
}

}  // namespace wavewright::json
