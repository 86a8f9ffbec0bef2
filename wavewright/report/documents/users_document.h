// The `users` member of a plan document: the time of each user beside the time alone.
#pragma once

#include "wavewright/plan/users/users.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json users_document(const UserAnswer& answer, const UserSettings& settings);

}  // namespace wavewright
