// TOML files: a table whose values are taken out by name, so that what nobody asked for is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// toml++ 3.3 asserts where a text such as `[[ =` breaks it, and takes the assertion for granted where NDEBUG
// is set. Here it throws instead, everywhere.
#include <stdexcept>
#undef NDEBUG
[[noreturn]] static void refuse_broken_toml() {
  throw std::invalid_argument("a key is missing or odd");
}
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : refuse_broken_toml())
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace wavewright {

// Throws InputError with `source` and line on what is not TOML; `page` says where the format is described.
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& source,
                                     const std::string& page);

// Each `take` leaves `target` as it is where the key is absent, and throws InputError with file and line
// where the value is of another type or out of range. The toml::table must outlive it.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string name, const std::string& source)
      : table_(table), name_(std::move(name)), source_(source) {}

  [[noreturn]] void refuse(const toml::source_region& where, const std::string& what,
                           const std::string& remedy) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    refuse(table_.source(), what, remedy);
  }

  [[nodiscard]] const toml::node* find(const char* key);  // null where it is absent
  void take(const char* key, std::int64_t least, std::int64_t most, std::int64_t& target);
  void take(const char* key, bool positive, double most, double& target);  // finite, from 0 or above it
  void take(const char* key, std::string& target);                         // not empty
  void take(const char* key, std::vector<std::string>& target);
  void take(const char* key, bool& target);
  // One of `words`; its position.
  [[nodiscard]] std::size_t choose(const char* key, const std::vector<std::string>& words);

  void refuse_unknown() const;

 private:
  const toml::table& table_;
  std::string name_;
  const std::string& source_;
  std::vector<std::string> known_;
};

}  // namespace wavewright
