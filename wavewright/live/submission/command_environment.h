// The environment of what starts for a job: the supervisor of its command, the command, YARN's client.
#pragma once

#include <string>
#include <vector>

namespace wavewright {

// That of this process as it was started, `NAME=value` each, without the secrets of this program: the token
// of a daemon and the password of the store, in a variable of its own or in the store's URL. A job comes from
// whoever may submit, and may run under the same account.
[[nodiscard]] std::vector<std::string> environment_of_commands();

}  // namespace wavewright
