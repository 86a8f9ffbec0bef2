#include "wavewright/core/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

std::string shown(double value) {
  return fmt::format("{}", value);
}
std::string shown(Count value) {
  return fmt::format("{}", value);
}
std::string shown(Duration value) {
  return value == Duration{} ? "0" : format_duration(value);
}

// `number from 0 to 10`, `time above 0`
template <class Value>
std::string words_of(const Range<Value>& range, std::string noun) {
  if (range.least) noun += (range.above ? " above " : " from ") + shown(*range.least);
  if (range.most) noun += (range.least && !range.above ? " to " : " up to ") + shown(*range.most);
  return noun;
}

// For errors: the noun of a range, and the remedy.
template <class Value>
std::pair<std::string, std::string> wanted(const Range<Value>& range, const std::string& usual) {
  const std::string words = words_of(range, usual);
  const std::string also = range.also.empty() ? "" : " or " + range.also;
  return {(range.noun.empty() ? words : range.noun) + also, "give a " + words + also};
}

template <class Value>
bool holds(const Range<Value>& range, Value value) {
  if (range.least && (value < *range.least || (range.above && value == *range.least))) return false;
  return !range.most || value <= *range.most;
}

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  names.reserve(parameters.size());
  for (const Parameter& each : parameters) names.push_back(each.name);
  return names;
}

}  // namespace

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string usage_of(const std::string& name, const std::vector<Parameter>& parameters) {
  std::string inside;
  for (const Parameter& each : parameters) {
    if (!inside.empty()) inside += ", ";
    inside += each.unnamed ? each.takes : each.name + "=" + each.takes;
  }
  return inside.empty() ? name : name + "(" + inside + ")";
}

Parameters::Parameters(const Spec& spec, std::string owner, std::vector<Parameter> declared)
    : owner_(std::move(owner)), usage_(usage_of(spec.name, declared)), declared_(std::move(declared)) {
  if (declared_.empty() && !(spec.positional.empty() && spec.parameters.empty()))
    throw UsageError(owner_ + " takes no arguments", "write " + usage_);
  auto next = declared_.begin();
  for (const std::string& text : spec.positional) {
    next = std::find_if(next, declared_.end(), [](const Parameter& each) { return each.unnamed; });
    if (next == declared_.end())
      throw UsageError(owner_ + " does not take '" + shortened(text) + "'", "write " + usage_);
    add(next++->name, text);
  }
  const std::vector<std::string> names = names_of(declared_);
  for (const auto& [name, text] : spec.parameters) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw UsageError(owner_ + " has no parameter '" + shortened(name) + "'", suggestion(name, names));
    add(name, text);
  }
}

void Parameters::add(const std::string& key, const std::string& text) {
  if (text.empty())
    throw UsageError(owner_ + ": " + key + " is empty", "write " + key + "=" + declared(key).takes);
  if (!values_.try_emplace(key, Given{text}).second)
    throw UsageError(owner_ + " is given " + key + " twice", "write it once");
}

const Parameter& Parameters::declared(const std::string& key) const {
  const auto found = std::find_if(declared_.begin(), declared_.end(),
                                  [&](const Parameter& each) { return each.name == key; });
  if (found == declared_.end())
    throw InternalError(owner_ + " takes '" + key + "', which is no parameter of it");
  return *found;
}

std::string Parameters::subject(const std::string& key) const {
  return declared(key).unnamed ? "the " + key : key;
}

const std::string* Parameters::take(const std::string& key, bool otherwise) {
  const Parameter& parameter = declared(key);
  const auto found = values_.find(key);
  if (found != values_.end()) {
    found->second.taken = true;
    return &found->second.text;
  }
  if (!otherwise) throw UsageError(owner_ + " needs " + subject(parameter.name), "write " + usage_);
  return nullptr;
}

void Parameters::refuse(const std::string& key, const std::string& noun, const std::string& remedy) const {
  const auto found = values_.find(key);
  const std::string text = found == values_.end() ? std::string() : shortened(found->second.text);
  const char* const article =
      noun.empty() || std::string_view("aeiou").find(noun.front()) == std::string::npos ? "a" : "an";
  throw UsageError(fmt::format("{}: {} is '{}', not {} {}", owner_, subject(key), text, article, noun),
                   remedy);
}

double Parameters::number(const std::string& key, std::optional<double> otherwise,
                          const Range<double>& range) {
  const std::string* text = take(key, otherwise.has_value());
  if (text == nullptr) return *otherwise;
  const std::optional<double> value = finite_number(*text);
  if (value && holds(range, *value)) return *value;
  const auto [noun, remedy] = wanted(range, "number");
  refuse(key, noun, remedy);
}

Count Parameters::whole(const std::string& key, std::optional<Count> otherwise, const Range<Count>& range) {
  const std::string* text = take(key, otherwise.has_value());
  if (text == nullptr) return *otherwise;
  Count value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error == std::errc{} && end == text->data() + text->size() && holds(range, value)) return value;
  const auto [noun, remedy] = wanted(range, "whole number");
  refuse(key, noun, remedy);
}

Duration Parameters::duration(const std::string& key, std::optional<Duration> otherwise,
                              const Range<Duration>& range) {
  const std::string* text = take(key, otherwise.has_value());
  if (text == nullptr) return *otherwise;
  Duration value{};
  try {
    value = parse_duration(*text);
  } catch (const UsageError& error) {
    throw UsageError(owner_ + ": " + shortened(error.problem()), error.remedy());
  }
  if (holds(range, value)) return value;
  throw UsageError(fmt::format("{}: {} is {}", owner_, subject(key), *text),
                   "give a " + words_of(range, "time") + ", such as 60s");
}

double Parameters::share(const std::string& key, std::optional<double> otherwise) {
  const std::string* text = take(key, otherwise.has_value());
  if (text == nullptr) return *otherwise;
  constexpr double whole = 100;
  const bool percent = text->ends_with('%');
  const std::optional<double> value =
      finite_number(std::string_view(*text).substr(0, text->size() - (percent ? 1 : 0)));
  const double most = percent ? whole : 1;
  if (value && *value >= 0 && *value <= most) return percent ? *value / whole : *value;
  refuse(key, "share", "give one from 0 to 1, like 0.5, or 50%");
}

std::string Parameters::word(const std::string& key, const std::vector<std::string>& words,
                             std::optional<std::string> otherwise) {
  const std::string* text = take(key, otherwise.has_value());
  if (text == nullptr) return *otherwise;
  if (std::find(words.begin(), words.end(), *text) != words.end()) return *text;
  throw UsageError(fmt::format("{}: unknown {} '{}'", owner_, key, shortened(*text)),
                   suggestion(*text, words));
}

std::filesystem::path Parameters::file(const std::string& key,
                                       std::optional<std::filesystem::path> otherwise) {
  const std::string* text = take(key, otherwise.has_value());
  return text == nullptr ? *otherwise : std::filesystem::path(*text);
}

std::string Parameters::text(const std::string& key, std::optional<std::string> otherwise) {
  const std::string* text = take(key, otherwise.has_value());
  return text == nullptr ? *otherwise : *text;
}

void Parameters::finish() const {
  for (const auto& [key, value] : values_) {
    if (!value.taken) throw UsageError(owner_ + " has no use for " + key + " here", "leave it away");
  }
}

}  // namespace wavewright
