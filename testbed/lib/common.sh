# shellcheck shell=bash
# What hadoop3 and hadoop1 share: jars, site files, daemons by pid file, the client. The including script sets
# flavour (also the name of the pom in jars/ and of the folder in java/), jvm_flags and extra_jars.

testbed=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=folder.sh
source "$testbed/lib/folder.sh"
root=$WAVEWRIGHT_TESTBED_DIR
patience=${WAVEWRIGHT_TESTBED_PATIENCE:-180} # seconds that a daemon may take to be ready
export HADOOP_USER_NAME=${HADOOP_USER_NAME:-wavewright}

say() { printf '%s\n' "$*" >&2; }
fail() { # FILE-TO-READ (or empty) MESSAGE...
  local file=$1; shift
  say "$flavour: $*${file:+; read $file}"
  exit 4
}
usage_error() { say "$flavour: $*; see '$flavour --help'"; exit 2; }
number() { [[ ${2:-} =~ ^[0-9]+$ ]] || usage_error "$1 wants a number, not '${2:-}'"; }

# ---- jars -------------------------------------------------------------------

# The version of Hadoop that the pom names.
usual_version=$(sed -n 's|.*<hadoop>\(.*\)</hadoop>.*|\1|p' "$testbed/jars/$flavour.xml")

# Where the jars of a version lie. Those of another than the usual one lie beside jars/, so that a search for a jar there
# finds one only.
use_version() { # VERSION
  version=$1 jars_root=$root/jars
  if [ "$version" != "$usual_version" ]; then
    jars_root=$root/jars-$version
    own_folder "$jars_root"
  fi
  jars=$jars_root/$flavour
  helper_jar=$jars_root/$flavour-testbed.jar
}
use_version "$usual_version"

# Fills $jars from Maven Central once per version of the pom.
fetch_jars() {
  local pom=$testbed/jars/$flavour.xml stamp log=$jars_root/$flavour.log simulator=()
  if [ "$version" = "$usual_version" ]; then simulator=(-Dsimulator); fi
  stamp=$(cksum <"$pom")
  [ "$(cat "$jars/.complete" 2>/dev/null)" = "$stamp" ] && return
  command -v mvn >/dev/null || fail '' "Maven is missing; install the packages that './bootstrap packages' lists"
  (
    flock 9
    [ "$(cat "$jars/.complete" 2>/dev/null)" = "$stamp" ] && exit 0
    say "$flavour: fetching the jars into $jars (about a minute, once)"
    rm -rf "$jars" "$jars.new"
    mvn -q -B -f "$pom" dependency:copy-dependencies -Dhadoop="$version" "${simulator[@]}" -DoutputDirectory="$jars.new" \
      -DincludeScope=runtime >"$log" 2>&1 || exit 1
    after_fetch "$jars.new" >>"$log" 2>&1 || exit 1
    echo "$stamp" >"$jars.new/.complete"
    mv "$jars.new" "$jars"
  ) 9>"$jars_root/$flavour.lock" || fail "$log" "could not fetch the jars"
}

# Compiles testbed/java/$flavour/*.java into $helper_jar when a source is newer.
compile_helpers() {
  local sources=() source out jar=$helper_jar log=$jars_root/$flavour-javac.log newer=
  for source in "$testbed/java/$flavour"/*.java; do
    # SlsJob extends a class of hadoop-sls that is another one before 3.4.
    if [ "$version" = "$usual_version" ] || [ "${source##*/}" != SlsJob.java ]; then sources+=("$source"); fi
  done
  for source in "${sources[@]}"; do [ "$jar" -nt "$source" ] || newer=1; done
  [ -n "$newer" ] || return 0
  out=$(mktemp -d "$jars_root/$flavour-classes-XXXXXX")
  { javac -nowarn -cp "$jars/*" -d "$out/classes" "${sources[@]}" && jar cf "$out/testbed.jar" -C "$out/classes" . &&
    mv "$out/testbed.jar" "$jar"; } >"$log" 2>&1 || fail "$log" "could not compile $testbed/java/$flavour"
  rm -rf "$out"
}

# ---- configuration ----------------------------------------------------------

# site FILE key=value...   writes a Hadoop configuration file.
site() {
  local file=$1 pair; shift
  {
    echo '<?xml version="1.0"?>'
    echo '<configuration>'
    for pair in "$@"; do
      printf '%s\n' "${pair#*=}" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' |
        sed "s|.*|  <property><name>${pair%%=*}</name><value>&</value></property>|"
    done
    echo '</configuration>'
  } >"$file"
}

node_address() { echo "127.0.0.$(($1 + 1))"; }
node_name() { if [ "$hosts" = names ]; then echo "node$1"; else node_address "$1"; fi; }
rack_of() { echo "/rack$(((($1 - 1) * racks) / nodes + 1))"; }

