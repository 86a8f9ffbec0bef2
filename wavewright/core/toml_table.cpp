#include "wavewright/core/toml_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <simdjson.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

// Whether a quote after this character, blanks apart, begins a text: not one inside of a number or word, nor
// after a point, which may be a number's; quoted parts of dotted keys are therefore ASCII here.
bool may_begin_text(char before) {
  constexpr std::string_view marks = "\n=[{,";
  return marks.find(before) != std::string_view::npos;
}

// The line (from 1) that has a character beyond ASCII outside of quotes and comments; 0 = none. There TOML
// has no use for one, and the parser's own tables do not know them all.
std::int64_t line_with_odd_character(std::string_view text) {
  std::int64_t line = 1;
  char quote = '\0';
  char before = '\n';  // the last that is no blank
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      quote = '\0';
      before = c;
      comment = false;
    } else if (comment) {
      continue;
    } else if (quote != '\0') {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') && (may_begin_text(before) || (i > 0 && text[i - 1] == c))) {
      quote = before = c;
    } else if (c == '#') {
      comment = true;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return line;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      before = c;
    }
  }
  return 0;
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& source, const std::string& page) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    throw InputError({source}, "not TOML: not UTF-8", "save it as UTF-8; see " + page);
  }
  if (const std::int64_t line = line_with_odd_character(text); line > 0) {
    throw InputError({source, line}, "not TOML: a character beyond ASCII outside of quotes",
                     "put names in quotes; see " + page);
  }
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw InputError({source, static_cast<std::int64_t>(error.source().begin.line)},
                     "not TOML: " + std::string(error.description()), "see " + page);
  } catch (const std::invalid_argument& error) {
    throw InputError({source}, std::string("not TOML: ") + error.what(), "see " + page);
  }
}

void TomlTable::refuse(const toml::source_region& where, const std::string& what,
                       const std::string& remedy) const {
  throw InputError({source_, static_cast<std::int64_t>(where.begin.line)}, what, remedy);
}

const toml::node* TomlTable::find(const char* key) {
  known_.emplace_back(key);
  return table_.get(key);
}

void TomlTable::take(const char* key, std::int64_t least, std::int64_t most, std::int64_t& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::value<std::int64_t>* const value = node->as_integer();
  if (value == nullptr || value->get() < least || value->get() > most) {
    refuse(node->source(), fmt::format("{}.{} is not a whole number from {} to {}", name_, key, least, most),
           "write it without quotes and fraction");
  }
  target = value->get();
}

void TomlTable::take(const char* key, bool positive, double most, double& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
  const bool fits = value && std::isfinite(*value) && *value <= most && (positive ? *value > 0 : *value >= 0);
  if (!fits) {
    refuse(node->source(),
           fmt::format("{}.{} is not a number {} 0 to {}", name_, key, positive ? "above" : "from", most),
           "write a decimal number without quotes");
  }
  target = *value;
}

void TomlTable::take(const char* key, std::string& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::value<std::string>* const value = node->as_string();
  if (value == nullptr || value->get().empty()) {
    refuse(node->source(), fmt::format("{}.{} is not a text", name_, key), "put it in quotes");
  }
  target = value->get();
}

void TomlTable::take(const char* key, bool& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::value<bool>* const value = node->as_boolean();
  if (value == nullptr) {
    refuse(node->source(), fmt::format("{}.{} is neither true nor false", name_, key),
           "write it without quotes");
  }
  target = value->get();
}

void TomlTable::refuse_unknown() const {
  for (const auto& [key, node] : table_) {
    const std::string word(key.str());
    if (std::find(known_.begin(), known_.end(), word) == known_.end()) {
      refuse(key.source(), fmt::format("unknown key '{}' in {}", word, name_), suggestion(word, known_));
    }
  }
}

void TomlTable::take(const char* key, std::vector<std::string>& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const auto refuse_list = [&] {
    refuse(node->source(), fmt::format("{}.{} is not a list of texts", name_, key), "write [\"a\", \"b\"]");
  };
  if (!node->is_array()) refuse_list();
  for (const toml::node& each : *node->as_array()) {
    const toml::value<std::string>* const text = each.as_string();
    if (text == nullptr || text->get().empty()) refuse_list();
    target.push_back(text->get());
  }
}

std::size_t TomlTable::choose(const char* key, const std::vector<std::string>& words) {
  std::string word = words.front();
  take(key, word);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    refuse(table_.get(key)->source(), fmt::format("{}.{} '{}' is unknown", name_, key, word),
           suggestion(word, words));
  }
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace wavewright
