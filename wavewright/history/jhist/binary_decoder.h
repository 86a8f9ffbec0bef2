// Avro binary datums, decoded by the file's own schema straight into an Event.
//
// Input may be hostile: every read is checked against the end; a length or count beyond the rest ends the
// decoding before anything is allocated; nesting is bounded (64), and so is the number of values visited, by
// the file's length (items of no bytes cannot loop for long). Nothing is copied: texts are views.
//
// Why not libavro (1.11.1, tried)? It recurses as deep as the bytes ask (300 KB of them overflowed the stack
// with a schema that refers to itself). It allocates by length fields before it checks the input's end. From
// five bytes that announce an array of 2^26 nulls it made 259 MB. It is also slower, as it builds every
// value, used or not: `history_bench` measures both.
#pragma once

#include <cstdint>
#include <string_view>

#include "wavewright/core/error.h"
#include "wavewright/history/jhist/event.h"
#include "wavewright/history/jhist/schema.h"

namespace wavewright::jhist {

// The bytes end inside a datum: the file was cut off or is still being written.
class CutOff : public InputError {
 public:
  explicit CutOff(const Position& where)
      : InputError(where, "cut off in the middle of an event",
                   "fetch the file again when the job has ended") {}
};

class BinaryDecoder {
 public:
  // `bytes` follow the schema; `start` is their offset in the file, for positions.
  BinaryDecoder(const Schema& schema, std::string_view bytes, const std::string& source, std::size_t start);

  // Decodes the next event into `event`; false at the end. Throws CutOff or InputError. After that the
  // decoder is at its end: binary datums have no marks by which to find the next one.
  [[nodiscard]] bool next(Event& event);

 private:
  [[noreturn]] void refuse(const char* what);
  [[noreturn]] void cut_off();
  void visit();  // counts a value against the budget

  std::int64_t integer();
  std::string_view take(std::uint64_t length);
  std::string_view sized();
  const Type& chosen(const Type& type);  // follows unions
  std::uint64_t block();                 // number of items in a block of an array or map, 0 at the end
  std::string_view text(const Type& type);
  std::int64_t number(const Type& type);

  void skip(const Type& type, int depth);
  void skip_items(const Type& type, int depth);
  void body(const Type& type, Event& event);
  void counters(const Type& type, Event& event);
  void group(const Type& type, Event& event);
  void counter(const Type& type, std::string_view group_name, Event& event);

  const Schema& schema_;
  const char* begin_;
  const char* at_;
  const char* end_;
  const std::string& source_;
  std::size_t start_;
  std::uint64_t budget_;
};

}  // namespace wavewright::jhist
