// Writes a tar archive (POSIX ustar), deflated as gzip.
//
// Equal members give equal bytes: owners and times are left out.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace wavewright {

class TarWriter {
 public:
  // `out` must outlive it.
  explicit TarWriter(std::ostream& out);
  ~TarWriter();
  TarWriter(const TarWriter&) = delete;
  TarWriter& operator=(const TarWriter&) = delete;
  TarWriter(TarWriter&&) = delete;
  TarWriter& operator=(TarWriter&&) = delete;

  // `name`: a relative path of at most 100 bytes. Throws InternalError for another, and for a member of 8 GiB
  // or more.
  void add(const std::string& name, std::string_view bytes, bool executable = false);
  // The file as it is, gzip or not. Throws ExternalError if it cannot be read.
  void add_file(const std::string& name, const std::filesystem::path& file, bool executable = false);

  // Writes the archive's end. The caller looks at the stream.
  void finish();

 private:
  struct Deflater;
  std::unique_ptr<Deflater> deflater_;
};

}  // namespace wavewright
