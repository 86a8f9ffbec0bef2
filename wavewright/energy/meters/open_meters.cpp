#include "wavewright/energy/meters/open_meters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/energy/meters/declared_meter.h"
#include "wavewright/energy/meters/ipmi_meter.h"
#include "wavewright/energy/meters/nvml_meter.h"
#include "wavewright/energy/meters/plug_meter.h"
#include "wavewright/energy/meters/rapl_meter.h"

namespace wavewright {

namespace {

// Null where it is not there.
std::unique_ptr<Meter> try_meter(const std::string& name, const MeterPlaces& places,
                                 std::vector<std::string>& absent) {
  try {
    return open_meter(name, places);
  } catch (const ExternalError& error) {
    absent.push_back(fmt::format("{}: {} ({})", name, error.problem(), error.where().text()));
    return nullptr;
  }
}

}  // namespace

MeterPlaces usual_places() {
  return {powercap_folder, nvml_library, "ipmitool", proc_folder, "", at_ms(0)};
}

std::unique_ptr<Meter> open_meter(const std::string& name, const MeterPlaces& places) {
  constexpr std::string_view csv = "csv=", declared = "declared=";
  if (name == "rapl") return open_rapl(places.powercap);
  if (name == "nvml") return open_nvml(places.nvml);
  if (name == "ipmi") return open_ipmi(places.ipmitool);
  if (name.starts_with(csv) && name.size() > csv.size())
    return open_plug(name.substr(csv.size()), places.node, places.since);
  if (name.starts_with(declared) && name.size() > declared.size())
    return open_declared(name.substr(declared.size()), places.node, places.proc);
  throw UsageError(fmt::format("'{}' is no meter", name),
                   suggestion(name, std::vector<std::string>{"rapl", "nvml", "ipmi", "csv=FILE",
                                                             "declared=CLUSTER.toml:CLASS"}));
}

std::vector<std::unique_ptr<Meter>> find_meters(const MeterPlaces& places, std::vector<std::string>& absent) {
  std::vector<std::unique_ptr<Meter>> meters;
  for (const char* name : {"rapl", "nvml"})
    if (std::unique_ptr<Meter> meter = try_meter(name, places, absent)) meters.push_back(std::move(meter));
  if (meters.empty())
    if (std::unique_ptr<Meter> meter = try_meter("ipmi", places, absent)) meters.push_back(std::move(meter));
  if (meters.empty()) {
    throw ExternalError(
        {}, fmt::format("this machine has no meter: {}", fmt::join(absent, "; ")),
        "take a wall-plug meter's file with --meter csv=FILE, or declare powers in the cluster file "
        "([classes.NAME], docs/use/energy.md) and take these with --meter declared=CLUSTER.toml:CLASS");
  }
  return meters;
}

}  // namespace wavewright
