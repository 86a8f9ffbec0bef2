#include "apps/commands/job_size.h"

#include <charconv>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright::app {

void JobSizeFlags::declare(CLI::App& command) {
  command
      .add_option("--input-bytes", input_bytes,
                  "input of the run to predict, like 2GiB; default: as the runs had")
      ->type_name("B");
  command.add_option("--maps", maps, "map tasks of it; default: from its input, or as the runs had")
      ->type_name("N");
  command.add_option("--reduces", reduces, "reduce tasks of it; default: as the runs had")->type_name("N");
}

RunSize JobSizeFlags::size() const {
  RunSize size;
  if (!input_bytes.empty()) size.input = parse_bytes(input_bytes);
  if (!maps.empty()) size.maps = parse_count(maps, "--maps", 0);
  if (!reduces.empty()) size.reduces = parse_count(reduces, "--reduces", 0);
  return size;
}

Count parse_count(const std::string& text, const std::string& flag, Count least) {
  constexpr Count most = 100'000'000;  // tasks or slots; a larger number is a mistake
  Count value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    throw UsageError(flag + " '" + text + "' is not a usable number",
                     fmt::format("give a whole number from {} to {}", least, most));
  }
  return value;
}

}  // namespace wavewright::app
