#include "wavewright/store/task_codec.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "wavewright/store/column.h"

namespace wavewright {

namespace {

constexpr auto newest = static_cast<std::uint64_t>(TaskFormat::v3);

enum Column : std::uint8_t {
  task_kind,
  task_number,
  task_state,
  task_id,
  task_start,
  task_length,
  task_input,
  task_output,
  task_winner,
  task_splits,
  task_attempts,
  attempt_number,
  attempt_state,
  attempt_id,
  attempt_start,
  attempt_length,
  attempt_shuffle,
  attempt_sort,
  attempt_map,
  attempt_place,
  attempt_error,
  columns
};

template <class Stream>
using Columns = std::array<Stream, columns>;

std::string derived_task_id(const std::string& job, TaskKind kind, std::int32_t number) {
  constexpr std::array letters = {'m', 'r', 's', 'c'};
  const std::string_view suffix = job.starts_with("job_") ? std::string_view(job).substr(4) : job;
  return fmt::format("task_{}_{}_{:06}", suffix, letters[static_cast<std::size_t>(kind)], number);
}

std::string derived_attempt_id(const std::string& task, std::int32_t number) {
  const std::string_view suffix = task.starts_with("task_") ? std::string_view(task).substr(5) : task;
  return fmt::format("attempt_{}_{}", suffix, number);
}

std::int64_t minus(std::int64_t a, std::int64_t b) {  // wraps around; `plus` undoes it
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t value_of(Time time) {
  return to_ms(time);
}
std::int64_t value_of(Bytes bytes) {
  return bytes.count;
}

// 0 = absent, 1 = present, followed by the difference from `base`.
template <class T>
void put_optional(ColumnWriter& column, const std::optional<T>& value, std::int64_t base) {
  column.put(value ? 1 : 0);
  if (value) column.put_signed(minus(value_of(*value), base));
}

std::optional<std::int64_t> get_optional(ColumnReader& column, std::int64_t base) {
  if (column.get() == 0) return std::nullopt;
  return plus(base, column.get_signed());
}
std::optional<Time> get_time(ColumnReader& column, std::int64_t base) {
  const auto value = get_optional(column, base);
  return value ? std::optional(at_ms(*value)) : std::nullopt;
}
std::optional<Bytes> get_bytes(ColumnReader& column) {
  const auto value = get_optional(column, 0);
  return value ? std::optional(Bytes{*value}) : std::nullopt;
}

std::int64_t base_of(const std::optional<Time>& time) {
  return time ? to_ms(*time) : 0;
}

// 0 = the id derived from the others, else the dictionary's number + 1.
void put_id(ColumnWriter& column, Dictionary& names, const std::string& id, const std::string& derived) {
  column.put(id == derived ? 0 : names.number(id) + 1);
}

class Packer {
 public:
  explicit Packer(const JobRun& run) : run_(run) {}

  std::string pack(TaskFormat format) {
    for (const TaskRun& task : run_.tasks) put(task);
    if (format >= TaskFormat::v3) {
      for (const MasterRun& master : run_.masters) put(master);
    }
    ColumnWriter all;
    all.put(static_cast<std::uint64_t>(format));
    all.put_text(run_.diagnostics_text);
    put_numbers(all, run_.counters);
    if (format != TaskFormat::v1) {
      all.put(run_.settings.size());
      for (const auto& [name, value] : run_.settings) {
        all.put_text(name);
        all.put_text(value);
      }
      put_numbers(all, run_.quality_warnings);
    }
    all.put(names_.texts().size());
    for (const std::string& name : names_.texts()) all.put_text(name);
    all.put(run_.tasks.size());
    for (const ColumnWriter& column : columns_) all.put_text(column.bytes());
    if (format >= TaskFormat::v3) {
      all.put(run_.masters.size());
      all.put_text(masters_.bytes());
    }
    return to_compressed_text(all.bytes());
  }

 private:
  static void put_numbers(ColumnWriter& all, const std::map<std::string, std::int64_t>& numbers) {
    ColumnWriter pairs;
    for (const auto& [name, value] : numbers) {
      pairs.put_text(name);
      pairs.put_signed(value);
    }
    all.put(numbers.size());
    all.put_text(pairs.bytes());
  }

  void put(const TaskRun& task) {
    const std::string id = derived_task_id(run_.id, task.kind, task.number);
    columns_[task_kind].put(static_cast<std::uint64_t>(task.kind));
    columns_[task_number].put_signed(minus(task.number, previous_number_));
    previous_number_ = task.number;
    columns_[task_state].put(static_cast<std::uint64_t>(task.state));
    put_id(columns_[task_id], names_, task.id, id);
    put_optional(columns_[task_start], task.start, previous_start_);
    if (task.start) previous_start_ = to_ms(*task.start);
    put_optional(columns_[task_length], task.finish, base_of(task.start));
    put_optional(columns_[task_input], task.input, 0);
    put_optional(columns_[task_output], task.output, 0);
    columns_[task_splits].put(task.split_nodes.size());
    for (const std::string& node : task.split_nodes) columns_[task_splits].put(names_.number(node));
    columns_[task_attempts].put(task.attempts.size());
    std::uint64_t winner = 0;  // 0 = none, 1 = another id, else the attempt's index + 2
    for (std::size_t i = 0; i < task.attempts.size(); ++i) {
      put(task.attempts[i], task);
      if (winner == 0 && !task.successful_attempt.empty() && task.attempts[i].id == task.successful_attempt) {
        winner = i + 2;
      }
    }
    if (winner == 0 && !task.successful_attempt.empty()) winner = 1;
    columns_[task_winner].put(winner);
    if (winner == 1) columns_[task_winner].put(names_.number(task.successful_attempt));
  }

  void put(const MasterRun& master) {
    masters_.put_signed(master.number);
    put_optional(masters_, master.start, previous_start_);
    masters_.put(names_.number(master.node));
  }

  void put(const Attempt& attempt, const TaskRun& task) {
    columns_[attempt_number].put_signed(attempt.number);
    columns_[attempt_state].put(static_cast<std::uint64_t>(attempt.state));
    put_id(columns_[attempt_id], names_, attempt.id, derived_attempt_id(task.id, attempt.number));
    put_optional(columns_[attempt_start], attempt.start, base_of(task.start));
    const std::int64_t start = base_of(attempt.start);
    put_optional(columns_[attempt_length], attempt.finish, start);
    put_optional(columns_[attempt_shuffle], attempt.shuffle_finish, start);
    put_optional(columns_[attempt_sort], attempt.sort_finish, base_of(attempt.shuffle_finish));
    put_optional(columns_[attempt_map], attempt.map_finish, base_of(attempt.finish));
    columns_[attempt_place].put(names_.number(attempt.node));
    columns_[attempt_place].put(names_.number(attempt.rack));
    columns_[attempt_error].put(names_.number(attempt.error));
  }

  const JobRun& run_;
  Columns<ColumnWriter> columns_;
  ColumnWriter masters_;
  Dictionary names_;
  std::int64_t previous_start_ = 0;
  std::int64_t previous_number_ = 0;
};

template <class Enum>
Enum get_enum(ColumnReader& column, Enum last) {
  const std::uint64_t value = column.get();
  if (value > static_cast<std::uint64_t>(last)) throw std::runtime_error("an unknown state or kind");
  return static_cast<Enum>(value);
}

class Unpacker {
 public:
  Unpacker(std::string_view text, JobRun& run) : bytes_(from_compressed_text(text)), run_(run) {}

  void unpack() {
    ColumnReader all(bytes_);
    const std::uint64_t format = all.get();
    if (format < 1 || format > newest) {
      throw std::runtime_error(fmt::format("tasks are in format {}, known are 1 to {}", format, newest));
    }
    run_.diagnostics_text = all.get_text();
    run_.counters = get_numbers(all);
    run_.settings.clear();
    run_.quality_warnings.clear();
    if (format > 1) {
      for (std::size_t i = all.get_count(all.left()); i > 0; --i) {
        std::string name = all.get_text();
        run_.settings[std::move(name)] = all.get_text();
      }
      run_.quality_warnings = get_numbers(all);
    }
    names_.resize(all.get_count(all.left()));
    for (std::string& name : names_) name = all.get_text();
    const std::size_t tasks = all.get_count(all.left());
    std::array<std::string, columns> kept;
    for (std::size_t i = 0; i < columns; ++i) {
      kept[i] = all.get_text();
      columns_[i] = ColumnReader(kept[i]);
    }
    run_.tasks.clear();
    run_.tasks.reserve(tasks);
    for (std::size_t i = 0; i < tasks; ++i) run_.tasks.push_back(task());
    run_.masters.clear();
    if (format > 2) get_masters(all);
  }

 private:
  static std::map<std::string, std::int64_t> get_numbers(ColumnReader& all) {
    std::map<std::string, std::int64_t> numbers;
    const std::size_t count = all.get_count(all.left());
    const std::string bytes = all.get_text();
    ColumnReader pairs(bytes);
    for (std::size_t i = 0; i < count; ++i) {
      std::string name = pairs.get_text();
      numbers[std::move(name)] = pairs.get_signed();
    }
    return numbers;
  }

  void get_masters(ColumnReader& all) {
    const std::size_t count = all.get_count(all.left());
    const std::string bytes = all.get_text();
    ColumnReader column(bytes);
    for (std::size_t i = 0; i < count; ++i) {
      MasterRun master;
      master.number = static_cast<std::int32_t>(column.get_signed());
      master.start = get_time(column, previous_start_);
      master.node = name(column.get());
      run_.masters.push_back(std::move(master));
    }
  }

  [[nodiscard]] const std::string& name(std::uint64_t number) const {
    if (number >= names_.size()) throw std::runtime_error("a name that is not in the dictionary");
    return names_[number];
  }

  std::string id(Column column, const std::string& derived) {
    const std::uint64_t number = columns_[column].get();
    return number == 0 ? derived : name(number - 1);
  }

  TaskRun task() {
    TaskRun task;
    task.kind = get_enum(columns_[task_kind], TaskKind::cleanup);
    previous_number_ = plus(previous_number_, columns_[task_number].get_signed());
    task.number = static_cast<std::int32_t>(previous_number_);
    task.state = get_enum(columns_[task_state], AttemptState::killed);
    task.id = id(task_id, derived_task_id(run_.id, task.kind, task.number));
    task.start = get_time(columns_[task_start], previous_start_);
    if (task.start) previous_start_ = to_ms(*task.start);
    task.finish = get_time(columns_[task_length], base_of(task.start));
    task.input = get_bytes(columns_[task_input]);
    task.output = get_bytes(columns_[task_output]);
    task.split_nodes.resize(columns_[task_splits].get_count(columns_[task_splits].left()));
    for (std::string& node : task.split_nodes) node = name(columns_[task_splits].get());
    const std::size_t attempts = columns_[task_attempts].get_count(columns_[attempt_state].left());
    task.attempts.reserve(attempts);
    for (std::size_t i = 0; i < attempts; ++i) task.attempts.push_back(attempt(task));
    const std::uint64_t winner = columns_[task_winner].get();
    if (winner == 1) {
      task.successful_attempt = name(columns_[task_winner].get());
    } else if (winner > 1) {
      if (winner - 2 >= attempts) throw std::runtime_error("an attempt that is not there");
      task.successful_attempt = task.attempts[winner - 2].id;
    }
    return task;
  }

  Attempt attempt(const TaskRun& task) {
    Attempt attempt;
    attempt.number = static_cast<std::int32_t>(columns_[attempt_number].get_signed());
    attempt.state = get_enum(columns_[attempt_state], AttemptState::killed);
    attempt.id = id(attempt_id, derived_attempt_id(task.id, attempt.number));
    attempt.start = get_time(columns_[attempt_start], base_of(task.start));
    const std::int64_t start = base_of(attempt.start);
    attempt.finish = get_time(columns_[attempt_length], start);
    attempt.shuffle_finish = get_time(columns_[attempt_shuffle], start);
    attempt.sort_finish = get_time(columns_[attempt_sort], base_of(attempt.shuffle_finish));
    attempt.map_finish = get_time(columns_[attempt_map], base_of(attempt.finish));
    attempt.node = name(columns_[attempt_place].get());
    attempt.rack = name(columns_[attempt_place].get());
    attempt.error = name(columns_[attempt_error].get());
    return attempt;
  }

  const std::string bytes_;
  JobRun& run_;
  Columns<ColumnReader> columns_;
  std::vector<std::string> names_;
  std::int64_t previous_start_ = 0;
  std::int64_t previous_number_ = 0;
};

}  // namespace

std::string pack_tasks(const JobRun& run, TaskFormat format) {
  return Packer(run).pack(format);
}

void unpack_tasks(std::string_view text, JobRun& run) {
  Unpacker(text, run).unpack();
}

}  // namespace wavewright
