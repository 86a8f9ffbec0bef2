#include "wavewright/energy/meters/node_energy.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/spec.h"
#include "wavewright/energy/meters/declared_meter.h"

namespace wavewright {

namespace {

using Sources = std::vector<const SourceSeries*>;

Sources measured_by(const Sources& all, std::string_view meter) {
  Sources found;
  for (const SourceSeries* each : all)
    if (each->source.name.starts_with(meter)) found.push_back(each);
  return found;
}

// The sources that count: a meter of the whole node alone, if there is one; declared power only where nothing
// measures the processors.
Sources counted(const Sources& all) {
  for (const char* whole : {"plug/", "ipmi/"}) {
    Sources found = measured_by(all, whole);
    if (!found.empty()) return found;
  }
  if (measured_by(all, "rapl/").empty()) return all;
  Sources measured = all;
  std::erase_if(measured,
                [](const SourceSeries* each) { return each->source.name.starts_with(declared_prefix); });
  return measured;
}

std::string why_left_out(const std::string& node, const SourceSeries& counts) {
  const std::string& name = counts.source.name;
  if (name.starts_with("plug/") || name.starts_with("ipmi/"))
    return fmt::format("{}: {} measures the whole node, other meters are not added", node, name);
  return fmt::format("{}: RAPL measures the processors, declared power is not added", node);
}

// Readings and spans that do not count, with the reasons; empty if all do.
std::string left_out_of(const SpanFindings& found) {
  std::vector<std::string> parts;
  const auto tell = [&](Count count, const char* noun, const char* why) {
    if (count > 0) parts.push_back(fmt::format("{} {}{} {}", count, noun, count == 1 ? "" : "s", why));
  };
  tell(found.backwards, "reading", "out of order in time");
  tell(found.resets, "span",
       "in which the counter began anew or jumped, or with more than any machine draws");
  tell(found.ambiguous, "span", "in which it may have wrapped twice");
  tell(found.implausible, "long span", "with far less or far more power than all others");
  tell(found.lost, "span", "over missed readings of a power");
  tell(found.broken - found.between, "span", "in which the machine was suspended, or its clock set");
  tell(found.between, "span", "between two recordings");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void remark_on(const std::string& source, const SpanFindings& found, std::vector<std::string>& remarks) {
  if (found.repeated > 0)
    remarks.push_back(fmt::format("{}: left out as equal to others: {}", source, found.repeated));
  const std::string left_out = left_out_of(found);
  if (left_out.empty()) return;
  const char* const remedy = 2 * found.backwards > found.readings ? "; sort its rows by time" : "";
  remarks.push_back(fmt::format("{}: left out: {}{}", source, left_out, remedy));
}

NodeEnergy energy_of_node(const std::string& node, const Sources& sources, NodeEnergies& into) {
  NodeEnergy sum{node, {}, {}};
  for (const SourceSeries* each : sources) {
    SourceSpans own = spans_of(*each);
    into.found += own.found;
    remark_on(fmt::format("{} of {}", each->source.name, node), own.found, into.remarks);
    const bool alone = own.spans.empty();
    sum.spans = sum.sources.empty() ? std::move(own.spans) : added_spans(sum.spans, own.spans);
    sum.sources.push_back(each->source.name);
    if (alone)
      into.remarks.push_back(fmt::format("{} of {} has no usable readings", each->source.name, node));
  }
  if (sum.spans.empty() && sources.size() > 1) {
    into.remarks.push_back(
        fmt::format("the sources of {} were not read at the same times: record them together", node));
  }
  return sum;
}

}  // namespace

bool NodeEnergy::declared() const {
  return std::any_of(sources.begin(), sources.end(),
                     [](const std::string& name) { return name.starts_with(declared_prefix); });
}

NodeEnergies energy_by_node(const std::vector<SourceSeries>& series) {
  NodeEnergies energies;
  std::vector<std::pair<std::string, Sources>> nodes;
  for (const SourceSeries& each : series) {
    auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.first == each.node; });
    if (found == nodes.end()) found = nodes.insert(nodes.end(), {each.node, {}});
    found->second.push_back(&each);
  }
  std::vector<std::string> declared;
  for (const auto& [node, all] : nodes) {
    const Sources sources = counted(all);
    if (sources.size() < all.size()) energies.remarks.push_back(why_left_out(node, *sources.front()));
    energies.nodes.push_back(energy_of_node(node, sources, energies));
    const NodeEnergy& added = energies.nodes.back();
    if (added.declared() && !added.spans.empty()) declared.push_back(node);
  }
  if (!declared.empty()) {
    energies.remarks.push_back(
        fmt::format("the power of {} was declared, not measured: powers and factors rest on that",
                    shortened(fmt::format("{}", fmt::join(declared, ", ")))));
  }
  return energies;
}

}  // namespace wavewright
