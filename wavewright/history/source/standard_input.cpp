#include "wavewright/history/source/standard_input.h"

#include "wavewright/core/checked_file.h"
#include "wavewright/history/source/content.h"
#include "wavewright/history/source/content_check.h"

namespace wavewright {

void StandardInput::list(const std::function<bool(HistoryFile&&)>& found,
                         const DiagnosticSink& /*diagnostics*/) const {
  (void)found({"standard input", {}, 0});
}

FileHistory StandardInput::read(const HistoryFile& listed) const {
  FileHistory file{listed.name, {}, {}, {}};
  std::string bytes;
  told_in(file, [&] {
    ContentCheck check(listed.name);
    bytes =
        read_file_checked("/dev/stdin", largest_history, [&](std::string_view piece) { check.take(piece); });
  });
  if (file.diagnostics.empty()) read_content(bytes, file);
  return file;
}

}  // namespace wavewright
