// Kerberos tickets from a keytab, for a program that runs longer than any ticket.
//
// The Kerberos library itself gets them and renews them: it is told by the environment of this process which
// keytab to use (`KRB5_CLIENT_KTNAME`), and that the tickets lie in memory (`KRB5CCNAME`). Programs that are
// started have neither: `environment_for_children` gives them back what this process was started with.
#pragma once

#include <string>
#include <vector>

namespace wavewright {

// From now on the tickets are those of the first principal of the keytab. Nothing if `file` is empty. To be
// called while the process has one thread. Throws UsageError if the file is no keytab that can be read.
void use_keytab(const std::string& file);

// The environment of this process, `NAME=value` each, as it was before `use_keytab`.
[[nodiscard]] std::vector<std::string> environment_for_children();

}  // namespace wavewright
