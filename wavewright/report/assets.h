// The page's style and script, inlined by report.cpp.
#pragma once

#include <string_view>

namespace wavewright::report {

extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace wavewright::report
