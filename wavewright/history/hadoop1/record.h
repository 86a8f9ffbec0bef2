// A record of a Hadoop 0.20 / 1.x job history log: `Task TASKID="…" TASK_TYPE="MAP" … .`
//
// Values are quoted, with a backslash before special characters; they may hold newlines. A record ends with `
// .` and a newline; in logs older than VERSION 1 with the newline alone.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wavewright::hadoop1 {

struct Record {
  std::string_view type;  // `Job`, `Task`, `MapAttempt`, `ReduceAttempt`, `Meta`
  std::vector<std::pair<std::string_view, std::string_view>> fields;  // values as written, still escaped

  // The value without its escapes; empty if the record has no such field.
  [[nodiscard]] std::string get(std::string_view key) const;
};

// Removes the backslashes: `org\.apache` gives org.apache.
[[nodiscard]] std::string unescape(std::string_view text);

enum class Taken { record, end, unreadable, too_long, cut_off };

// Hadoop's records have some twenty.
inline constexpr std::size_t most_fields = 10'000;

// Scans a log record by record. Views point into the log. O(length) in total.
class RecordScanner {
 public:
  explicit RecordScanner(std::string_view log) : log_(log) {}

  // `unreadable`: no record stands here; the scanner goes on at the next line. `too_long`: the same for a
  // record longer than `longest_line` or with more than `most_fields` fields. `cut_off`: the log ends inside
  // a record.
  [[nodiscard]] Taken next(Record& record);

  [[nodiscard]] std::size_t offset() const { return begin_; }  // of the last record

 private:
  Taken fields(Record& record);
  Taken field(Record& record);
  Taken broken(Taken why = Taken::unreadable);
  [[nodiscard]] bool ended() const { return at_ >= log_.size(); }

  std::string_view log_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
};

}  // namespace wavewright::hadoop1
