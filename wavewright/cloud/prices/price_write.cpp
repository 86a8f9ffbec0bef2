#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/cloud/prices/price_file.h"
#include "wavewright/core/csv.h"

namespace wavewright {

namespace {

// With all six decimals: exact.
std::string usd(Money price) {
  return fmt::format("{}.{:06}", price.micro_usd / micro_per_usd, price.micro_usd % micro_per_usd);
}

// `2015-03-02T14:03:15.000Z`.
std::string iso_text(Time instant) {
  std::int64_t fraction = to_ms(instant) % 1000;
  if (fraction < 0) fraction += 1000;
  std::string text = format_utc(at_ms(to_ms(instant) - fraction));
  text[10] = 'T';
  return fmt::format("{}.{:03}Z", text, fraction);
}

// The points, and the end as a repeat of the last price.
template <class Write>
void each_row(const PriceHistory& history, Write write) {
  for (const PricePoint& point : history.points()) write(point.from, point.per_hour);
  if (history.end() > history.points().back().from) write(history.end(), history.points().back().per_hour);
}

}  // namespace

void write_prices_csv(std::ostream& out, const PriceHistory& history) {
  const Market& market = history.market();
  const std::string names = fmt::format("{},{},{}", csv_field(market.instance_type), csv_field(market.zone),
                                        csv_field(market.product));
  out << "time,instance_type,zone,product,price_usd_per_hour\n";
  each_row(history, [&](Time from, Money price) {
    out << iso_text(from) << ',' << names << ',' << usd(price) << '\n';
  });
}

void write_prices_json(std::ostream& out, const PriceHistory& history) {
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  const Market& market = history.market();
  const std::string names =
      fmt::format(R"("AvailabilityZone":{},"InstanceType":{},"ProductDescription":{})", quoted(market.zone),
                  quoted(market.instance_type), quoted(market.product));
  const char* before = "{\"SpotPriceHistory\":[\n";
  each_row(history, [&](Time from, Money price) {
    out << before
        << fmt::format(R"({{{},"SpotPrice":"{}","Timestamp":"{}"}})", names, usd(price), iso_text(from));
    before = ",\n";
  });
  out << "\n]}\n";
}

void write_prices_toml(std::ostream& out, const PriceHistory& history) {
  const char* before = "spot = [";
  for (const SpotPrice& row : spot_rows(history, history.begin())) {
    out << before << fmt::format("[{}, {}]", to_ms(row.from), usd(from_usd(row.price_per_hour)));
    before = ",\n  ";
  }
  out << "]\n";
}

}  // namespace wavewright
