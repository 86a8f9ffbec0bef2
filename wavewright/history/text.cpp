#include "wavewright/history/text.h"

#include <algorithm>
#include <charconv>

namespace wavewright {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Length of the UTF-8 sequence at the start of `text`; 0 if there is none (overlong forms, surrogates and
// values beyond U+10FFFF are invalid).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first >= 0x80 && (first < 0xC2 || first > 0xF4)) return 0;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

std::string clean_text(std::string_view text, Lines lines) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char c = text.front();
    const bool kept = lines == Lines::keep && (c == '\n' || c == '\t');
    if ((static_cast<unsigned char>(c) < 0x20 && !kept) || c == 0x7F) {
      out += ' ';
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = sequence_length(text);
    out += length == 0 ? replacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string host_of(std::string_view name) {
  if (name.starts_with("tracker_")) {
    name.remove_prefix(8);
    name = name.substr(0, name.find(':'));
  }
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  const auto colon = name.find(':');
  if (colon != std::string_view::npos && parse_integer(name.substr(colon + 1))) name = name.substr(0, colon);
  if (name == "UNKNOWN") return {};
  return clean_text(name);
}

std::string rack_of(std::string_view name) {
  const auto slash = name.rfind('/');
  if (slash == std::string_view::npos || name.front() != '/') return {};
  const std::string_view rack = name.substr(0, slash);
  return rack == "/UNKNOWN" ? std::string() : clean_text(rack);
}

std::vector<std::string> hosts_of(std::string_view names) {
  std::vector<std::string> hosts;
  while (!names.empty()) {
    const auto comma = names.find(',');
    if (std::string host = host_of(names.substr(0, comma)); !host.empty()) hosts.push_back(std::move(host));
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
  return hosts;
}

TaskKind task_kind(std::string_view type, std::string_view task_id) {
  if (type == "MAP") return TaskKind::map;
  if (type == "REDUCE") return TaskKind::reduce;
  if (type == "SETUP" || type == "JOB_SETUP") return TaskKind::setup;
  if (type == "CLEANUP" || type == "JOB_CLEANUP" || type == "TASK_CLEANUP") return TaskKind::cleanup;
  return task_id.find("_r_") == std::string_view::npos ? TaskKind::map : TaskKind::reduce;
}

std::int32_t trailing_number(std::string_view id) {
  const auto underscore = id.rfind('_');
  if (underscore == std::string_view::npos) return 0;
  const auto number = parse_integer(id.substr(underscore + 1));
  return number && *number >= 0 && *number <= INT32_MAX ? static_cast<std::int32_t>(*number) : 0;
}

std::string job_of(std::string_view id) {
  const std::size_t prefix = id.starts_with("task_") ? 5 : id.starts_with("attempt_") ? 8 : 0;
  if (prefix == 0) return {};
  const auto first = id.find('_', prefix);
  if (first == std::string_view::npos) return {};
  const auto second = id.find('_', first + 1);
  if (second == std::string_view::npos) return {};
  return "job_" + clean_text(id.substr(prefix, second - prefix));
}

}  // namespace wavewright
