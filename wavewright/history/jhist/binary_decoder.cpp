#include "wavewright/history/jhist/binary_decoder.h"

#include <array>

namespace wavewright::jhist {

namespace {

constexpr int deepest = 64;

}  // namespace

BinaryDecoder::BinaryDecoder(const Schema& schema, std::string_view bytes, const std::string& source,
                             std::size_t start)
    : schema_(schema),
      begin_(bytes.data()),
      at_(bytes.data()),
      end_(bytes.data() + bytes.size()),
      source_(source),
      start_(start),
      // Real events visit fewer than two values per byte; the fixed part is for tiny files of empty records.
      budget_(4096 + 8 * std::uint64_t{bytes.size()}) {}

void BinaryDecoder::refuse(const char* what) {
  const auto offset = static_cast<std::int64_t>(start_) + (at_ - begin_);
  at_ = end_;
  throw InputError({source_, 0, offset}, what, "fetch the file again");
}

void BinaryDecoder::cut_off() {
  const auto offset = static_cast<std::int64_t>(start_) + (at_ - begin_);
  at_ = end_;
  throw CutOff({source_, 0, offset});
}

void BinaryDecoder::visit() {
  if (budget_ == 0) refuse("event with more values than bytes");
  --budget_;
}

std::int64_t BinaryDecoder::integer() {
  std::uint64_t bits = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at_ == end_) cut_off();
    const auto byte = static_cast<unsigned char>(*at_++);
    bits |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
  }
  refuse("number longer than ten bytes");
}

std::string_view BinaryDecoder::take(std::uint64_t length) {
  if (length > static_cast<std::uint64_t>(end_ - at_)) cut_off();
  const std::string_view taken(at_, length);
  at_ += length;
  return taken;
}

std::string_view BinaryDecoder::sized() {
  const std::int64_t length = integer();
  if (length < 0) refuse("text of negative length");
  return take(static_cast<std::uint64_t>(length));
}

const Type& BinaryDecoder::chosen(const Type& type) {
  const Type* current = &type;
  for (int depth = 0; current->kind == Kind::choice; ++depth) {
    visit();
    const std::int64_t branch = integer();
    if (branch < 0 || static_cast<std::uint64_t>(branch) >= current->parts.size() || depth > deepest) {
      refuse("branch of a union that its schema does not have");
    }
    current = &schema_[current->parts[static_cast<std::size_t>(branch)]];
  }
  return *current;
}

std::uint64_t BinaryDecoder::block() {
  std::int64_t count = integer();
  if (count < 0) {  // the block's length in bytes follows, which is not needed
    (void)integer();
    if (count == INT64_MIN) refuse("array of impossible length");
    count = -count;
  }
  // The end of an array takes a byte, and so does every item that is not empty.
  if (static_cast<std::uint64_t>(count) > static_cast<std::uint64_t>(end_ - at_)) cut_off();
  return static_cast<std::uint64_t>(count);
}

std::string_view BinaryDecoder::text(const Type& type) {
  visit();
  switch (type.kind) {
    case Kind::string:
    case Kind::bytes:
      return sized();
    case Kind::fixed:
      return take(type.size);
    case Kind::enumeration: {
      const std::int64_t symbol = integer();
      if (symbol < 0 || static_cast<std::uint64_t>(symbol) >= type.symbols.size()) {
        refuse("symbol of an enum that its schema does not have");
      }
      return type.symbols[static_cast<std::size_t>(symbol)];
    }
    default:
      skip(type, 0);
      return {};
  }
}

std::int64_t BinaryDecoder::number(const Type& type) {
  visit();
  if (type.kind == Kind::int32 || type.kind == Kind::int64) return integer();
  refuse("text where a number is wanted");
}

void BinaryDecoder::skip_items(const Type& type, int depth) {
  const Type& item = schema_[type.parts[0]];
  for (std::uint64_t left = block(); left > 0; left = block()) {
    for (; left > 0; --left) {
      if (type.kind == Kind::map) (void)sized();
      skip(item, depth + 1);
    }
  }
}

