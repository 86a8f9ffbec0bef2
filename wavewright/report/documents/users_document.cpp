#include "wavewright/report/documents/users_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wavewright {

Json users_document(const UserAnswer& answer, const UserSettings& settings) {
  Json users = Json::array();
  for (const UserTime& user : answer.users) {
    users.push_back({{"user", user.user},
                     {"jobs", user.jobs},
                     {"weight", user.weight},
                     {"alone_ms", to_ms(user.alone)},
                     {"shared_ms", to_ms(user.shared)},
                     {"slowdown", user.slowdown()}});
  }
  Json document = {{"by_user", std::move(users)}};
  if (!settings.weights.empty()) {
    document["weighted_completion_ms"] = std::llround(answer.weighted_ms);
    document["weighted_bound_ms"] = to_ms(answer.shown_weighted_bound());
    document["weighted_optimal"] = answer.weighted_is_optimal();
  }
  if (settings.fair) {
    document["fair"] = *settings.fair;
    document["is_fair"] = !answer.violated;
    if (answer.violated) document["violated_by"] = answer.users[*answer.violated].user;
    if (!answer.impossible.empty()) document["impossible"] = answer.impossible;
  }
  return document;
}

}  // namespace wavewright
