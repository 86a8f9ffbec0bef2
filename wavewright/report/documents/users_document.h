// The `users` member of a plan document: each user's time, compared with the time alone on the cluster.
#pragma once

#include "wavewright/plan/users/users.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json users_document(const UserAnswer& answer, const UserSettings& settings);

}  // namespace wavewright
