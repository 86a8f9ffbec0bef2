// Reads the arguments of a Spec as values: numbers, durations, shares, words, file names.
//
// The owner of a Spec declares its parameters (Parameter) and then takes each by name. A parameter that is
// undeclared, given twice or without value is refused before any is taken. A value out of range is refused,
// too. Each refusal is a UsageError that says what is wrong and what to write.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/spec.h"
#include "wavewright/core/time.h"

namespace wavewright {

struct Parameter {
  std::string name;         // `preempt`
  std::string takes;        // `TIME`; words as `fair|fifo`
  std::string description;  // half a sentence
  bool unnamed = false;     // may be given by position, in the order of the list: `delay(3s)`
};

// `fair(within=fair|fifo, preempt=TIME)`; `delay(NODE, rack=TIME)` where `node` is unnamed.
[[nodiscard]] std::string usage_of(const std::string& name, const std::vector<Parameter>& parameters);

// Allowed values, both ends included.
template <class Value>
struct Range {
  std::optional<Value> least{};
  std::optional<Value> most{};
  bool above = false;  // `least` itself is excluded
  std::string noun{};  // for errors: "number of jobs" instead of "whole number"
  std::string also{};  // likewise: a word that is taken too
};

// The number, if the whole text is one and it is finite.
[[nodiscard]] std::optional<double> finite_number(std::string_view text);

class Parameters {
 public:
  // `owner` in errors: "policy 'fair'".
  Parameters(const Spec& spec, std::string owner, std::vector<Parameter> declared);

  [[nodiscard]] bool given(const std::string& key) const { return values_.contains(key); }

  // Each call takes one parameter. If it was not given, the result is `otherwise`; without `otherwise` it is
  // a UsageError. An undeclared key is an InternalError.
  [[nodiscard]] double number(const std::string& key, std::optional<double> otherwise = {},
                              const Range<double>& range = {});
  [[nodiscard]] Count whole(const std::string& key, std::optional<Count> otherwise = {},
                            const Range<Count>& range = {});
  // Not negative (core/time.h).
  [[nodiscard]] Duration duration(const std::string& key, std::optional<Duration> otherwise = {},
                                  const Range<Duration>& range = {});
  // `50%` or `0.5`, from 0 to 1.
  [[nodiscard]] double share(const std::string& key, std::optional<double> otherwise = {});
  [[nodiscard]] std::string word(const std::string& key, const std::vector<std::string>& words,
                                 std::optional<std::string> otherwise = {});
  [[nodiscard]] std::filesystem::path file(const std::string& key,
                                           std::optional<std::filesystem::path> otherwise = {});
  // The text as written, for values with their own notation.
  [[nodiscard]] std::string text(const std::string& key, std::optional<std::string> otherwise = {});

  // Refuses the value of a parameter: "policy 'fair': masters is 'half', not a percentage".
  [[noreturn]] void refuse(const std::string& key, const std::string& noun, const std::string& remedy) const;
  void finish() const;

 private:
  struct Given {
    std::string text;
    bool taken = false;
  };
  void add(const std::string& key, const std::string& text);
  [[nodiscard]] const Parameter& declared(const std::string& key) const;
  // `the interval` if the parameter may be given by position.
  [[nodiscard]] std::string subject(const std::string& key) const;
  // Null if it was not given; throws if there is no default either.
  [[nodiscard]] const std::string* take(const std::string& key, bool otherwise);

  std::string owner_, usage_;
  std::vector<Parameter> declared_;
  std::map<std::string, Given> values_;
};

}  // namespace wavewright
