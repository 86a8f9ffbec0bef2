// Price files: read into one history a market, and written.
//
// JSON of the AWS command line (cloud/prices/price_json.h) or CSV (cloud/prices/price_csv.h), told by the
// first character; gzip is inflated. Rows in any order are sorted. A row that stands twice counts once. Of
// two prices at one instant the higher one is kept: a bid must survive it. All of this, and gaps, is said in
// notes.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/core/quantity.h"

namespace wavewright {

struct PriceReadOptions {
  Market wanted;                                // only rows of these; an empty part means any
  Duration longest_gap = ms(7 * 86'400'000LL);  // more time between two rows is said
};

struct PriceFile {
  std::vector<PriceHistory> histories;  // by market
  std::vector<std::string> notes;
  Count rows = 0;  // read, of the wanted markets
};

// Throws ExternalError if the file cannot be read; InputError for a row or file that cannot be used, with its
// place, and if no row is of a wanted market, with the markets that there are. O(rows · log rows).
[[nodiscard]] PriceFile read_prices(const std::filesystem::path& path, const PriceReadOptions& options = {});
[[nodiscard]] PriceFile prices_of_text(std::string_view text, const std::string& source,
                                       const PriceReadOptions& options = {});

// The only history. Throws UsageError with the markets to choose from if there are several.
[[nodiscard]] const PriceHistory& only_history(const PriceFile& file);

// `time,instance_type,zone,product,price_usd_per_hour`; reading it back gives the same prices and times, in
// ms; the end of the history is a last row that repeats the price.
void write_prices_csv(std::ostream& out, const PriceHistory& history);
// As the AWS command line prints it, oldest first.
void write_prices_json(std::ostream& out, const PriceHistory& history);
// The line `spot = [[0, 0.1], …]` of a cluster file (docs/formats/cluster-file.md), from its beginning on.
void write_prices_toml(std::ostream& out, const PriceHistory& history);

}  // namespace wavewright
