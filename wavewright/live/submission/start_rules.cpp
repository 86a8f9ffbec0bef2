#include "wavewright/live/submission/start_rules.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/live/submission/signature.h"

namespace wavewright {

std::string StartRules::seal(const ClientAttempt& attempt, const std::vector<std::string>& command) const {
  if (key_.empty()) return {};
  // Each part with its length, so that no two commands have one text.
  std::string text;
  const auto add = [&](const std::string& part) { text += fmt::format("{} {}\n", part.size(), part); };
  for (const std::string* part : {&attempt.tag, &attempt.account, &attempt.directory}) add(*part);
  for (const std::string& word : command) add(word);
  return signature_of(text, key_);
}

StartRules::Verdict StartRules::judge(const ClientAttempt& attempt,
                                      const std::vector<std::string>& command) const {
  const std::string right = seal(attempt, command);
  const bool sealed = !right.empty() && same_signature(right, attempt.seal);
  Verdict verdict;
  if (attempt.account.empty() || attempt.account == own_account()) {
    if (!sealed && !unsealed_)
      verdict.refusal =
          "it came through the store, and this daemon runs only what came by an API with its key; add it "
          "there";
  } else if (!sealed) {
    verdict.refusal =
        fmt::format("nobody vouches for its account {}: add it by the API of this daemon", attempt.account);
  } else if (!may_take_accounts()) {
    verdict.refusal = fmt::format("this daemon runs as {} and may not start commands as {}", own_account(),
                                  attempt.account);
  } else {
    try {
      verdict.account = find_account(attempt.account, lowest_);
    } catch (const UsageError& error) {
      verdict.refusal = error.problem();
    }
  }
  return verdict;
}

namespace {

std::string fresh_key() {
  std::array<unsigned char, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != std::ssize(bytes))
    throw ExternalError({"random numbers"}, std::strerror(errno), "look at /dev/urandom");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace

std::string seal_key(const std::string& file) {
  struct stat status{};
  if (::lstat(file.c_str(), &status) != 0) {
    const std::string text = fresh_key() + "\n";
    write_file(file, [&](std::ostream& out) { out << text; }, FileReaders::owner);
    return seal_key(file);
  }
  if (!S_ISREG(status.st_mode) || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw UsageError(fmt::format("others may use the key {}", file),
                     "remove it; the next start makes another");
  constexpr std::size_t most = 4'096, least = 16;
  const std::string text = read_file(file, most);
  const std::size_t size = text.find_last_not_of('\n') + 1;
  if (size < least)
    throw UsageError(fmt::format("the key {} is too short", file), "remove it; the next start makes another");
  return text.substr(0, size);
}

}  // namespace wavewright
