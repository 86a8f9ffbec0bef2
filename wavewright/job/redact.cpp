#include "wavewright/job/redact.h"

#include <charconv>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// Is the word one of `kind-1` to `kind-most`? Any other number could be assigned a second time.
bool is_one_of(const std::string& word, const std::string& kind, std::size_t most) {
  if (!word.starts_with(kind + "-")) return false;
  const char* const end = word.data() + word.size();
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(word.data() + kind.size() + 1, end, number);
  return error == std::errc{} && stop == end && number >= 1 && number <= most &&
         word == fmt::format("{}-{}", kind, number);
}

}  // namespace

std::string Pseudonyms::of(const std::string& kind, const std::string& name) {
  if (name.empty()) return name;
  auto& words = words_[kind];
  const auto [place, fresh] = words.try_emplace(name);
  if (fresh) place->second = fmt::format("{}-{}", kind, words.size());
  return place->second;
}

std::size_t Pseudonyms::names(const std::string& kind) const {
  const auto words = words_.find(kind);
  return words == words_.end() ? 0 : words->second.size();
}

std::string Pseudonyms::to_json() const {
  return nlohmann::json(words_).dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

Pseudonyms Pseudonyms::from_json(std::string_view text, const std::string& source) {
  const std::string remedy = "name a map that 'wavewright workload redact --map' wrote, or a new file";
  Pseudonyms read;
  try {
    read.words_ = nlohmann::json::parse(text).get<decltype(read.words_)>();
  } catch (const nlohmann::json::exception&) {
    throw InputError({source}, "is no map of pseudonyms", remedy);
  }
  for (const auto& [kind, words] : read.words_) {
    std::set<std::string> taken;
    for (const auto& [name, word] : words) {
      if (!is_one_of(word, kind, words.size()) || !taken.insert(word).second) {
        throw InputError(
            {source}, fmt::format("the pseudonym '{}' of a {} is doubled or not ours", word, kind), remedy);
      }
    }
  }
  return read;
}

void redact(Job& job, Pseudonyms& pseudonyms) {
  job.id = pseudonyms.of("job", job.id);
  job.name = pseudonyms.of("name", job.name);
  job.profile = pseudonyms.of("name", job.profile);
  job.command.clear();  // it is full of names and paths
  job.several_applications = false;
  job.user = pseudonyms.of("user", job.user);
  job.queue = pseudonyms.of("queue", job.queue);
  for (std::string& before : job.after) before = pseudonyms.of("job", before);
  for (auto& nodes : job.splits) {
    for (std::string& node : nodes) node = pseudonyms.of("node", node);
  }
  std::map<std::string, ClassSpeed> classes;
  for (const auto& [name, speed] : job.classes) {
    classes[name == "default" ? name : pseudonyms.of("class", name)] = speed;
  }
  job.classes = std::move(classes);
  job.unknown_fields.clear();
}

}  // namespace wavewright
