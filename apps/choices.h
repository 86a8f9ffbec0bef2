// Words that an option takes, kept with its definition for the shells' completion.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace wavewright::app {

// Only offers them: what is not among them is refused where the value is read, with the nearest word.
CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words);

// The same for a registry whose entries have a `name`.
template <class Entries>
CLI::Option* offer_names(CLI::Option* option, const Entries& entries) {
  std::vector<std::string> words;
  words.reserve(entries.size());
  for (const auto& entry : entries) words.push_back(entry.name);
  return offer(option, words);
}

// Empty where none are offered.
[[nodiscard]] std::vector<std::string> offered(const CLI::Option& option);

}  // namespace wavewright::app
