#include "wavewright/cloud/provision/ec2.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "wavewright/cloud/provision/books.h"
#include "wavewright/cloud/provision/user_data.h"

namespace wavewright {

namespace {

constexpr const char* ledger_tag = "wavewright:ledger";
constexpr const char* batch_tag = "wavewright:batch";
constexpr const char* lease_tag = "wavewright:lease";

using Form = std::vector<std::pair<std::string, std::string>>;

Form form_of(const char* action) {
  return {{"Action", action}, {"Version", "2016-11-15"}};
}

// `2026-11-24T15:00:00.000Z`; the beginning of time if it is none.
Time instant_of(std::string_view text) {
  std::array<int, 6> parts{};
  constexpr std::array<std::size_t, 6> places = {0, 5, 8, 11, 14, 17};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (text.size() < places[i] + 2) return {};
    const char* const begin = text.data() + places[i];
    const std::size_t digits = i == 0 ? 4 : 2;
    if (std::from_chars(begin, begin + digits, parts[i]).ptr != begin + digits) return {};
  }
  using namespace std::chrono;
  const auto day = sys_days(year(parts[0]) / parts[1] / parts[2]);
  const auto since = (day + hours(parts[3]) + minutes(parts[4]) + seconds(parts[5])).time_since_epoch();
  return at_ms(duration_cast<milliseconds>(since).count());
}

std::string instant_text(Time instant) {
  std::string text = format_utc(instant);
  std::replace(text.begin(), text.end(), ' ', 'T');
  return text + "Z";
}

InstanceState state_of(std::string_view word) {
  if (word == "pending") return InstanceState::pending;
  if (word == "shutting-down") return InstanceState::terminating;
  if (word == "terminated") return InstanceState::gone;
  return InstanceState::running;  // a stopped one is still there
}

Instance instance_of(const pugi::xml_node& item) {
  Instance instance;
  instance.id = item.child_value("instanceId");
  instance.state = state_of(item.child("instanceState").child_value("name"));
  instance.launched = instant_of(item.child_value("launchTime"));
  instance.host = item.child_value("privateDnsName");
  const std::string told = item.child("stateReason").child_value("message");
  instance.reason = told.empty() ? item.child_value("reason") : told;
  for (const pugi::xml_node& tag : item.child("tagSet").children("item"))
    if (std::string_view(tag.child_value("key")) == lease_tag) instance.token = tag.child_value("value");
  return instance;
}

[[noreturn]] void refuse_answer(const std::string& endpoint) {
  throw CloudError(CloudFailure::unsure, {endpoint}, "the answer is not one of EC2", "check --endpoint");
}

// The root of an answer; of DescribeSpotPriceHistory, too.
pugi::xml_node root_of(pugi::xml_document& document, std::string_view xml, const std::string& endpoint) {
  if (!document.load_buffer(xml.data(), xml.size())) refuse_answer(endpoint);
  return document.document_element();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> launch_form(const LaunchRequest& request) {
  Form form = form_of("RunInstances");
  const auto add = [&](const std::string& name, const std::string& value) { form.emplace_back(name, value); };
  const LaunchTerms& terms = request.terms;
  add("ClientToken", request.token);
  add("InstanceType", terms.type);
  add("ImageId", terms.image);
  add("MinCount", std::to_string(request.count));
  add("MaxCount", std::to_string(request.count));
  add("InstanceInitiatedShutdownBehavior", "terminate");
  add("UserData", base64_text(self_ending_script(request.lifetime, terms.user_data)));
  if (!terms.subnet.empty()) add("SubnetId", terms.subnet);
  if (!terms.key_name.empty()) add("KeyName", terms.key_name);
  if (terms.bid) {
    add("InstanceMarketOptions.MarketType", "spot");
    add("InstanceMarketOptions.SpotOptions.MaxPrice", usd_text(*terms.bid));
    add("InstanceMarketOptions.SpotOptions.SpotInstanceType", "one-time");
    add("InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior", "terminate");
  }
  int number = 0;
  for (const char* resource : {"instance", "volume"}) {
    const std::string tags = fmt::format("TagSpecification.{}.", ++number);
    add(tags + "ResourceType", resource);
    int tag = 0;
    for (const auto& [key, value] :
         {std::pair{ledger_tag, request.ledger}, std::pair{batch_tag, request.batch},
          std::pair{lease_tag, request.token}}) {
      add(fmt::format("{}Tag.{}.Key", tags, ++tag), key);
      add(fmt::format("{}Tag.{}.Value", tags, tag), value);
    }
  }
  return form;
}

std::vector<Instance> parse_instances(std::string_view xml, const std::string& endpoint, std::string& next) {
  pugi::xml_document document;
  const pugi::xml_node root = root_of(document, xml, endpoint);
  const std::string_view name = root.name();
  if (name != "RunInstancesResponse" && name != "DescribeInstancesResponse") refuse_answer(endpoint);
  std::vector<Instance> instances;
  const auto take = [&](const pugi::xml_node& reservation) {
    for (const pugi::xml_node& item : reservation.child("instancesSet").children("item"))
      instances.push_back(instance_of(item));
  };
  take(root);
  for (const pugi::xml_node& item : root.child("reservationSet").children("item")) take(item);
  next = root.child_value("nextToken");
  return instances;
}

std::vector<Instance> Ec2::launch(const LaunchRequest& request) {
  std::string none;
  auto machines =
      parse_instances(client_.query(launch_form(request), Repeatable::no), client_.place().endpoint, none);
  for (Instance& each : machines) each.token = request.token;
  if (machines.empty()) refuse_answer(client_.place().endpoint);
  return machines;
}

std::vector<Instance> Ec2::instances(const std::string& ledger) {
  std::vector<Instance> all;
  std::string next;
  do {
    Form form = form_of("DescribeInstances");
    form.emplace_back("Filter.1.Name", std::string("tag:") + ledger_tag);
    form.emplace_back("Filter.1.Value.1", ledger);
    form.emplace_back("MaxResults", "1000");
    if (!next.empty()) form.emplace_back("NextToken", next);
    const std::vector<Instance> page =
        parse_instances(client_.query(form, Repeatable::yes), client_.place().endpoint, next);
    all.insert(all.end(), page.begin(), page.end());
  } while (!next.empty());
  return all;
}

void Ec2::terminate(const std::vector<std::string>& ids) {
  constexpr std::size_t at_once = 500;
  const auto end = [&](auto begin, auto behind) {
    Form form = form_of("TerminateInstances");
    int number = 0;
    for (auto id = begin; id != behind; ++id) form.emplace_back(fmt::format("InstanceId.{}", ++number), *id);
    (void)client_.query(form, Repeatable::yes);
  };
  const auto unknown = [](const CloudError& error) {
    return std::string_view(error.what()).find("InvalidInstanceID") != std::string_view::npos;
  };
  for (std::size_t at = 0; at < ids.size(); at += at_once) {
    const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(at);
    const auto behind = ids.begin() + static_cast<std::ptrdiff_t>(std::min(at + at_once, ids.size()));
    try {
      end(begin, behind);
    } catch (const CloudError& error) {
      if (!unknown(error)) throw;
      for (auto id = begin; id != behind; ++id) {  // one that is not known ended none of them
        try {
          end(id, id + 1);
        } catch (const CloudError& own) {
          if (!unknown(own)) throw;
        }
      }
    }
  }
}

std::optional<Money> Ec2::spot_price(const std::string& type, Time now) {
  Form form = form_of("DescribeSpotPriceHistory");
  form.emplace_back("InstanceType.1", type);
  form.emplace_back("ProductDescription.1", "Linux/UNIX");
  form.emplace_back("StartTime", instant_text(now));  // with this, the prices that hold now
  pugi::xml_document document;
  const std::string xml = client_.query(form, Repeatable::yes);
  std::optional<Money> lowest;
  for (const pugi::xml_node& item :
       root_of(document, xml, client_.place().endpoint).child("spotPriceHistorySet").children("item")) {
    const std::string_view text = item.child_value("spotPrice");
    double usd = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), usd).ec != std::errc{} || !(usd >= 0))
      continue;
    if (!lowest || from_usd(usd) < *lowest) lowest = from_usd(usd);
  }
  return lowest;
}

}  // namespace wavewright
