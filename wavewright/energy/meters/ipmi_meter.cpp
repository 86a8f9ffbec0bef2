#include "wavewright/energy/meters/ipmi_meter.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/program_answer.h"
#include "wavewright/core/spec.h"

namespace wavewright {

namespace {

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of(" \r\n") + 1);
  return shortened(text.substr(text.rfind('\n') + 1));
}

class IpmiMeter : public Meter {
 public:
  IpmiMeter(std::string program, Duration limit) : program_(std::move(program)), limit_(limit) {
    const ProgramAnswer answer = ask();
    if (answer.late) refuse(fmt::format("no answer within {}", format_duration(limit_)));
    if (!answer.good() || !parse_power_reading(answer.text)) {
      const std::string words = last_line(answer.text);
      refuse("tells no power" + (words.empty() ? "" : ": " + words));
    }
  }

  [[nodiscard]] const std::vector<MeterSource>& sources() const override { return sources_; }

  [[nodiscard]] std::vector<MeterSample> read(Time now) override {
    const ProgramAnswer answer = ask();
    const std::optional<std::int64_t> watts = answer.good() ? parse_power_reading(answer.text) : std::nullopt;
    if (!watts) return {};
    return {{0, now, *watts * 1000}};
  }

 private:
  [[nodiscard]] ProgramAnswer ask() const {
    return ask_program({program_, "dcmi", "power", "reading"}, limit_);
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw ExternalError({program_ + " dcmi power reading"}, what,
                        "run it as root on a machine whose controller knows DCMI");
  }

  std::string program_;
  Duration limit_;
  std::vector<MeterSource> sources_ = {{"ipmi/node", MeterUnit::power, 0}};
};

}  // namespace

std::optional<std::int64_t> parse_power_reading(std::string_view text) {
  constexpr std::string_view label = "Instantaneous power reading:", state = "Power reading state is:";
  if (const std::size_t at = text.find(state); at != std::string_view::npos) {
    const std::string_view rest = text.substr(at, text.find('\n', at) - at);
    if (rest.find("deactivated") != std::string_view::npos) return std::nullopt;
  }
  std::size_t at = text.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  at = text.find_first_not_of(" \t", at + label.size());
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t watts = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), watts);
  constexpr std::int64_t most = 1'000'000;
  if (error != std::errc{} || watts < 0 || watts > most) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  return unit.starts_with(" Watts") ? std::optional(watts) : std::nullopt;
}

std::unique_ptr<Meter> open_ipmi(const std::string& program, Duration limit) {
  return std::make_unique<IpmiMeter>(program, limit);
}

}  // namespace wavewright
