// CMakeLists.txt reads the version from here; installed headers have it, too.
#pragma once

#define WAVEWRIGHT_VERSION "0.1.0"
