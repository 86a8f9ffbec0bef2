#include "wavewright/history/source/content.h"

#include <algorithm>
#include <new>
#include <utility>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/error.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/settings.h"

namespace wavewright {

namespace {

std::string format_of(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  for (const auto& reader : history_readers()) {
    if (reader->accepts(bytes.substr(0, 4096))) return reader->format();
  }
  return {};
}

}  // namespace

bool stands_beside_histories(std::string_view name) {
  return name.ends_with("_conf.xml") || name.ends_with("_conf.xml.gz") || name.ends_with(".crc") ||
         name.ends_with(".summary") || name.ends_with("._COPYING_") || name.ends_with("_tmp") ||
         name == "_SUCCESS";
}

std::size_t bytes_to_hold(std::string_view name, std::uintmax_t stored) {
  constexpr std::uintmax_t usual = 10;
  const std::uintmax_t held =
      std::min<std::uintmax_t>(stored, largest_history) * (name.ends_with(".gz") ? usual : 1);
  return static_cast<std::size_t>(std::min<std::uintmax_t>(held, largest_history));
}

void read_content(std::string_view bytes, FileHistory& file) {
  told_in(file, [&] {
    file.format = format_of(bytes);
    read_history(
        bytes, file.name, [&](JobRun&& run) { file.runs.push_back(std::move(run)); },
        [&](Diagnostic&& diagnostic) { file.diagnostics.push_back(std::move(diagnostic)); });
  });
}

bool begins_as_history(std::string_view start) {
  return !format_of(start).empty();
}

void told_in(FileHistory& file, const std::function<void()>& read) {
  using Severity = Diagnostic::Severity;
  try {
    read();
  } catch (const Error& error) {
    file.runs.clear();
    file.diagnostics.push_back(diagnosed(Severity::skipped, error.where(), error.problem(), error.remedy()));
  } catch (const std::bad_alloc&) {
    file.runs.clear();
    file.diagnostics.push_back(diagnosed(Severity::skipped, {file.name}, "not enough memory to read it"));
  }
}

void add_settings(FileHistory& file, std::string_view file_name,
                  const std::function<std::optional<std::string>(const std::string& name)>& fetch) {
  if (file.runs.size() != 1 || !file.runs.front().settings.empty()) return;
  JobRun& run = file.runs.front();
  // The id comes from the file: one with a `/` could read from elsewhere.
  if (run.id.find('/') != std::string::npos) return;
  for (const std::string& name : names_of_settings(file_name, run.id)) {
    if (const auto bytes = fetch(name)) {
      run.settings = settings_of_xml(*bytes);
      return;
    }
  }
}

}  // namespace wavewright
