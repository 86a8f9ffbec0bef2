#include "wavewright/job/line_reader.h"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

struct LineReader::Stream {
  gzFile file = nullptr;
};

LineReader::LineReader(const std::filesystem::path& path)
    : source_(path == "-" ? "standard input" : path.string()), stream_(std::make_unique<Stream>()) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ExternalError({source_}, "cannot read: it is a folder", "name a file");
  }
  errno = 0;
  stream_->file = path == "-" ? gzdopen(::dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (stream_->file == nullptr) {
    throw ExternalError({source_}, fmt::format("cannot read: {}", std::strerror(errno)), "check the path");
  }
  gzbuffer(stream_->file, 1U << 17);
  buffer_.resize((std::size_t{1} << 18) + padding);
}

LineReader::LineReader(std::string_view text, std::string source)
    : source_(std::move(source)), stream_(std::make_unique<Stream>()), end_(text.size()) {
  buffer_.assign(text.begin(), text.end());
  buffer_.resize(text.size() + padding);
}

LineReader::~LineReader() {
  if (stream_->file != nullptr) gzclose(stream_->file);
}

bool LineReader::fill() {
  if (stream_->file == nullptr) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (end_ > longest_line) {
    throw InputError({source_, line_ + 1}, fmt::format("a line of more than {} MiB", longest_line >> 20),
                     "split the job");
  }
  if (buffer_.size() < end_ + (std::size_t{1} << 16) + padding) buffer_.resize(buffer_.size() * 2);
  const std::size_t room = buffer_.size() - padding - end_;
  const int got = gzread(stream_->file, buffer_.data() + end_, static_cast<unsigned>(room));
  int code = Z_OK;
  const char* why = gzerror(stream_->file, &code);
  if (got < 0 && code == Z_ERRNO) {
    throw ExternalError({source_}, fmt::format("cannot read: {}", std::strerror(errno)), "check the path");
  }
  if (got < 0) {
    throw InputError({source_, line_ + 1}, fmt::format("damaged gzip: {}", why), "fetch the file again");
  }
  if (got == 0 && code == Z_BUF_ERROR) {
    throw InputError({source_, line_ + 1}, "the gzip file ends early", "fetch the file again");
  }
  end_ += static_cast<std::size_t>(got);
  return got > 0;
}

std::optional<std::string_view> LineReader::next() {
  for (;;) {
    const char* data = buffer_.data();
    const void* found = std::memchr(data + scanned_, '\n', end_ - scanned_);
    const bool at_end = found == nullptr && (scanned_ = end_, !fill());
    if (found == nullptr && !at_end) continue;
    if (at_end && begin_ == end_) return std::nullopt;
    const std::size_t stop = at_end ? end_ : static_cast<std::size_t>(static_cast<const char*>(found) - data);
    std::string_view text(buffer_.data() + begin_, stop - begin_);
    begin_ = scanned_ = std::min(stop + 1, end_);
    terminated_ = !at_end;
    if (++line_ == 1 && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }
}

}  // namespace wavewright
