// The page's style and script; report.cpp inlines them.
#pragma once

#include <string_view>

namespace wavewright::report {

extern const std::string_view page_style;
extern const std::string_view page_script;    // begins a function
extern const std::string_view page_controls;  // ends it

}  // namespace wavewright::report
