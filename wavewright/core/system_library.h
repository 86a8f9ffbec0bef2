// Shared libraries that are loaded when something first needs them.
//
// Most commands need none of these, and with all that they load themselves they take longer to load than many
// a command to run. So the program is not linked with them: whoever needs one asks for its functions by name.
#pragma once

#include <cstdint>

namespace wavewright {

enum class SystemLibrary : std::uint8_t { crypto, curl, soci_mysql, soci_postgresql };

// The address of a function. The library is loaded by the name that the build found, from where the system's
// loader searches, and stays until the process ends. Throws ExternalError if it cannot be loaded or has no
// such function. Any thread may call it.
[[nodiscard]] void* address_in(SystemLibrary library, const char* function);

// The same with its type: `function_in<decltype(curl_easy_init)>(SystemLibrary::curl, "curl_easy_init")`.
template <class Function>
[[nodiscard]] Function* function_in(SystemLibrary library, const char* function) {
  return reinterpret_cast<Function*>(address_in(library, function));
}

}  // namespace wavewright
