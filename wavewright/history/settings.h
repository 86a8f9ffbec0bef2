// The settings of a job that make its runs comparable: a fixed list (docs/formats/histories.md), under their
// present names whatever the Hadoop that wrote them called them.
//
// All decoders take bytes of any quality and answer with what could be read. Values longer than 1 KiB are
// left out; of `mapreduce.job.jar` only the file's name is kept, for its folder changes with every run.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

using Settings = std::map<std::string, std::string>;

// `mapred.reduce.tasks` and `mapreduce.job.reduces` are mapreduce.job.reduces; empty for a setting that is
// not on the list.
[[nodiscard]] std::string_view setting_name(std::string_view key);

// Enters one setting of a job if it is on the list. A present name wins over a deprecated one.
void take_setting(Settings& settings, std::string_view key, std::string_view value);

// Of a `job_…_conf.xml`. Only `<property>` elements of wanted names are given to the XML parser, each at
// most 8 KiB: neither entities nor depth nor size can hurt, and one damaged element spoils only itself.
// O(length).
[[nodiscard]] Settings settings_of_xml(std::string_view xml);

// Of the answer to `…/jobs/ID/conf`: {"conf": {"property": [{"name", "value"}]}}.
[[nodiscard]] Settings settings_of_rest(std::string_view json);

// Names under which the settings of `job_id` stand beside its history `file_name` (no folders), likeliest
// first: `job_1_0001_conf.xml`, `jobtracker_1700000000000_job_1_0001_conf.xml`, and both as `.gz`.
[[nodiscard]] std::vector<std::string> names_of_settings(std::string_view file_name, std::string_view job_id);

}  // namespace wavewright
