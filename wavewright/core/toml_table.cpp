#include "wavewright/core/toml_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <simdjson.h>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/percent.h"

namespace wavewright {

namespace {

// toml++ does not know every character, and some lead it into undefined behaviour, even inside quotes. So it
// sees ASCII only: other bytes become %C5, a percent sign %25. TOML allows both forms wherever it allows the
// original character. as_written undoes this after parsing.
std::string in_ascii(std::string_view text) {
  return percent_encoded(text, [](char c) { return static_cast<unsigned char>(c) < 0x80 && c != '%'; });
}

// Undoes in_ascii. A percent sign that the user escaped, before two hexadecimal digits, would decode to a
// byte. It is refused if the result is not UTF-8.
std::string as_written(std::string_view ascii) {
  std::string text = percent_decoded(ascii);
  if (!simdjson::validate_utf8(text)) throw std::invalid_argument("an escaped percent sign before digits");
  return text;
}

void restore(toml::node& node);

void restore(toml::table& table) {
  std::vector<std::string> odd;
  for (auto&& [key, node] : table) {
    restore(node);
    if (key.str().find('%') != std::string_view::npos) odd.emplace_back(key.str());
  }
  for (const std::string& word : odd) {
    const auto at = table.find(word);
    const toml::key key(as_written(word), at->first.source());
    at->second.visit([&](auto& value) {
      auto held = std::move(value);
      table.erase(at);
      table.insert(key, std::move(held));
    });
  }
}

void restore(toml::node& node) {
  if (toml::table* const table = node.as_table()) {
    restore(*table);
  } else if (toml::array* const array = node.as_array()) {
    for (toml::node& each : *array) restore(each);
  } else if (toml::value<std::string>* const text = node.as_string()) {
    if (text->get().find('%') != std::string::npos) **text = as_written(text->get());
  }
}

// Line (from 1) of a dotted key with more parts than any table has; 0 = none. The parser nests one table per
// part and destroys them recursively, so thousands of parts overflow the stack. Text that TOML refuses as a
// key (two dots in a row, separated words) starts the count anew, but not after a quote, which may hold
// anything.
std::int64_t line_too_deep(std::string_view text) {
  constexpr int most = 10;
  constexpr std::string_view marks = "=,[]{}\n";
  std::int64_t line = 1;
  int points = 0, after_quotes = 0;
  char before = '\n';  // last character that is not blank
  bool blank = false;  // a blank stood since then
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r') {
      blank = true;
      continue;
    }
    if (c == '\n') {
      ++line;
      after_quotes = 0;
    }
    const bool anew = c == '.' ? before == '.' : blank && before != '.';
    if (anew || marks.find(c) != std::string_view::npos) points = 0;
    if (c == '.') {
      ++points;
      after_quotes += before == '"' || before == '\'' ? 1 : 0;
    }
    if (std::max(points, after_quotes) > most) return line;
    before = c;
    blank = false;
  }
  return 0;
}

bool beyond_ascii(std::string_view text, std::int64_t line) {
  for (std::int64_t at = 1; at < line; ++at)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find('\n'));
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& source, const std::string& page) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    throw InputError({source}, "not TOML: not UTF-8", "save it as UTF-8; see " + page);
  }
  if (const std::int64_t line = line_too_deep(text); line > 0) {
    throw InputError({source, line}, "not TOML: a name of more than ten parts",
                     "tables are at most two deep here; see " + page);
  }
  text = without_byte_order_mark(text);
  try {
    toml::table table = toml::parse(in_ascii(text), source);
    restore(table);
    return table;
  } catch (const toml::parse_error& error) {
    const auto line = static_cast<std::int64_t>(error.source().begin.line);
    const bool odd = beyond_ascii(text, line);
    throw InputError({source, line}, "not TOML: " + std::string(error.description()),
                     (odd ? "put names with characters beyond ASCII in quotes; see " : "see ") + page);
  } catch (const std::invalid_argument& error) {
    throw InputError({source}, std::string("not TOML: ") + error.what(), "see " + page);
  }
}

void TomlTable::refuse(const toml::source_region& where, const std::string& what,
                       const std::string& remedy) const {
  throw InputError({source_, static_cast<std::int64_t>(where.begin.line)}, what, remedy);
}

std::string TomlTable::path_of(const char* key) const {
  return name_.empty() ? key : name_ + '.' + key;
}

const toml::node* TomlTable::find(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_.get(key);
}

void TomlTable::take(const char* key, std::int64_t least, std::int64_t most, std::int64_t& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::value<std::int64_t>* const value = node->as_integer();
  if (value == nullptr || value->get() < least || value->get() > most) {
    refuse(node->source(), fmt::format("{} is not a whole number from {} to {}", path_of(key), least, most),
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
           fmt::format("{} is not a number {} 0 to {}", path_of(key), positive ? "above" : "from", most),
           "write a decimal number without quotes");
  }
  target = *value;
}

void TomlTable::take(const char* key, std::string& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::value<std::string>* const value = node->as_string();
  if (value == nullptr || value->get().empty()) {
    refuse(node->source(), path_of(key) + " is not a text", "put it in quotes");
  }
  target = value->get();
}

void TomlTable::take(const char* key, bool& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::value<bool>* const value = node->as_boolean();
  if (value == nullptr) {
    refuse(node->source(), path_of(key) + " is neither true nor false", "write it without quotes");
  }
  target = value->get();
}

void TomlTable::refuse_unknown() const {
  for (const auto& [key, node] : table_) {
    const std::string word(key.str());
    if (std::find(known_.begin(), known_.end(), word) == known_.end()) {
      refuse(key.source(), fmt::format("unknown key '{}' in {}", word, name_.empty() ? "the file" : name_),
             suggestion(word, known_));
    }
  }
}

void TomlTable::take(const char* key, std::vector<std::string>& target) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const auto refuse_list = [&] {
    refuse(node->source(), path_of(key) + " is not a list of texts", "write [\"a\", \"b\"]");
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
    refuse(table_.get(key)->source(), fmt::format("{} '{}' is unknown", path_of(key), word),
           suggestion(word, words));
  }
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace wavewright
