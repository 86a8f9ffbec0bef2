#include "wavewright/streaming/unit_results.h"

#include <algorithm>
#include <fstream>
#include <functional>

#include "wavewright/core/error.h"

namespace wavewright {

std::vector<std::string> UnitResults::take(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ExternalError({file.string()}, "cannot be read", "run it again");
  files_.push_back(file);
  failures_.clear();
  std::vector<std::string> fresh;
  std::streamoff at = 0;
  for (std::string line; std::getline(in, line);) {
    const UnitResult result = parse_unit_result(line, file.string());
    const std::streamoff begins = at;
    at += static_cast<std::streamoff>(line.size()) + 1;
    if (result.failed()) {
      failures_.push_back(result);
      continue;
    }
    const Place place{files_.size() - 1, begins, line.size(), std::hash<std::string>{}(result.text)};
    const auto [known, is_new] = places_.emplace(result.id, place);
    if (is_new) {
      fresh.push_back(result.id);
    } else if (known->second.hash != place.hash) {
      throw InputError({file.string()}, "two attempts at unit " + result.id + " have different results",
                       "please report this with the command that you ran");
    }
  }
  std::erase_if(failures_, [&](const UnitResult& each) { return has(each.id); });
  return fresh;
}

std::string UnitResults::text(const std::string& unit) const {
  const Place& place = places_.at(unit);
  const std::filesystem::path& file = files_[place.file];
  std::ifstream in(file, std::ios::binary);
  std::string line(place.bytes, '\0');
  in.seekg(place.at);
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  if (!in) throw ExternalError({file.string()}, "is gone, and with it results", "run it again");
  return parse_unit_result(line, file.string()).text;
}

}  // namespace wavewright
