#include "wavewright/cloud/prices/price_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

using Json = nlohmann::json;

constexpr const char* aws_hint = "write it with 'aws ec2 describe-spot-price-history --output json'";

// Rows are objects in the first list; all else is passed over.
class RowReader final : public nlohmann::json_sax<Json> {
 public:
  explicit RowReader(const std::string& source) : source_(source) {}

  [[nodiscard]] PriceRows take() {
    if (!list_) refuse("there is no list SpotPriceHistory in it");
    return std::move(read_);
  }

  bool null() override { return value("", true); }
  bool boolean(bool) override { return value("true or false", false); }
  bool number_integer(number_integer_t number) override { return value(std::to_string(number), true); }
  bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number), true); }
  bool number_float(number_float_t, const string_t& text) override { return value(text, true); }
  bool string(string_t& text) override { return value(text, true); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override {
    enter();
    if (depth_ == row_depth_ && row_depth_ > 0) fields_ = {};
    return true;
  }
  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool end_object() override {
    if (depth_ == row_depth_ && row_depth_ > 0 && inside_) end_row();
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    enter();
    const bool top = depth_ == 1;
    const bool named = depth_ == 2 && key_ == "SpotPriceHistory";
    if (!list_ && (top || named)) {
      list_ = inside_ = true;
      row_depth_ = depth_ + 1;
    }
    return true;
  }
  bool end_array() override {
    if (depth_ + 1 == row_depth_) inside_ = false;
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    throw InputError({source_, 0, static_cast<std::int64_t>(position)},
                     "the text ends or goes on as JSON does not",
                     fmt::format("is the file complete? {}", aws_hint));
  }

 private:
  struct Fields {
    std::string time, price, currency, unit;
    Market market;
  };

  [[noreturn]] void refuse(const std::string& what) const { throw InputError({source_}, what, aws_hint); }

  void enter() {
    constexpr int deepest = 32;
    if (++depth_ > deepest) refuse("it is nested too deeply for a price history");
  }

  [[nodiscard]] Position place() const { return {fmt::format("{}, row {}", source_, read_.rows.size() + 1)}; }

  bool value(const std::string& text, bool usable) {
    if (inside_ && depth_ + 1 == row_depth_) throw InputError(place(), "a row that is no object", aws_hint);
    if (!inside_ || depth_ != row_depth_) {
      if (depth_ == 1 && key_ == "NextToken" && !text.empty())
        read_.notes.emplace_back("the answer had more pages (NextToken): this is a part of the history");
      return true;
    }
    std::string* const into = field_of(key_);
    if (into == nullptr) return true;
    if (!usable) throw InputError(place(), fmt::format("{} is {}", key_, text), aws_hint);
    *into = text;
    return true;
  }

  std::string* field_of(const std::string& name) {
    if (name == "Timestamp") return &fields_.time;
    if (name == "SpotPrice") return &fields_.price;
    if (name == "InstanceType") return &fields_.market.instance_type;
    if (name == "AvailabilityZone") return &fields_.market.zone;
    if (name == "ProductDescription") return &fields_.market.product;
    if (name == "Currency" || name == "CurrencyCode") return &fields_.currency;
    if (name == "Unit") return &fields_.unit;
    return nullptr;
  }

  void end_row() {
    const Position where = place();
    if (fields_.time.empty()) throw InputError(where, "a row without Timestamp", aws_hint);
    if (fields_.price.empty()) throw InputError(where, "a row without SpotPrice", aws_hint);
    check_currency(fields_.currency, where);
    check_unit(fields_.unit, where);
    if (read_.rows.size() == most_price_rows)
      throw InputError(where, fmt::format("more than {} rows", most_price_rows), "read it in parts");
    const Time from = parse_price_time(fields_.time, where);
    const Money price = parse_price(fields_.price, where);
    read_.rows.push_back({std::move(fields_.market), from, price});
    fields_ = {};
  }

  const std::string& source_;
  PriceRows read_;
  Fields fields_;
  std::string key_;
  int depth_ = 0;
  int row_depth_ = 0;  // of the objects in the list; 0 = it has not begun
  bool list_ = false;
  bool inside_ = false;  // the list
};

}  // namespace

PriceRows price_rows_of_json(std::string_view text, const std::string& source) {
  RowReader reader(source);
  if (!Json::sax_parse(text, &reader)) throw InputError({source}, "it is no JSON", aws_hint);
  return reader.take();
}

}  // namespace wavewright