# A hosts file for our Java processes alone, and the topology script: node -> rack.
write_hosts_and_racks() {
  local i
  {
    echo "127.0.0.1 localhost testbed $(hostname)"
    for ((i = 1; i <= nodes; i++)); do
      if [ "$hosts" = names ]; then echo "$(node_address "$i") node$i"; fi
    done
  } >"$home/conf/hosts"
  {
    echo '#!/bin/sh'
    echo '# Hadoop asks with host names or addresses, and wants one rack a line.'
    echo 'for host; do'
    echo '  case $host in'
    for ((i = 1; i <= nodes; i++)); do
      echo "    node$i | $(node_address "$i")) echo $(rack_of "$i") ;;"
    done
    echo '    *) echo /default-rack ;;'
    echo '  esac'
    echo 'done'
  } >"$home/conf/topology"
  chmod +x "$home/conf/topology"
}

# Options survive in a file, so that later verbs know the instance.
save_instance() {
  printf "%s=%s\n" base "$base" nodes "$nodes" racks "$racks" hosts "$hosts" masters "$masters" pace "$pace" classes "$classes" version "$version" \
    >"$home/instance"
}
load_instance() {
  home=$root/$flavour-$name
  [ -f "$home/instance" ] || fail '' "no instance named '$name' under $root; start one with '$flavour --name $name up'"
  local line
  masters=1 version=$usual_version pace=usual classes=none
  while read -r line; do
    [[ $line =~ ^(base|nodes|racks|hosts|masters|pace|classes)=([a-z0-9]+)$ || $line =~ ^(version)=([0-9.]+)$ ]] ||
      fail "$home/instance" "'$line' is no setting of an instance"
    printf -v "${BASH_REMATCH[1]}" %s "${BASH_REMATCH[2]}"
  done <"$home/instance"
  use_version "$version"
}

# ---- daemons ----------------------------------------------------------------

# With its own UTS name space a process reports 'testbed' and not this machine's name in histories.
neutral() {
  if [ "$(id -u)" -eq 0 ] && unshare -u true 2>/dev/null; then
    # shellcheck disable=SC2016
    exec unshare -u sh -c 'hostname testbed; exec "$@"' sh "$@"
  fi
  exec "$@"
}

