#include "wavewright/store/phases_codec.h"

#include <map>
#include <stdexcept>

#include "wavewright/store/column.h"

namespace wavewright {

namespace {

// Increase this whenever the list below changes.
constexpr std::uint64_t format = 2;

// All fields in the order of declaration, for both directions. A missing field does not compile.
template <class Phases, class Each>
void each_field(Phases& phases, Each& each) {
  auto& [id, state, submit, finish, maps, reduces, slots, map, first_shuffle, shuffle, reduce, overhead,
         startup, map_stage, reduce_stage, commit, map_ramp, map_wait, reduce_wait, map_attempts,
         reduce_attempts, map_input, map_output, reduce_input, reduce_output, hadoop, settings,
         quality_warnings] = phases;
  each(id);
  each(state);
  each(submit);
  each(finish);
  each(maps);
  each(reduces);
  each(slots.map_slots);
  each(slots.reduce_slots);
  for (auto* durations : {&map, &first_shuffle, &shuffle, &reduce}) each(*durations);
  for (auto* duration : {&overhead, &startup, &map_stage, &reduce_stage, &commit}) each(*duration);
  for (auto* durations : {&map_ramp, &map_wait, &reduce_wait}) each(*durations);
  for (auto* attempts : {&map_attempts, &reduce_attempts}) {
    for (auto* count : {&attempts->succeeded, &attempts->failed, &attempts->killed, &attempts->speculative}) {
      each(*count);
    }
  }
  for (auto* bytes : {&map_input, &map_output, &reduce_input, &reduce_output}) each(*bytes);
  each(hadoop);
  each(settings);
  each(quality_warnings);
}

class Writer {
 public:
  void operator()(const std::string& text) { column_.put_text(text); }
  void operator()(RunState state) { column_.put(static_cast<std::uint64_t>(state)); }
  void operator()(Count count) { column_.put_signed(count); }
  void operator()(Time time) { column_.put_signed(to_ms(time)); }
  void operator()(Duration duration) { column_.put_signed(to_ms(duration)); }
  void operator()(Bytes bytes) { column_.put_signed(bytes.count); }
  template <class T>
  void operator()(const std::optional<T>& value) {
    column_.put(value ? 1 : 0);
    if (value) (*this)(*value);
  }
  void operator()(const std::vector<Duration>& durations) {
    column_.put(durations.size());
    std::uint64_t before = 0;  // differences may wrap around
    for (const Duration duration : durations) {
      const auto value = static_cast<std::uint64_t>(to_ms(duration));
      column_.put_signed(static_cast<std::int64_t>(value - before));
      before = value;
    }
  }
  template <class T>
  void operator()(const std::map<std::string, T>& entries) {
    column_.put(entries.size());
    for (const auto& [name, value] : entries) {
      (*this)(name);
      (*this)(value);
    }
  }
  void operator()(const SharedSettings& settings) { (*this)(settings.get()); }
  ColumnWriter& column() { return column_; }

 private:
  ColumnWriter column_;
};

class Reader {
 public:
  Reader(ColumnReader column, SettingsPool& pool) : column_(column), pool_(pool) {}

  void operator()(std::string& text) { text = column_.get_text(); }
  void operator()(RunState& state) {
    const std::uint64_t value = column_.get();
    if (value > static_cast<std::uint64_t>(RunState::killed)) throw std::runtime_error("an unknown state");
    state = static_cast<RunState>(value);
  }
  void operator()(Count& count) { count = column_.get_signed(); }
  void operator()(Time& time) { time = at_ms(column_.get_signed()); }
  void operator()(Duration& duration) { duration = Duration(column_.get_signed()); }
  void operator()(Bytes& bytes) { bytes.count = column_.get_signed(); }
  template <class T>
  void operator()(std::optional<T>& value) {
    value.reset();
    if (column_.get() != 0) (*this)(value.emplace());
  }
  void operator()(std::vector<Duration>& durations) {
    durations.resize(column_.get_count(column_.left()));
    std::uint64_t before = 0;
    for (Duration& duration : durations) {
      before += static_cast<std::uint64_t>(column_.get_signed());
      duration = Duration(static_cast<std::int64_t>(before));
    }
  }
  template <class T>
  void operator()(std::map<std::string, T>& entries) {
    entries.clear();
    for (std::size_t i = column_.get_count(column_.left()); i > 0; --i) {
      std::string name = column_.get_text();
      (*this)(entries[std::move(name)]);
    }
  }

  void operator()(SharedSettings& settings) {
    ColumnReader behind = column_;
    for (std::size_t i = 2 * behind.get_count(behind.left()); i > 0; --i) (void)behind.get_view();
    const std::string_view bytes = column_.rest().substr(0, column_.left() - behind.left());
    settings = pool_.of(bytes, [&] {
      std::map<std::string, std::string> entries;
      (*this)(entries);
      return SharedSettings(std::move(entries));
    });
    column_ = behind;
  }

 private:
  ColumnReader column_;
  SettingsPool& pool_;
};

}  // namespace

std::string pack_phases(const RunPhases& phases) {
  Writer writer;
  writer.column().put(format);
  each_field(phases, writer);
  return to_compressed_text(writer.column().bytes());
}

std::optional<RunPhases> unpack_phases(std::string_view text) {
  SettingsPool pool;
  return unpack_phases(text, pool);
}

std::optional<RunPhases> unpack_phases(std::string_view text, SettingsPool& pool) {
  const std::string bytes = from_compressed_text(text);
  ColumnReader column(bytes);
  if (column.get() != format) return std::nullopt;
  RunPhases phases;
  Reader reader(column, pool);
  each_field(phases, reader);
  return phases;
}

}  // namespace wavewright
