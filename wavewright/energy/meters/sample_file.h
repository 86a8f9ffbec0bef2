// Files of samples, as `wavewright energy record` writes them; read beside those of wall-plug meters.
//
//     time_ms,node,source,energy_uj,power_mw,wraps_at_uj,broke
//     1795165486006,node3,rapl/package-0,48120331,,262143328850,
//     1795165486006,node3,nvml/0,,61200,,
//
// A source `declared/CLASS` is declared power times the use of the processors: nobody measured it.
// A row has energy or power. Rows are appended as they come, each round of a recording at once: whatever ends
// the recording, the file is whole up to there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wavewright/energy/meters/source_series.h"

namespace wavewright {

class SampleFile {
 public:
  // Makes the file and writes the headings. Throws ExternalError, also where the file is there already; a
  // file that cannot take the headings is removed.
  explicit SampleFile(const std::filesystem::path& path);
  ~SampleFile();
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  SampleFile(SampleFile&&) = delete;
  SampleFile& operator=(SampleFile&&) = delete;

  // A row for the last reading of each of the series. Throws ExternalError.
  void add(const std::vector<const SourceSeries*>& series);
  // Removes the file, of a recording that does not begin.
  void discard() const;

 private:
  void write(const std::string& text, const char* remedy) const;

  std::filesystem::path path_;
  int file_ = -1;
  Time synced_{};
};

struct SamplesRead {
  std::vector<SourceSeries> series;  // by node and source, in order of first mention
  bool cut_off = false;              // the last line was not whole, and left out
  Count turned = 0;                  // series whose rows went from the latest to the earliest
};

// Either kind of file, by its headings. A byte order mark before them and headings that come again are
// passed over. `node`: of the rows of a wall-plug meter that name none. Throws ExternalError, and InputError
// with file and line.
[[nodiscard]] SamplesRead read_samples(const std::filesystem::path& path, const std::string& node);
[[nodiscard]] SamplesRead parse_samples(std::string_view text, const std::string& source,
                                        const std::string& node);

}  // namespace wavewright
