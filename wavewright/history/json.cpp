#include "wavewright/history/json.h"

#include <algorithm>
#include <cmath>

#include "wavewright/core/error.h"
#include "wavewright/history/text.h"

namespace wavewright::json {

namespace {

constexpr std::size_t deepest = 64;

std::optional<std::int64_t> whole(double number) {
  constexpr double beyond = 9007199254740992.0;  // 2^53: above it a double cannot represent every integer
  if (!(std::fabs(number) <= beyond) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

Value Document::parse(std::string_view bytes, const std::string& source) {
  const auto refuse = [&](const std::string& why) {
    throw InputError({source}, "not JSON that can be read: " + why, "fetch it again");
  };
  if (bytes.size() > largest_document) refuse("longer than 128 MiB");
  Value root;
  simdjson::error_code error = parser_.allocate(std::max<std::size_t>(bytes.size(), 64), deepest);
  if (error == simdjson::SUCCESS) error = parser_.parse(bytes.data(), bytes.size()).get(root);
  if (error == simdjson::DEPTH_ERROR) refuse("nested deeper than 64 levels");
  if (error == simdjson::EMPTY) refuse("it is empty");
  if (error == simdjson::NUMBER_ERROR) refuse("a number that is none or has no end");
  if (error == simdjson::UTF8_ERROR) refuse("text that is not UTF-8");
  if (error == simdjson::MEMALLOC) refuse("not enough memory");
  if (error != simdjson::SUCCESS) refuse("it is damaged or cut off");
  return root;
}

std::optional<Value> member(Value object, std::string_view key) {
  Value found;
  if (!object.is_object() || object[key].get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

std::string_view text(Value object, std::string_view key) {
  const auto found = member(object, key);
  std::string_view told;
  return found && found->get(told) == simdjson::SUCCESS ? told : std::string_view{};
}

std::optional<std::int64_t> integer(Value object, std::string_view key) {
  const auto found = member(object, key);
  if (!found) return std::nullopt;
  std::int64_t number = 0;
  if (found->get(number) == simdjson::SUCCESS) return number;
  if (std::string_view told; found->get(told) == simdjson::SUCCESS) return parse_integer(told);
  if (double real = 0; found->is_double() && found->get(real) == simdjson::SUCCESS) return whole(real);
  return std::nullopt;
}

}  // namespace wavewright::json
