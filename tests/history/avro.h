// A small Avro writer for tests: the same values in both of jhist's encodings, by any schema.
//
// Values are plain JSON. Fields that a value lacks are written as null, 0 or empty, so that one set of events
// serves schemas of every age. A union takes the branch named by the value's "@" (a record's short name),
// else the first branch but null that is not null's.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace wavewright::tests {

using Json = nlohmann::ordered_json;

class Avro {
 public:
  explicit Avro(Json schema);

  [[nodiscard]] std::string binary(const Json& value) const;
  [[nodiscard]] Json json(const Json& value) const;

 private:
  void learn(const Json& type, const std::string& space);
  [[nodiscard]] const Json& resolve(const Json& type) const;
  [[nodiscard]] std::string kind(const Json& type) const;
  [[nodiscard]] std::size_t branch(const Json& choice, const Json& value) const;
  void write(const Json& type, const Json& value, std::string& out) const;
  [[nodiscard]] Json wrap(const Json& type, const Json& value) const;

  Json schema_;
  std::map<std::string, Json> named_;        // by short and full name
  std::map<std::string, std::string> full_;  // short name → full name
};

enum class Encoding { json, binary };

// A whole jhist file.
[[nodiscard]] std::string jhist(const Json& schema, const std::vector<Json>& events, Encoding encoding);

// Zigzag varint, for bytes written by hand.
[[nodiscard]] std::string avro_long(std::int64_t value);

}  // namespace wavewright::tests
