#include "apps/keytab_option.h"

#include "apps/settings/fill_options.h"

namespace wavewright::app {

void declare_keytab(CLI::App& command, std::string& keytab) {
  from_setting(command
                   .add_option("--keytab", keytab,
                               "Kerberos keytab whose first principal's tickets are used, and renewed "
                               "(default: the tickets of kinit)")
                   ->type_name("FILE"),
               "keytab");
}

}  // namespace wavewright::app
