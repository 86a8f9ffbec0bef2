// Histories of spot prices, as JSON or CSV: what is read is in order, and what is written of it reads the
// same.
#include <sstream>
#include <string_view>

#include "wavewright/cloud/prices/price_file.h"
#include "wavewright/core/error.h"

using namespace wavewright;

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void check(const PriceHistory& history) {
  const PricePoint* before = nullptr;
  for (const PricePoint& point : history.points()) {
    expect(point.per_hour >= Money{} && (before == nullptr || before->from < point.from));
    before = &point;
  }
  expect(before != nullptr && before->from <= history.end());
  expect(history.at(history.end()) == before->per_hour);
  for (auto* write : {write_prices_csv, write_prices_json}) {
    std::ostringstream text;
    write(text, history);
    const PriceFile back = prices_of_text(text.str(), "written");
    expect(back.histories.size() == 1);
    const PriceHistory again = back.histories[0].without_repeats(), once = history.without_repeats();
    expect(again.points() == once.points() && again.end() == once.end());
  }
  std::ostringstream rows;
  write_prices_toml(rows, history);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const PriceFile file =
        prices_of_text(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    expect(!file.histories.empty());  // nothing usable is an error
    for (const PriceHistory& history : file.histories) check(history);
  } catch (const InputError& error) {
    expect(error.where().source.starts_with("fuzz") && !error.remedy().empty());
  }
  return 0;
}
