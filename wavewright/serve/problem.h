// Errors of the HTTP API: RFC 9457 problem details.
#pragma once

#include <string>

#include "wavewright/core/error.h"
#include "wavewright/serve/api_message.h"

namespace wavewright {

class NotPromised;  // live/promise/promises.h

// A response `application/problem+json` of the type about:blank. Its title is the status's own phrase [RFC
// 9457 §4.2.1, RFC 9110 §15], `detail` says what happened.
[[nodiscard]] ApiResponse problem_response(int status, const std::string& detail);

// 422 for what the request has wrong, 409 for a no, 503 for a cluster or a store that is away, else 500.
[[nodiscard]] ApiResponse problem_response(const Error& error);

// Why deadlines are not promised, and what would be, as further members of the problem [RFC 9457 §3.2]. Its
// type is described where the type leads. 409.
[[nodiscard]] ApiResponse problem_response(const NotPromised& refused);

}  // namespace wavewright
