#include "wavewright/history/source/standard_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "wavewright/core/error.h"
#include "wavewright/history/source/content.h"
#include "wavewright/history/source/content_reading.h"

namespace wavewright {

namespace {

// Waits until a read gives something. A signal may go to another thread, so the read itself must not wait.
void wait_for_input(InterruptFlag interrupted) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  do {
    throw_if(interrupted);
  } while (::poll(&input, 1, interrupt_poll_ms) == 0);
}

std::string read_input(const std::string& name, InterruptFlag interrupted) {
  ContentReading reading(name, ContentReading::What::history, largest_history);
  std::string piece(std::size_t{256} << 10, '\0');
  for (;;) {
    wait_for_input(interrupted);
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got == 0) return std::move(reading).finish();
    if (got < 0 && errno != EINTR) {
      throw ExternalError({name}, std::string("cannot read: ") + std::strerror(errno),
                          "give a file or a pipe");
    }
    try {
      if (got > 0) reading.take(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    } catch (const ContentReading::NoHistory&) {
      return std::move(reading).finish();
    }
  }
}

}  // namespace

void StandardInput::list(const std::function<bool(HistoryFile&&)>& found,
                         const DiagnosticSink& /*diagnostics*/) const {
  (void)found({"standard input", {}, 0});
}

FileHistory StandardInput::read(const HistoryFile& listed) const {
  FileHistory file{listed.name, {}, {}, {}};
  std::string bytes;
  told_in(file, [&] { bytes = read_input(listed.name, interrupted_); });
  if (file.diagnostics.empty()) read_content(bytes, file);
  return file;
}

}  // namespace wavewright
