#include "wavewright/history/settings.h"

#include <algorithm>
#include <array>
#include <boost/property_tree/xml_parser.hpp>
#include <cstring>
#include <sstream>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/history/text.h"

namespace wavewright {

namespace {

struct Name {
  std::string_view present;
  std::string_view deprecated;
};

// Deprecated keys as in Hadoop's own table (DeprecatedProperties of its documentation). Mapper, reducer,
// combiner and input format have one key in each of Hadoop's two APIs; those of the old API are not
// deprecated forms of the new ones.
constexpr auto wanted = std::to_array<Name>({
    {"mapreduce.job.reduces", "mapred.reduce.tasks"},
    {"mapreduce.map.memory.mb", "mapred.job.map.memory.mb"},
    {"mapreduce.reduce.memory.mb", "mapred.job.reduce.memory.mb"},
    {"mapreduce.map.cpu.vcores", {}},
    {"mapreduce.reduce.cpu.vcores", {}},
    {"mapreduce.job.reduce.slowstart.completedmaps", "mapred.reduce.slowstart.completed.maps"},
    {"mapreduce.map.speculative", "mapred.map.tasks.speculative.execution"},
    {"mapreduce.reduce.speculative", "mapred.reduce.tasks.speculative.execution"},
    {"mapreduce.input.fileinputformat.split.minsize", "mapred.min.split.size"},
    {"mapreduce.input.fileinputformat.split.maxsize", "mapred.max.split.size"},
    {"mapreduce.map.output.compress", "mapred.compress.map.output"},
    {"mapreduce.map.output.compress.codec", "mapred.map.output.compression.codec"},
    {"mapreduce.task.io.sort.mb", "io.sort.mb"},
    {"mapreduce.task.io.sort.factor", "io.sort.factor"},
    {"mapreduce.job.map.class", "mapreduce.map.class"},
    {"mapreduce.job.reduce.class", "mapreduce.reduce.class"},
    {"mapreduce.job.combine.class", "mapreduce.combine.class"},
    {"mapreduce.job.inputformat.class", "mapreduce.inputformat.class"},
    {"mapred.mapper.class", {}},
    {"mapred.reducer.class", {}},
    {"mapred.combiner.class", {}},
    {"mapred.input.format.class", {}},
    {"mapreduce.job.jar", "mapred.jar"},
    {"mapreduce.job.queuename", "mapred.job.queue.name"},
    {"mapreduce.job.ubertask.enable", {}},
});

constexpr std::size_t longest_value = 1024;
constexpr std::size_t longest_property = 8192;
constexpr std::size_t most_properties = 256;     // a job has each of the wanted ones once
constexpr std::size_t longest_together = 16384;  // the parser recurses: also bounds the depth
constexpr std::string_view open_property = "<property>";
constexpr std::string_view close_property = "</property>";
constexpr std::string_view open_name = "<name>";

bool is(const Name& name, std::string_view key) {
  return !key.empty() && (name.present == key || name.deprecated == key);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  return text.substr(0, text.find_last_not_of(space) + 1);
}

// False if the parser finds no well-formed properties.
bool take_properties(Settings& settings, const std::string& elements) {
  namespace tree = boost::property_tree;
  try {
    std::istringstream in("<configuration>" + elements + "</configuration>");
    tree::ptree root;
    tree::read_xml(in, root);
    for (const auto& [tag, property] : root.get_child("configuration")) {
      take_setting(settings, trimmed(property.get<std::string>("name", "")),
                   trimmed(property.get<std::string>("value", "")));
    }
    return true;
  } catch (const tree::ptree_error&) {
    return false;
  }
}

// memmem is faster: std::string_view::find stops at every `<`, of which a job's settings are full.
std::size_t find_in(std::string_view text, std::string_view what, std::size_t from) {
  if (from >= text.size()) return std::string_view::npos;
  const void* const at = ::memmem(text.data() + from, text.size() - from, what.data(), what.size());
  return at == nullptr ? std::string_view::npos
                       : static_cast<std::size_t>(static_cast<const char*>(at) - text.data());
}

// The `<property>` around the `<name>` at `at`; empty if there is none or it is too long.
std::string_view property_around(std::string_view xml, std::size_t at) {
  const std::size_t low = at < longest_property ? 0 : at - longest_property;
  const std::string_view near = xml.substr(low, 2 * longest_property);
  const std::size_t start = near.rfind(open_property, at - low);
  const std::size_t end = find_in(near, close_property, at - low);
  if (start == std::string_view::npos || end == std::string_view::npos) return {};
  const std::string_view element = near.substr(start, end + close_property.size() - start);
  const bool one = find_in(element, close_property, 0) == element.size() - close_property.size();
  return one && element.size() <= longest_property ? element : std::string_view{};
}

}  // namespace

std::string_view setting_name(std::string_view key) {
  if (!key.starts_with("mapred") && !key.starts_with("io.")) return {};
  const auto found =
      std::find_if(wanted.begin(), wanted.end(), [&](const Name& name) { return is(name, key); });
  return found == wanted.end() ? std::string_view{} : found->present;
}

void take_setting(Settings& settings, std::string_view key, std::string_view value) {
  if (value.empty() || value.size() > longest_value || key.empty()) return;
  for (const Name& name : wanted) {
    if (!is(name, key)) continue;
    if (name.present == "mapreduce.job.jar") value = value.substr(value.rfind('/') + 1);
    if (name.present == key) {
      settings[std::string(key)] = clean_text(value);
    } else {
      settings.emplace(name.present, clean_text(value));
    }
  }
}

Settings settings_of_xml(std::string_view xml) {
  std::vector<std::string_view> elements;
  std::string all;
  for (std::size_t at = 0; (at = find_in(xml, open_name, at)) != std::string_view::npos;
       at += open_name.size()) {
    const std::size_t begin = at + open_name.size();
    const std::size_t end = std::min(xml.find('<', begin), xml.size());
    if (setting_name(trimmed(xml.substr(begin, end - begin))).empty()) continue;
    const std::string_view element = property_around(xml, at);
    if (element.empty()) continue;
    elements.push_back(element);
    if (elements.size() == most_properties) break;
    if (all.size() < longest_together) all += element;
  }
  Settings settings;
  if (all.size() < longest_together && take_properties(settings, all)) return settings;
  settings.clear();
  for (const std::string_view element : elements) take_properties(settings, std::string(element));
  return settings;
}

Settings settings_of_rest(std::string_view json_text) {
  Settings settings;
  json::Document document;
  try {
    const json::Value answer = document.parse(json_text, {});
    if (const auto conf = json::member(answer, "conf")) {
      json::for_each(*conf, "property", [&](json::Value property) {
        take_setting(settings, json::text(property, "name"), json::text(property, "value"));
      });
    }
  } catch (const InputError&) {  // no settings; other responses describe the job
  }
  return settings;
}

std::vector<std::string> names_of_settings(std::string_view file_name, std::string_view job_id) {
  std::vector<std::string> names;
  const std::string plain = std::string(job_id) + "_conf.xml";
  names.push_back(plain);
  const std::size_t at = file_name.find(job_id);
  if (at != std::string_view::npos && at > 0) names.push_back(std::string(file_name.substr(0, at)) + plain);
  for (std::size_t i = 0, count = names.size(); i < count; ++i) names.push_back(names[i] + ".gz");
  return names;
}

}  // namespace wavewright
