#include "wavewright/energy/meters/plug_meter.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "wavewright/core/error.h"
#include "wavewright/core/number_table.h"
#include "wavewright/energy/meters/plug_file.h"

namespace wavewright {

namespace {

class PlugMeter : public Meter {
 public:
  PlugMeter(std::filesystem::path file, std::string node, Time since)
      : file_(std::move(file)), node_(std::move(node)), since_(since) {
    std::string lines = appended();
    const std::size_t end = lines.find('\n');
    if (end == std::string::npos)
      throw InputError({file_.string()}, "no line of headings yet",
                       "begin with a line time,watts or time,joules");
    heading_ = lines.substr(0, end + 1);
    lines.erase(0, end + 1);
    check_headings();
    sources_ = {{"plug/node", unit_of_plug_file(heading_), 0}};
    keep(parsed(lines));
  }

  [[nodiscard]] const std::vector<MeterSource>& sources() const override { return sources_; }
  [[nodiscard]] bool at_own_times() const override { return true; }

  [[nodiscard]] std::vector<MeterSample> read(Time) override {
    keep_lines(appended());
    std::vector<MeterSample> samples;
    samples.swap(waiting_);
    return samples;
  }

 private:
  // Whole lines that came since the last call.
  std::string appended() {
    std::error_code none;
    if (std::filesystem::exists(file_, none) && !std::filesystem::is_regular_file(file_, none)) {
      throw ExternalError({file_.string()}, "cannot be read: it is no plain file",
                          "name the file that the meter's own program writes");
    }
    std::ifstream in(file_, std::ios::binary);
    if (!in) {
      throw ExternalError({file_.string()}, std::string("cannot be read: ") + std::strerror(errno),
                          "name the file that the meter's own program writes");
    }
    in.seekg(0, std::ios::end);
    if (static_cast<std::streamoff>(in.tellg()) < read_) {
      // The program began its file anew.
      read_ = 0;
      skipped_ = 0;
      headings_due_ = true;
    }
    in.seekg(read_);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
    if (headings_due_ && !text.empty() && !text.starts_with(heading_)) {
      throw InputError({file_.string(), 1}, "other headings than when the recording began",
                       "record once more");
    }
    read_ += static_cast<std::streamoff>(text.size());
    if (headings_due_ && !text.empty()) {
      text.erase(0, heading_.size());
      headings_due_ = false;
    }
    return text;
  }

  // With a row of dropped samples, as a table needs one.
  void check_headings() const {
    const std::string row(static_cast<std::size_t>(std::count(heading_.begin(), heading_.end(), ',')), ',');
    static_cast<void>(parse_plug_file(heading_ + row + "\n", file_.string(), node_));
  }

  // Blank lines stand for those read before, so that errors name the file's line.
  [[nodiscard]] std::vector<SourceSeries> parsed(const std::string& lines) {
    const std::string before(skipped_, '\n');
    skipped_ += static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
    if (heading_line(lines).empty()) return {};
    return parse_plug_file(heading_ + before + lines, file_.string(), node_);
  }

  // A malformed line costs no other: its error is thrown when the others are kept.
  void keep_lines(const std::string& lines) {
    std::size_t number = skipped_ + 1;
    try {
      return keep(parsed(lines));
    } catch (const InputError&) {
      // Line by line, then.
    }
    std::optional<InputError> first;
    for (std::size_t from = 0, end = 0; from < lines.size(); from = end) {
      end = lines.find('\n', from) + 1;
      const std::string line = lines.substr(from, end - from);
      ++number;
      if (heading_line(line).empty()) continue;
      try {
        keep(parse_plug_file(heading_ + line, file_.string(), node_));
      } catch (const InputError& error) {
        const Position where{file_.string(), static_cast<std::int64_t>(number)};
        if (!first) first.emplace(where, error.problem(), error.remedy());
      }
    }
    if (first) throw InputError(*first);
  }

  void keep(const std::vector<SourceSeries>& found) {
    for (const SourceSeries& series : found) {
      if (series.node != node_) continue;
      for (const Reading& each : series.readings)
        if (each.at >= since_) waiting_.push_back({0, each.at, each.value});
    }
  }

  std::filesystem::path file_;
  std::string node_;
  Time since_;
  std::string heading_;
  std::streamoff read_ = 0;
  std::size_t skipped_ = 0;
  bool headings_due_ = false;
  std::vector<MeterSource> sources_;
  std::vector<MeterSample> waiting_;
};

}  // namespace

std::unique_ptr<Meter> open_plug(const std::filesystem::path& file, const std::string& node, Time since) {
  return std::make_unique<PlugMeter>(file, node, since);
}

}  // namespace wavewright
