#include "wavewright/job/job_fields.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {

using simdjson::dom::array;
using simdjson::dom::element_type;

std::string kind_of(simdjson::dom::element value) {
  switch (value.type()) {
    case element_type::ARRAY:
      return "an array";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a text";
    case element_type::BOOL:
      return "a truth value";
    case element_type::NULL_VALUE:
      return "null";
    case element_type::DOUBLE:
    case element_type::INT64:
    case element_type::UINT64:
      return simdjson::minify(value);
  }
  return "unknown";
}

namespace {

std::size_t position_of(std::string_view name) {
  const std::vector<std::string>& names = workload_fields();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

JobFields::JobFields(std::string source) : source_(std::move(source)) {
  if (workload_fields().size() != known_fields)
    throw InternalError("workload_fields() and JobFields disagree");
}

void JobFields::begin(std::int64_t line) {
  line_ = line;
  values_.fill(std::nullopt);
}

bool JobFields::knows(std::string_view name) {
  return position_of(name) < known_fields;
}

void JobFields::put(std::string_view name, Element value) {
  auto& place = values_.at(position_of(name));
  if (place) refuse(fmt::format("the field '{}' appears twice", name), "keep one");
  place = value;
}

void JobFields::refuse(const std::string& what, const std::string& remedy) const {
  throw InputError({source_, line_}, what, remedy);
}

std::optional<JobFields::Element> JobFields::field(std::string_view name) const {
  const auto& value = values_.at(position_of(name));
  return value && value->is_null() ? std::nullopt : value;
}

std::string JobFields::text_of(std::string_view name) const {
  const auto value = field(name);
  if (!value) return {};
  std::string_view text;
  if (value->get(text) != simdjson::SUCCESS) {
    refuse(fmt::format("{} is {}, not a text", name, kind_of(*value)), "put it in quotes");
  }
  return std::string(text);
}

std::optional<std::int64_t> JobFields::integer_of(std::string_view name) const {
  const auto value = field(name);
  if (!value) return std::nullopt;
  std::int64_t integer = 0;
  if (value->type() == element_type::DOUBLE || value->get(integer) != simdjson::SUCCESS) {
    refuse(fmt::format("{} is {}, not a whole number", name, kind_of(*value)), "write an integer");
  }
  return integer;
}

std::optional<Bytes> JobFields::bytes_of(std::string_view name) const {
  const auto count = integer_of(name);
  if (!count) return std::nullopt;
  if (*count < 0)
    refuse(fmt::format("{} is negative ({})", name, *count), "leave it out where it is unknown");
  return Bytes{*count};
}

double JobFields::number(Element value, const std::string& name) const {
  double result = 0;
  if (value.get(result) != simdjson::SUCCESS || !std::isfinite(result)) {
    refuse(fmt::format("{} is {}, not a number", name, kind_of(value)), "write a decimal number");
  }
  return result;
}

std::optional<double> JobFields::number_of(std::string_view name) const {
  const auto value = field(name);
  return value ? std::optional(number(*value, std::string(name))) : std::nullopt;
}

std::optional<bool> JobFields::truth_of(std::string_view name) const {
  const auto value = field(name);
  if (!value) return std::nullopt;
  bool truth = false;
  if (value->get(truth) != simdjson::SUCCESS)
    refuse(fmt::format("{} is {}, not true or false", name, kind_of(*value)), "write true or false");
  return truth;
}

std::vector<std::string> JobFields::texts(Element value, const std::string& name) const {
  array list;
  std::vector<std::string> result;
  if (value.get(list) != simdjson::SUCCESS) {
    refuse(fmt::format("{} is {}, not a list of texts", name, kind_of(value)), "write [\"…\",\"…\"]");
  }
  for (const Element each : list) {
    std::string_view text;
    if (each.get(text) != simdjson::SUCCESS) {
      refuse(fmt::format("{} holds {}, not a text", name, kind_of(each)), "put it in quotes");
    }
    result.emplace_back(text);
  }
  return result;
}

std::optional<Bytes> JobFields::mebibytes_of(const std::string& name) const {
  const auto value = integer_of(name);
  if (!value) return std::nullopt;
  constexpr std::int64_t most = 1'000'000'000;
  if (*value < 1 || *value > most)
    refuse(fmt::format("{} is {}", name, *value), fmt::format("write MiB from 1 to {}", most));
  return Bytes{*value << 20};
}

}  // namespace wavewright
