// The version of Wavewright. CMakeLists.txt reads it from here, so that an installed header knows it, too.
#pragma once

#define WAVEWRIGHT_VERSION "0.1.0"
