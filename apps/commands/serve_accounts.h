// The accounts of a daemon: its own token, the rules under which it starts commands, and the accounts of
// tokens.
#pragma once

#include <sys/types.h>

#include <optional>

#include "apps/context.h"
#include "wavewright/live/submission/account.h"
#include "wavewright/live/submission/start_rules.h"
#include "wavewright/serve/tokens.h"

namespace wavewright::app {

// The first start with a store makes a token for whoever has this account, in a file that nobody else can
// read. If there is such a file, of another daemon, the store gets the token that it has. Throws as token_in.
void make_own_token(const Context& context, const TokenStore& tokens);

// Makes the key of the seals if there is none. Notes tell of tokens whose jobs will be refused, and of a
// store through which others can have commands run as root. `lowest`: accounts below it are the system's.
// Throws as seal_key does.
[[nodiscard]] StartRules start_rules(const Context& context, const TokenStore& tokens, bool sealed_only,
                                     uid_t lowest);

// The account of a token's jobs; absent = the daemon's own. Throws UsageError if the daemon may not start
// commands under it.
[[nodiscard]] std::optional<Account> account_of(const ApiToken& token, uid_t lowest);

}  // namespace wavewright::app
