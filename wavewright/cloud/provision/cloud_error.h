// Errors of Amazon's APIs: what each means for a request, and one clear line for people.
#pragma once

#include <string>

#include "wavewright/cloud/provision/cloud.h"

namespace wavewright {

// `endpoint` is where the error comes from, `status` of HTTP, `code` and `message` of Amazon. The message is
// shown only where it cannot hold a secret: one about a signature repeats the signed text with the session
// token.
[[nodiscard]] CloudError cloud_error(const std::string& endpoint, int status, const std::string& code,
                                     const std::string& message);

}  // namespace wavewright
