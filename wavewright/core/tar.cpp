#include "wavewright/core/tar.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr std::size_t block = 512;
using Header = std::array<char, block>;

// An octal field of `width` bytes, the last of them zero.
void put_octal(Header& header, std::size_t at, std::size_t width, std::uint64_t value) {
  const std::string digits = fmt::format("{:0{}o}", value, width - 1);
  std::memcpy(header.data() + at, digits.data(), width - 1);
}

Header header_of(const std::string& name, std::uint64_t bytes, bool executable) {
  constexpr std::size_t longest_name = 100;
  constexpr std::uint64_t too_large = std::uint64_t{1} << 33;
  if (name.empty() || name.size() > longest_name || name.front() == '/' || bytes >= too_large)
    throw InternalError("no member of a tar archive: " + name);
  Header header{};
  std::memcpy(header.data(), name.data(), name.size());
  put_octal(header, 100, 8, executable ? 0755 : 0644);
  put_octal(header, 108, 8, 0);  // user
  put_octal(header, 116, 8, 0);  // group
  put_octal(header, 124, 12, bytes);
  put_octal(header, 136, 12, 0);  // time of change
  std::memset(header.data() + 148, ' ', 8);
  header[156] = '0';  // a file
  std::memcpy(header.data() + 257, "ustar\00000", 8);
  const unsigned sum = std::accumulate(header.begin(), header.end(), 0U, [](unsigned all, char each) {
    return all + static_cast<unsigned char>(each);
  });
  put_octal(header, 148, 7, sum);
  return header;
}

}  // namespace

struct TarWriter::Deflater {
  explicit Deflater(std::ostream& to) : out(to) {
    constexpr int gzip = 15 + 16, memory = 8;
    if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, memory, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { ::deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  Deflater(Deflater&&) = delete;
  Deflater& operator=(Deflater&&) = delete;

  void take(std::string_view bytes, int flush = Z_NO_FLUSH) {
    std::array<char, std::size_t{1} << 16> piece{};
    // zlib takes a pointer to what it does not change.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());  // NOLINT
      stream.avail_out = static_cast<uInt>(piece.size());
      ::deflate(&stream, flush);
      out.write(piece.data(), static_cast<std::streamsize>(piece.size() - stream.avail_out));
    } while (stream.avail_out == 0);
  }
  void fill(std::uint64_t bytes) {
    static constexpr std::array<char, block> zeros{};
    if (bytes % block != 0) take({zeros.data(), block - bytes % block});
  }

  std::ostream& out;
  z_stream stream{};
};

TarWriter::TarWriter(std::ostream& out) : deflater_(std::make_unique<Deflater>(out)) {}
TarWriter::~TarWriter() = default;

void TarWriter::add(const std::string& name, std::string_view bytes, bool executable) {
  const Header header = header_of(name, bytes.size(), executable);
  deflater_->take({header.data(), header.size()});
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::string_view piece = rest.substr(0, std::size_t{1} << 20);
    deflater_->take(piece);
    rest.remove_prefix(piece.size());
  }
  deflater_->fill(bytes.size());
}

void TarWriter::add_file(const std::string& name, const std::filesystem::path& file, bool executable) {
  const auto refuse = [&](const std::string& why) {
    throw ExternalError({file.string()}, "cannot be read: " + why, "check its rights");
  };
  std::ifstream in(file, std::ios::binary);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error) refuse(error.message());
  if (!in) refuse(std::strerror(errno));
  const Header header = header_of(name, bytes, executable);
  deflater_->take({header.data(), header.size()});
  std::string piece(std::size_t{1} << 20, '\0');
  std::uintmax_t taken = 0;
  while (taken < bytes && in.read(piece.data(), static_cast<std::streamsize>(
                                                    std::min<std::uintmax_t>(piece.size(), bytes - taken)))) {
    deflater_->take({piece.data(), static_cast<std::size_t>(in.gcount())});
    taken += static_cast<std::uintmax_t>(in.gcount());
  }
  if (taken != bytes) refuse("it became shorter");
  deflater_->fill(bytes);
}

void TarWriter::finish() {
  static constexpr std::array<char, 2 * block> end{};
  deflater_->take({end.data(), end.size()}, Z_FINISH);
}

}  // namespace wavewright
