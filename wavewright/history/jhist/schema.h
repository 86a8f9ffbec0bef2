// The writer's Avro schema from a jhist file's second line, compiled for decoding.
//
// Types are numbered. A record that refers to itself does so by its number, so schemas of any shape are
// possible. Each field of a record has its use, found once by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/history/jhist/event.h"

namespace wavewright::jhist {

enum class Kind : std::uint8_t {
  null,
  boolean,
  int32,
  int64,
  float32,
  float64,
  bytes,
  string,
  fixed,
  enumeration,
  array,
  map,
  choice,  // Avro's union
  record
};

using TypeId = std::uint32_t;

struct Field {
  std::string name;
  TypeId type = 0;
  Use use;
};

struct Type {
  Kind kind = Kind::null;
  std::string name;                  // as in a union's JSON wrapper: `string`, `org.apache.….JobFinished`
  std::uint64_t size = 0;            // of fixed, in bytes
  std::vector<std::string> symbols;  // of an enumeration
  std::vector<TypeId> parts;         // branches of a choice; items of an array or map
  std::vector<Field> fields;         // of a record
};

struct Schema {
  std::vector<Type> types;
  TypeId root = 0;

  [[nodiscard]] const Type& operator[](TypeId id) const { return types[id]; }
  [[nodiscard]] bool has_field(std::string_view record, std::string_view field) const;  // record: short name
};

// Compiles a schema of at most 1 MiB and 64 levels whose root is a record with `type` and `event`. Throws
// InputError whose problem() names the violation. O(length).
[[nodiscard]] Schema parse_schema(std::string_view json, const std::string& source);

}  // namespace wavewright::jhist
