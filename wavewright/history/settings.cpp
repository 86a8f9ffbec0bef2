#include "wavewright/history/settings.h"

#include <algorithm>
#include <array>
#include <boost/property_tree/xml_parser.hpp>
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

// Deprecations as Hadoop's own table has them (DeprecatedProperties of its documentation). Mapper, reducer,
// combiner and input format have a key for either of Hadoop's two APIs; those of the old one are no
// deprecated forms of the new one's.
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

void take_property(Settings& settings, std::string_view element) {
  namespace tree = boost::property_tree;
  try {
    std::istringstream in{std::string(element)};
    tree::ptree root;
    tree::read_xml(in, root);
    take_setting(settings, trimmed(root.get<std::string>("property.name", "")),
                 trimmed(root.get<std::string>("property.value", "")));
  } catch (const tree::ptree_error&) {  // one damaged setting; the others still tell
  }
}

}  // namespace

std::string_view setting_name(std::string_view key) {
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
  Settings settings;
  for (std::size_t at = 0; (at = xml.find(open_property, at)) != std::string_view::npos;) {
    const std::size_t end = xml.find(close_property, at);
    if (end == std::string_view::npos) break;
    const std::string_view element = xml.substr(at, end + close_property.size() - at);
    at = end;
    if (element.size() > longest_property) continue;
    const std::size_t name = element.find(open_name);
    if (name == std::string_view::npos) continue;
    const std::string_view rest = element.substr(name + open_name.size());
    if (!setting_name(trimmed(rest.substr(0, rest.find('<')))).empty()) take_property(settings, element);
  }
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
  } catch (const InputError&) {  // no settings; the job itself is told by other answers
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
