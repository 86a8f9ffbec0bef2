#include "wavewright/history/hadoop1/record.h"

#include <algorithm>

#include "wavewright/history/reader.h"

namespace wavewright::hadoop1 {

namespace {

bool is_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

std::string unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

std::string Record::get(std::string_view key) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == key; });
  return found == fields.end() ? std::string() : unescape(found->second);
}

Taken RecordScanner::broken(Taken why) {
  const auto newline = log_.find('\n', std::max(begin_, at_ == 0 ? at_ : at_ - 1));
  at_ = newline == std::string_view::npos ? log_.size() : newline + 1;
  return why;
}

Taken RecordScanner::next(Record& record) {
  record.fields.clear();
  while (!ended() && (is_space(log_[at_]) || log_[at_] == '\n')) ++at_;
  begin_ = at_;
  if (ended()) return Taken::end;
  while (!ended() && is_name(log_[at_])) ++at_;
  record.type = log_.substr(begin_, at_ - begin_);
  if (ended()) return Taken::cut_off;
  if (record.type.empty() || !is_space(log_[at_])) return broken();
  return fields(record);
}

Taken RecordScanner::fields(Record& record) {
  for (;;) {
    while (!ended() && is_space(log_[at_])) ++at_;
    if (ended()) return Taken::cut_off;
    if (log_[at_] == '\n') {
      ++at_;
      return Taken::record;
    }
    if (log_[at_] == '.') {
      ++at_;
      while (!ended() && is_space(log_[at_])) ++at_;
      if (!ended() && log_[at_] != '\n') return broken();
      return Taken::record;
    }
    if (const Taken taken = field(record); taken != Taken::record) return taken;
    if (at_ - begin_ > longest_line || record.fields.size() > most_fields) return broken(Taken::too_long);
  }
}

Taken RecordScanner::field(Record& record) {
  const std::size_t key = at_;
  while (!ended() && is_name(log_[at_])) ++at_;
  const std::size_t key_end = at_;
  if (ended()) return Taken::cut_off;
  if (key == key_end || log_[at_] != '=') return broken();
  if (++at_; ended()) return Taken::cut_off;
  if (log_[at_] != '"') return broken();
  const std::size_t value = ++at_;
  while (!ended() && log_[at_] != '"') at_ += log_[at_] == '\\' ? 2 : 1;
  if (ended()) {
    at_ = log_.size();
    return at_ - begin_ > longest_line ? Taken::too_long : Taken::cut_off;
  }
  record.fields.emplace_back(log_.substr(key, key_end - key), log_.substr(value, at_ - value));
  ++at_;
  return Taken::record;
}

}  // namespace wavewright::hadoop1
