// Whose credentials these are.
#pragma once

#include <string>

#include "wavewright/cloud/provision/aws_client.h"

namespace wavewright {

// The number of the account, of GetCallerIdentity; `client` is of the service `sts`. Throws CloudError;
// `denied` if the credentials are wrong.
[[nodiscard]] std::string aws_account(AwsClient& client);

}  // namespace wavewright
