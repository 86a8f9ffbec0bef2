// The settings: values that users would otherwise repeat on every command line, such as the store, the
// cluster file, the policy and the time zone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wavewright::app {

enum class SettingKind : std::uint8_t { text, path, store, count, percent, zone };

struct Setting {
  const char* name;      // in files and for `config set`
  const char* variable;  // of the environment
  const char* flag;      // that says the same for one command
  SettingKind kind;
  const char* what;
  const char* example;
};

inline constexpr std::array<Setting, 15> all_settings = {{
    {"store", "WAVEWRIGHT_STORE", "--store", SettingKind::store, "database URL", "sqlite:runs.db"},
    {"cluster", "WAVEWRIGHT_CLUSTER", "--cluster", SettingKind::path, "cluster file", "cluster.toml"},
    {"map_slots", "WAVEWRIGHT_MAP_SLOTS", "--map-slots", SettingKind::count, "map slots of a flat pool",
     "40"},
    {"reduce_slots", "WAVEWRIGHT_REDUCE_SLOTS", "--reduce-slots", SettingKind::count,
     "reduce slots of a flat pool", "20"},
    {"policy", "WAVEWRIGHT_POLICY", "--policy", SettingKind::text, "policy that is simulated",
     "fair+delay(3s)"},
    {"time_zone", "WAVEWRIGHT_TIME_ZONE", "--time-zone", SettingKind::zone,
     "time zone of times that are read and printed", "Europe/Berlin"},
    {"confidence", "WAVEWRIGHT_CONFIDENCE", "--confidence", SettingKind::percent,
     "percent of the runs that shall meet a deadline", "95"},
    {"resource_manager", "WAVEWRIGHT_RESOURCE_MANAGER", "--resource-manager", SettingKind::text,
     "YARN's resource manager, or several with commas", "http://rm.example.org:8088"},
    {"history_server", "WAVEWRIGHT_HISTORY_SERVER", "--history-server", SettingKind::text,
     "the JobHistory server", "http://history.example.org:19888"},
    {"daemon", "WAVEWRIGHT_DAEMON", "--daemon", SettingKind::text, "the daemon that commands ask",
     "https://wavewright.example.org:8190"},
    {"token_file", "WAVEWRIGHT_TOKEN_FILE", "--token-file", SettingKind::path, "file with its token",
     "wavewright.token"},
    {"ca_file", "WAVEWRIGHT_CA_FILE", "--ca-file", SettingKind::path,
     "certificates to trust besides the system's", "ca.pem"},
    {"keytab", "WAVEWRIGHT_KEYTAB", "--keytab", SettingKind::path, "Kerberos keytab of a daemon",
     "/etc/wavewright/etl.keytab"},
    {"hadoop", "WAVEWRIGHT_HADOOP", "--hadoop", SettingKind::text, "the program that submits jobs",
     "/opt/hadoop/bin/hadoop"},
    {"streaming_jar", "WAVEWRIGHT_STREAMING_JAR", "--streaming-jar", SettingKind::path,
     "the jar of Hadoop Streaming", "/opt/hadoop/share/hadoop/tools/lib/hadoop-streaming-3.4.1.jar"},
}};

// Throws UsageError for an unknown name, with the nearest one.
[[nodiscard]] const Setting& find_setting(std::string_view name);

// A setting of the pool in the form of slots?
[[nodiscard]] inline bool in_slots(std::string_view name) {
  return name == "map_slots" || name == "reduce_slots";
}

// Throws UsageError if `value` cannot be one of this setting: `map_slots 'many' is not a whole number`.
void check_setting(const Setting& setting, const std::string& value);

}  // namespace wavewright::app
