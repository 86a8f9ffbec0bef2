# shellcheck shell=bash
# The testbed's folder: state, jars and settings. Programs are started from it, so nobody else may write to it.
# Including scripts set WAVEWRIGHT_TESTBED_DIR for the scripts that they call.

export WAVEWRIGHT_TESTBED_DIR=${WAVEWRIGHT_TESTBED_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/wavewright/testbed}

# own_folder FOLDER   makes it for this user alone; ends the script if it is somebody else's, or open to others.
own_folder() {
  local problem=
  mkdir -p "$(dirname "$1")" && { [ -e "$1" ] || mkdir -m 700 "$1" 2>/dev/null || [ -e "$1" ]; } || exit 4
  if [ "$(stat -c %u "$1")" != "$(id -u)" ] || [ "$(stat -Lc %u "$1")" != "$(id -u)" ]; then
    problem="belongs to somebody else"
  elif [ -n "$(find -H "$1" -maxdepth 0 -perm /022)" ]; then
    problem="can be written to by others"
  fi
  [ -n "$problem" ] || return 0
  echo "testbed: $1 $problem; 'chmod go-w' it if you trust what is in it, or name another in WAVEWRIGHT_TESTBED_DIR" >&2
  exit 4
}
own_folder "$WAVEWRIGHT_TESTBED_DIR"
own_folder "$WAVEWRIGHT_TESTBED_DIR/jars" # it may be a link to another testbed's

# neutral_settings FILE   a job's settings, without the folder of this machine.
neutral_settings() { sed "s|$WAVEWRIGHT_TESTBED_DIR|/testbed|g" "$1"; }
