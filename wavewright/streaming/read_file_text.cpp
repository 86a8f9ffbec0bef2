#include "wavewright/streaming/read_file_text.h"

#include <stdexcept>
#include <type_traits>

#include "wavewright/core/error.h"
#include "wavewright/store/column.h"

namespace wavewright {

namespace {

// Writer and Reader go through the same fields in the same order.
class Writer {
 public:
  void operator()(const std::string& text) { to_.put_text(text); }
  template <class Number>
    requires std::is_integral_v<Number> || std::is_enum_v<Number>
  void operator()(Number value) {
    to_.put_signed(static_cast<std::int64_t>(value));
  }
  void operator()(const std::optional<Time>& value) {
    (*this)(value.has_value());
    if (value) (*this)(to_ms(*value));
  }
  void operator()(const std::optional<Bytes>& value) {
    (*this)(value.has_value());
    if (value) (*this)(value->count);
  }
  template <class Item, class Each>
  void list(const std::vector<Item>& items, Each each) {
    to_.put(items.size());
    for (const Item& item : items) each(*this, item);
  }
  [[nodiscard]] const std::string& bytes() const { return to_.bytes(); }

 private:
  ColumnWriter to_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : from_(bytes) {}
  void operator()(std::string& text) { text = from_.get_text(); }
  template <class Number>
    requires std::is_integral_v<Number> || std::is_enum_v<Number>
  void operator()(Number& value) {
    value = static_cast<Number>(from_.get_signed());
  }
  void operator()(std::optional<Time>& value) {
    bool there = false;
    std::int64_t at = 0;
    (*this)(there);
    if (there) (*this)(at);
    value = there ? std::optional(at_ms(at)) : std::nullopt;
  }
  void operator()(std::optional<Bytes>& value) {
    bool there = false;
    Bytes bytes;
    (*this)(there);
    if (there) (*this)(bytes.count);
    value = there ? std::optional(bytes) : std::nullopt;
  }
  template <class Item, class Each>
  void list(std::vector<Item>& items, Each each) {
    items.resize(from_.get_count(from_.left()));
    for (Item& item : items) each(*this, item);
  }
  [[nodiscard]] bool at_end() const { return from_.left() == 0; }

 private:
  ColumnReader from_;
};

constexpr auto run_fields = [](auto& part, auto& run) {
  auto& header = run.header;
  part(header.id), part(header.name), part(header.user), part(header.queue), part(header.state);
  part(header.submit), part(header.launch), part(header.finish);
  part(header.maps), part(header.reduces), part(header.failed_attempts), part(header.killed_attempts);
  part(header.peak.map_slots), part(header.peak.reduce_slots), part(header.input);
  part(header.hadoop), part(header.source), part(header.damage);
  part(run.identity), part(run.tasks), part(run.phases), part(run.fullness.facts), part(run.fullness.faults);
};

constexpr auto diagnostic_fields = [](auto& part, auto& diagnostic) {
  part(diagnostic.severity), part(diagnostic.where.source), part(diagnostic.where.line);
  part(diagnostic.where.offset), part(diagnostic.reason), part(diagnostic.detail);
};

constexpr auto file_fields = [](auto& part, auto& file) {
  part(file.file.name), part(file.file.version), part(file.file.jobs), part(file.file.reason);
  part(file.format);
  part.list(file.runs, run_fields);
  part.list(file.diagnostics, diagnostic_fields);
};

}  // namespace

std::string text_of(const std::vector<ReadFile>& files) {
  Writer writer;
  writer.list(files, file_fields);
  return to_compressed_text(writer.bytes());
}

std::vector<ReadFile> files_of_text(std::string_view text, const std::string& source) {
  std::vector<ReadFile> files;
  try {
    const std::string bytes = from_compressed_text(text);
    Reader reader(bytes);
    reader.list(files, file_fields);
    if (reader.at_end()) return files;
  } catch (const std::runtime_error&) {  // refused below
  }
  throw InputError({source}, "damaged histories in the result of a unit", "run it again");
}

}  // namespace wavewright
