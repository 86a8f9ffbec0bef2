// Words that an option accepts, stored with its definition for shell completion.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace wavewright::app {

// For completion only: an unknown word is refused where the value is read, with the nearest word.
CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words);

// The same for a registry whose entries have a `name`.
template <class Entries>
CLI::Option* offer_names(CLI::Option* option, const Entries& entries) {
  std::vector<std::string> words;
  words.reserve(entries.size());
  for (const auto& entry : entries) words.push_back(entry.name);
  return offer(option, words);
}

// Empty if the option offers none.
[[nodiscard]] std::vector<std::string> offered(const CLI::Option& option);

}  // namespace wavewright::app
