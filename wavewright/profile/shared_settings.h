// The settings of a run. Copies share them until one is changed, because a job's runs mostly have the same.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace wavewright {

class SharedSettings {
 public:
  using Map = std::map<std::string, std::string>;

  SharedSettings() = default;
  SharedSettings(Map settings) {  // NOLINT(google-explicit-constructor): it is such a map
    if (!settings.empty()) map_ = std::make_shared<Map>(std::move(settings));
  }
  SharedSettings(std::initializer_list<Map::value_type> settings) : SharedSettings(Map(settings)) {}

  [[nodiscard]] const Map& get() const {
    static const Map none;
    return map_ ? *map_ : none;
  }
  operator const Map&() const { return get(); }  // NOLINT(google-explicit-constructor): the same
  [[nodiscard]] bool empty() const { return get().empty(); }
  [[nodiscard]] std::size_t size() const { return get().size(); }
  [[nodiscard]] auto begin() const { return get().begin(); }
  [[nodiscard]] auto end() const { return get().end(); }
  [[nodiscard]] auto find(const std::string& name) const { return get().find(name); }

  // Changes only this copy.
  std::string& operator[](const std::string& name) {
    if (!map_ || map_.use_count() > 1) map_ = std::make_shared<Map>(get());
    return (*map_)[name];
  }

  // Do both share one map? Then they are equal; else they may be.
  [[nodiscard]] bool shares(const SharedSettings& other) const { return map_ == other.map_; }
  friend bool operator==(const SharedSettings& a, const SharedSettings& b) {
    return a.shares(b) || a.get() == b.get();
  }

 private:
  std::shared_ptr<Map> map_;
};

}  // namespace wavewright
