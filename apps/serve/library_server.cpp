#include "apps/serve/library_server.h"

#include <algorithm>

namespace wavewright::app {

void as_served(httplib::Request& request) {
  request.ranges.clear();
  const bool takes_gzip = request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
  request.headers.erase("Accept-Encoding");
  if (takes_gzip) request.headers.emplace("Accept-Encoding", "gzip");
  for (const char* const scheme : {"http://", "https://"}) {
    for (std::string* const named : {&request.target, &request.path}) {
      if (named->starts_with(scheme))
        named->erase(0, std::min(named->size(), named->find('/', std::strlen(scheme))));
    }
  }
}

const Connection*& served_connection() {
  thread_local const Connection* served = nullptr;
  return served;
}

}  // namespace wavewright::app
