#include "wavewright/history/jhist/schema.h"

#include <simdjson.h>

#include <algorithm>
#include <unordered_map>

#include "wavewright/core/error.h"

namespace wavewright::jhist {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t longest_schema = std::size_t{1} << 20;
constexpr std::size_t deepest_schema = 64;
// A datum names a symbol in one byte. Without this bound a small file could grow to any size in memory.
constexpr std::size_t longest_symbol = 256;

constexpr std::pair<std::string_view, Kind> primitives[] = {
    {"null", Kind::null},     {"boolean", Kind::boolean}, {"int", Kind::int32},   {"long", Kind::int64},
    {"float", Kind::float32}, {"double", Kind::float64},  {"bytes", Kind::bytes}, {"string", Kind::string},
};

std::string_view text_of(const dom::element& object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view{};
}

class Compiler {
 public:
  explicit Compiler(const std::string& source) : source_(source) {}

  Schema compile(const dom::element& json) && {
    schema_.root = type(json, "");
    return std::move(schema_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({source_, 2}, "schema cannot be read: " + what, "fetch the file again");
  }

  TypeId add(Kind kind, std::string_view name) {
    Type& made = schema_.types.emplace_back();
    made.kind = kind;
    made.name = name;
    return static_cast<TypeId>(schema_.types.size() - 1);
  }

  // Recursion is as deep as the JSON; the parser bounds it.
  TypeId type(const dom::element& json, const std::string& space) {
    std::string_view name;
    if (json.get(name) == simdjson::SUCCESS) return named(name, space);
    dom::array branches;
    if (json.get(branches) == simdjson::SUCCESS) {
      std::vector<TypeId> parts;
      for (const dom::element branch : branches) parts.push_back(type(branch, space));
      const TypeId id = add(Kind::choice, "");
      schema_.types[id].parts = std::move(parts);
      return id;
    }
    dom::element inner;
    if (json["type"].get(inner) != simdjson::SUCCESS) refuse("a type that is neither name, list nor object");
    if (inner.get(name) != simdjson::SUCCESS) return type(inner, space);
    if (name == "array") return container(json, Kind::array, "items", space);
    if (name == "map") return container(json, Kind::map, "values", space);
    if (name == "record" || name == "error") return record(json, space);
    if (name == "enum") return enumeration(json, space);
    if (name == "fixed") return fixed(json, space);
    return named(name, space);
  }

  TypeId named(std::string_view name, const std::string& space) {
    const bool full = name.find('.') != std::string_view::npos;
    const auto known =
        names_.find(full || space.empty() ? std::string(name) : space + "." + std::string(name));
    if (known != names_.end()) return known->second;
    for (const auto& [word, kind] : primitives) {
      if (word == name) return names_[std::string(name)] = add(kind, name);
    }
    if (const auto global = names_.find(std::string(name)); global != names_.end()) return global->second;
    refuse("a type that it does not define");
  }

  TypeId container(const dom::element& json, Kind kind, std::string_view key, const std::string& space) {
    dom::element items;
    if (json[key].get(items) != simdjson::SUCCESS) refuse("an array or map without a type of items");
    const TypeId part = type(items, space);
    const TypeId id = add(kind, kind == Kind::array ? "array" : "map");
    schema_.types[id].parts = {part};
    return id;
  }

  // Registers the full name; `space` becomes the name space of the contents.
  TypeId define(const dom::element& json, Kind kind, std::string& space) {
    std::string name(text_of(json, "name"));
    if (name.empty()) refuse("a record, enum or fixed without a name");
    if (const auto own = text_of(json, "namespace"); !own.empty()) space = own;
    const auto dot = name.rfind('.');
    if (dot != std::string::npos) {
      space = name.substr(0, dot);
    } else if (!space.empty()) {
      name.insert(0, space + ".");
    }
    const TypeId id = add(kind, name);
    names_.emplace(std::move(name), id);
    return id;
  }

  TypeId record(const dom::element& json, std::string space) {
    const TypeId id = define(json, Kind::record, space);
    dom::array fields;
    if (json["fields"].get(fields) != simdjson::SUCCESS) refuse("a record without fields");
    for (const dom::element field : fields) {
      const std::string_view name = text_of(field, "name");
      dom::element inner;
      if (name.empty() || field["type"].get(inner) != simdjson::SUCCESS) {
        refuse("a field without a name or type");
      }
      const TypeId field_type = type(inner, space);
      schema_.types[id].fields.push_back({std::string(name), field_type, use_of(name)});
    }
    return id;
  }

  TypeId enumeration(const dom::element& json, std::string space) {
    const TypeId id = define(json, Kind::enumeration, space);
    dom::array symbols;
    if (json["symbols"].get(symbols) != simdjson::SUCCESS) refuse("an enum without symbols");
    for (const dom::element symbol : symbols) {
      std::string_view text;
      if (symbol.get(text) != simdjson::SUCCESS || text.size() > longest_symbol) {
        refuse("an enum whose symbols are no names");
      }
      schema_.types[id].symbols.emplace_back(text);
    }
    return id;
  }

  TypeId fixed(const dom::element& json, std::string space) {
    std::uint64_t size = 0;
    if (json["size"].get(size) != simdjson::SUCCESS) refuse("a fixed without a size");
    const TypeId id = define(json, Kind::fixed, space);
    schema_.types[id].size = size;
    return id;
  }

  const std::string& source_;
  Schema schema_;
  std::unordered_map<std::string, TypeId> names_;
};

bool has_use(const Type& record, Use::What what) {
  return std::any_of(record.fields.begin(), record.fields.end(),
                     [&](const Field& field) { return field.use.what == what; });
}

}  // namespace

bool Schema::has_field(std::string_view record, std::string_view field) const {
  return std::any_of(types.begin(), types.end(), [&](const Type& type) {
    const std::string_view name = type.name;
    return type.kind == Kind::record && name.substr(name.rfind('.') + 1) == record &&
           std::any_of(type.fields.begin(), type.fields.end(),
                       [&](const Field& known) { return known.name == field; });
  });
}

Schema parse_schema(std::string_view json, const std::string& source) {
  const auto refuse = [&](const std::string& what) {
    throw InputError({source, 2}, "schema cannot be read: " + what, "fetch the file again");
  };
  if (json.size() > longest_schema) refuse("longer than 1 MiB");
  dom::parser parser;
  if (parser.allocate(std::max<std::size_t>(json.size(), 64), deepest_schema) != simdjson::SUCCESS) {
    refuse("not enough memory");
  }
  const simdjson::padded_string padded(json);
  dom::element document;
  const simdjson::error_code error = parser.parse(padded).get(document);
  if (error == simdjson::DEPTH_ERROR) refuse("nested deeper than 64 levels");
  if (error != simdjson::SUCCESS) refuse("not JSON");
  Schema schema = Compiler(source).compile(document);
  const Type& root = schema[schema.root];
  if (root.kind != Kind::record || !has_use(root, Use::What::type) || !has_use(root, Use::What::body)) {
    throw InputError({source, 2}, "schema is not that of a job history", "name a .jhist file of MapReduce");
  }
  return schema;
}

}  // namespace wavewright::jhist
