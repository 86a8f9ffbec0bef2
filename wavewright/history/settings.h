// Settings that make the runs of a job comparable: a fixed list (docs/formats/histories.md), under their
// present names, whichever Hadoop wrote them.
//
// All decoders accept bytes of any quality and return what they can read. Values longer than 1 KiB are
// dropped. `mapreduce.job.jar` is cut to the file's name, as its folder changes with every run.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

using Settings = std::map<std::string, std::string>;

// The present name: both `mapred.reduce.tasks` and `mapreduce.job.reduces` give the latter; empty for a
// setting that is not on the list.
[[nodiscard]] std::string_view setting_name(std::string_view key);

// Adds a setting if it is on the list. A present name wins over a deprecated one.
void take_setting(Settings& settings, std::string_view key, std::string_view value);

// Reads a `job_…_conf.xml`. Only `<property>` elements of wanted names reach the XML parser, each at most 8
// KiB: entities, depth and size do no harm, and a damaged element spoils only itself. O(length).
[[nodiscard]] Settings settings_of_xml(std::string_view xml);

// Reads the response to `…/jobs/ID/conf`: {"conf": {"property": [{"name", "value"}]}}.
[[nodiscard]] Settings settings_of_rest(std::string_view json);

// Possible names of the settings file of `job_id` beside its history `file_name` (no folders), likeliest
// first: `job_1_0001_conf.xml`, `jobtracker_1700000000000_job_1_0001_conf.xml`, and both as `.gz`.
[[nodiscard]] std::vector<std::string> names_of_settings(std::string_view file_name, std::string_view job_id);

}  // namespace wavewright
