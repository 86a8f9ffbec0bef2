// TOML files: values are taken from a table by name, so that unknown keys can be refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// toml++ 3.3 has an assertion that a text such as `[[ =` violates; with NDEBUG it assumes that it holds. Here
// a violation throws instead, in every build.
#include <stdexcept>
#undef NDEBUG
[[noreturn]] static void refuse_broken_toml() {
  throw std::invalid_argument("a key is missing or odd");
}
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : refuse_broken_toml())
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace wavewright {

// Throws InputError with `source` and line if the text is not TOML. `page`: describes the format.
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& source,
                                     const std::string& page);

// Each `take` keeps `target` unchanged if the key is absent. It throws InputError with file and line if the
// value has another type or is out of range. The toml::table must outlive this object.
class TomlTable {
 public:
  // `name`: for messages; empty for the whole file.
  TomlTable(const toml::table& table, std::string name, const std::string& source)
      : table_(table), name_(std::move(name)), source_(source) {}

  [[noreturn]] void refuse(const toml::source_region& where, const std::string& what,
                           const std::string& remedy) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    refuse(table_.source(), what, remedy);
  }

  [[nodiscard]] const toml::node* find(const char* key);  // null if absent
  void take(const char* key, std::int64_t least, std::int64_t most, std::int64_t& target);
  void take(const char* key, bool positive, double most,
            double& target);                        // finite; at least 0, or above 0 if `positive`
  void take(const char* key, std::string& target);  // not empty
  void take(const char* key, std::vector<std::string>& target);
  void take(const char* key, bool& target);
  // Index of the value in `words`.
  [[nodiscard]] std::size_t choose(const char* key, const std::vector<std::string>& words);

  void refuse_unknown() const;

 private:
  [[nodiscard]] std::string path_of(const char* key) const;  // `mode.kind`

  const toml::table& table_;
  std::string name_;
  const std::string& source_;
  std::vector<std::string> known_;
};

}  // namespace wavewright