java_home=$(dirname "$(dirname "$(readlink -f "$(command -v java || echo /)")")")
# For tests that measure no time: classes of Apache's jars are not verified, and no counters of the process are kept in a file.
quick_flags=(-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:-UsePerfData)
pace=usual # or quick; of the instance
java_command() { # sets $command to java with what every process of the instance needs
  local quick=() path=$own_conf$home/conf:$helper_jar:$jars/*
  [ "$pace" = usual ] || quick=("${quick_flags[@]}")
  [ "$classes" = none ] || path=$jars/*:$helper_jar:$own_conf$home/conf
  class_flags
  command=("$java_home/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${quick[@]}" "${flags_of_classes[@]}"
    "${jvm_flags[@]}" "-Djdk.net.hosts.file=$home/conf/hosts" "-Dwavewright.testbed=$home" "-Dlog4j.configuration=file:$home/conf/log4j.properties"
    ${KRB5_CONFIG:+"-Djava.security.krb5.conf=$KRB5_CONFIG"} -Djava.net.preferIPv4Stack=true "-Djava.io.tmpdir=$home/tmp" -cp "$path${extra_jars:+:$extra_jars}")
}

# ---- class data -------------------------------------------------------------

# A short Java process spends most of its time on loading the same thousands of classes. So they come from an archive that all
# processes map (class-data sharing). The first instance lists the classes that its processes load (`listed`), and `down` makes
# the archive from the lists; later instances use it (`archived`). The archive holds for these jars and this Java, and only where
# the class path begins with the jars: so what an instance has of its own comes behind them. A jar has a file of the same name only
# for log4j, which is told its own.
classes=none # or listed, or archived; of the instance
class_archive() { echo "$jars_root/$flavour.jsa"; }
choose_classes() {
  classes=listed
  if [ -f "$(class_archive)" ] && "$java_home/bin/java" -Xshare:on -XX:+UseSerialGC "-XX:SharedArchiveFile=$(class_archive)" \
    -cp "$jars/*" -version >/dev/null 2>&1; then classes=archived; fi
}
class_flags() { # sets $flags_of_classes
  case $classes in
    none) flags_of_classes=() ;;
    listed) flags_of_classes=("-XX:DumpLoadedClassList=$home/classes/%p") ;;
    archived) flags_of_classes=("-XX:SharedArchiveFile=$(class_archive)" -Xlog:disable -Xlog:all=error:stderr) ;;
  esac
}
# From the lists of an instance in which a task ran. Of several instances that make one at a time, one is kept.
archive_classes() {
  local archive; archive=$(class_archive)
  grep -qs '^org/apache/hadoop/mapred/YarnChild' "$home"/classes/* || return 0
  awk '!seen[$0]++' "$home"/classes/* >"$home/log/classes"
  if "$java_home/bin/java" -Xshare:dump -XX:+UseSerialGC "-XX:SharedClassListFile=$home/log/classes" \
    "-XX:SharedArchiveFile=$home/classes/archive" -cp "$jars/*" >"$home/log/class-archive.log" 2>&1; then
    mv "$home/classes/archive" "$archive"
  fi
}

# Nothing of a process that has ended and that its parent has not asked for.
started_at() { awk '{sub(/.*\) /, ""); if ($1 != "Z") print $20}' "/proc/$1/stat" 2>/dev/null; }

# start LABEL HEAP MAIN ARGS...   in the background, with a log and a pid file; conf/LABEL, if any, goes before conf.
start() {
  local label=$1 heap=$2; shift 2
  local command own_conf=; [ ! -d "$home/conf/$label" ] || own_conf=$home/conf/$label:
  java_command
  (
    cd "$home" || exit
    export JAVA_HOME=$java_home HADOOP_HOME=$home
    { printf 'extra_jars=%q\n' "$extra_jars"; printf '%q ' start "$label" "$heap" "$@"; } >"$home/run/$label" # for `begin`
    neutral setsid "${command[@]}" "-Dhadoop.log.dir=$home/log/$label" "-Xmx$heap" "$@" </dev/null >>"$home/log/$label.log" 2>&1 9>&- &
    echo "$! " >"$home/pid/$label"
  )
  local pid; read -r pid <"$home/pid/$label"
  sleep 0.05
  echo "$pid $(started_at "$pid")" >"$home/pid/$label"
}

# Is the process of this pid file still the one we started?
alive() {
  local pid born
  [ -f "$1" ] && read -r pid born <"$1" || return 1
  [ -n "$born" ] && [ "$(started_at "$pid")" = "$born" ]
}

# The pid files of daemons that run.
living() {
  local file
  for file in "$home"/pid/*; do if alive "$file"; then echo "$file"; fi; done
}

lock() { # SECONDS
  exec 9>"$home/lock"
  flock -w "$1" 9 || fail '' "another 'up' or 'down' of '$name' is at work"
}

# stop_all [now]: asks, waits, then insists; `now` does not ask. Last come tasks whose node went away, and clients.
stop_all() {
  local pid left
  if [ "${1:-}" != now ]; then
    signal_all TERM
    await_end
  fi
  signal_all KILL
  await_end
  rm -f "$home"/pid/*
  left=$(orphans)
  for pid in $left; do kill -KILL "$pid" 2>/dev/null || true; done
  [ -z "$left" ] || sleep 0.3 # until they write no more
}

# Ten seconds at most.
await_end() {
  local round
  for ((round = 0; round < 100; round++)); do
    [ -n "$(living)" ] || break
    sleep 0.1
  done
}

signal_all() { # SIGNAL
  local file pid
  for file in $(living); do
    read -r pid _ <"$file"
    kill -"$1" "$pid" 2>/dev/null || true
  done
}

# Tasks are children of our node daemons and carry the instance's work folder in their command line; clients its mark.
orphans() {
  local proc line
  for proc in /proc/[0-9]*; do
    [ "${proc#/proc/}" != "$$" ] || continue
    line=$({ tr '\0' ' ' <"$proc/cmdline"; } 2>/dev/null || true)
    case $line in
      *"$home/work/"* | *"-Dwavewright.testbed=$home "*) echo "${proc#/proc/}" ;;
    esac
  done
}

# await WHAT LOG COMMAND...   until the command succeeds; a dead daemon ends the wait.
await() {
  local what=$1 log=$2 file; shift 2
  local end=$((SECONDS + patience))
  until "$@"; do
    for file in "$home"/pid/*; do
      alive "$file" || fail "$home/log/$(basename "$file").log" "$(basename "$file") ended while starting"
    done
    [ $SECONDS -le $end ] || fail "$log" "$what not ready after $patience s"
    sleep 0.3
  done
}

# Where web pages ask for a Kerberos ticket, that of this account; they know this machine as localhost.
get() {
  local words=("$@") i
  if [ -n "${KRB5_CONFIG:-}" ]; then
    for i in "${!words[@]}"; do words[i]=${words[i]/#http:\/\/127.0.0.1:/http://localhost:}; done
    words+=(--negotiate -u :)
  fi
  curl -sf --noproxy '*' --max-time 10 "${words[@]}"
}
port_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# ---- client -----------------------------------------------------------------

# client MAIN ARGS...   in the foreground, output passed through.
client() {
  local command own_conf=; java_command
  (
    export JAVA_HOME=$java_home HADOOP_HOME=$home
    neutral "${command[@]}" -Xmx384m "$@"
  )
}

# submit MAIN ARGS...   runs a job's client; prints a line per job, with its state and seconds.
submit() {
  local log rc=0 began=$SECONDS
  log=$(mktemp "$home/log/client-XXXXXX.log")
  if [ -n "$verbose" ]; then client "$@" 2>&1 | tee "$log" >&2 || rc=$?; else client "$@" >"$log" 2>&1 || rc=$?; fi
  job_lines "$log" $rc | while read -r job state; do echo "$job $state $((SECONDS - began)) s"; done
  if [ $rc -ne 0 ]; then say "$flavour: the client ended with $rc; read $log"; return 1; fi
}

# Words of skewed frequency, the same for the same size and seed.
words() { python3 "$testbed/lib/words.py" --megabytes "$1" --seed "$2"; }