void BinaryDecoder::skip(const Type& type, int depth) {
  visit();
  if (depth > deepest) refuse("event nested deeper than 64 levels");
  switch (type.kind) {
    case Kind::null:
      return;
    case Kind::boolean:
      (void)take(1);
      return;
    case Kind::int32:
    case Kind::int64:
    case Kind::enumeration:
      (void)integer();
      return;
    case Kind::float32:
      (void)take(4);
      return;
    case Kind::float64:
      (void)take(8);
      return;
    case Kind::bytes:
    case Kind::string:
      (void)sized();
      return;
    case Kind::fixed:
      (void)take(type.size);
      return;
    case Kind::array:
    case Kind::map:
      return skip_items(type, depth);
    case Kind::choice:
      return skip(chosen(type), depth + 1);
    case Kind::record:
      for (const Field& field : type.fields) skip(schema_[field.type], depth + 1);
      return;
  }
}

bool BinaryDecoder::next(Event& event) {
  if (at_ == end_) return false;
  event.clear();
  const char* const before = at_;
  for (const Field& field : schema_[schema_.root].fields) {
    const Type& type = schema_[field.type];
    if (field.use.what == Use::What::type) {
      event.type = text(chosen(type));
    } else if (field.use.what == Use::What::body) {
      body(chosen(type), event);
    } else {
      skip(type, 0);
    }
  }
  if (at_ == before) refuse("event of no bytes");
  return true;
}

void BinaryDecoder::body(const Type& type, Event& event) {
  if (type.kind != Kind::record) return skip(type, 0);
  for (const Field& field : type.fields) {
    const Type& declared = schema_[field.type];
    switch (field.use.what) {
      case Use::What::text:
        event.texts[field.use.slot] = text(chosen(declared));
        break;
      case Use::What::number: {
        const Type& actual = chosen(declared);
        if (actual.kind != Kind::null) event.numbers[field.use.slot] = number(actual);
        break;
      }
      case Use::What::counters:
        counters(chosen(declared), event);
        break;
      default:
        skip(declared, 0);
    }
  }
}

void BinaryDecoder::counters(const Type& type, Event& event) {
  if (type.kind != Kind::record) return skip(type, 0);
  for (const Field& field : type.fields) {
    const Type& list = schema_[field.type];
    if (field.use.what != Use::What::groups || list.kind != Kind::array) {
      skip(list, 0);
      continue;
    }
    for (std::uint64_t left = block(); left > 0; left = block()) {
      for (; left > 0; --left) group(schema_[list.parts[0]], event);
    }
  }
}

void BinaryDecoder::group(const Type& type, Event& event) {
  visit();
  if (type.kind != Kind::record) return skip(type, 0);
  std::string_view name;
  for (const Field& field : type.fields) {
    const Type& inner = schema_[field.type];
    if (field.use.what == Use::What::name) {
      name = text(chosen(inner));
    } else if (field.use.what == Use::What::counts && inner.kind == Kind::array) {
      for (std::uint64_t left = block(); left > 0; left = block()) {
        for (; left > 0; --left) counter(schema_[inner.parts[0]], name, event);
      }
    } else {
      skip(inner, 0);
    }
  }
}

void BinaryDecoder::counter(const Type& type, std::string_view group_name, Event& event) {
  visit();
  if (type.kind != Kind::record) return skip(type, 0);
  CounterValue told{group_name, {}, 0};
  for (const Field& field : type.fields) {
    const Type& inner = schema_[field.type];
    if (field.use.what == Use::What::name) {
      told.name = text(chosen(inner));
    } else if (field.use.what == Use::What::value) {
      told.value = number(chosen(inner));
    } else {
      skip(inner, 0);
    }
  }
  if (!told.name.empty()) event.counters.push_back(told);
}

}  // namespace wavewright::jhist
