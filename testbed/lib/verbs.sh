# shellcheck shell=bash
# The verbs that hadoop3 and hadoop1 share. What differs they give as functions (write_sites, start_daemons, hdfs_ready,
# open_folders, nodes_ready, hdfs_has, list_nodes, addresses, job_lines, history) and as the variables set at their top.

# ---- up and down ------------------------------------------------------------

up() {
  nodes=2 racks=1 hosts=addresses masters=1 base=$default_base
  local settings=() knob
  while [ $# -gt 0 ]; do
    knob=${1#--}
    case $1 in
      --nodes | --racks | --port-base) number "${@:1:2}" ;;
      --hosts | --jar | -D) [ $# -ge 2 ] || usage_error "$1 wants a value" ;;
      --*)
        [ -n "${knobs[$knob]:-}" ] || usage_error "up: unknown option $1"
        if [[ ${knobs[$knob]} =~ ^[0-9] ]]; then number "${@:1:2}"; fi
        ;;
      *) usage_error "up: unknown option $1" ;;
    esac
    case $1 in
      --nodes) nodes=$2 ;;
      --racks) racks=$2 ;;
      --port-base) base=$2 ;;
      --hosts) [[ $2 =~ ^(names|addresses)$ ]] || usage_error "--hosts is names or addresses"; hosts=$2 ;;
      --jar) [ -f "$2" ] || usage_error "no file $2"; extra_jars+=${extra_jars:+:}$(realpath "$2") ;;
      -D) [[ $2 == *=* ]] || usage_error "-D wants key=value"; settings+=("$2") ;;
      *) knobs[$knob]=${2:-} ;;
    esac
    shift 2
  done
  { [ "$nodes" -ge 1 ] && [ "$nodes" -le 200 ]; } || usage_error "--nodes is 1 to 200"
  { [ "$racks" -ge 1 ] && [ "$racks" -le "$nodes" ]; } || usage_error "--racks is 1 to the number of nodes"
  { [ "$base" -ge 1024 ] && [ "$base" -le 64000 ]; } || usage_error "--port-base is 1024 to 64000"
  check_knobs
  pace=${knobs[pace]:-usual}

  home=$root/$flavour-$name
  mkdir -p "$home"
  lock 5
  [ -z "$(living)" ] || fail '' "instance '$name' is up: '$flavour --name $name status' shows it, '$flavour --name $name down' ends it"
  rm -f "$home"/pid/*
  command -v java >/dev/null || fail '' "Java is missing; install the packages that './bootstrap packages' lists"
  local port
  masters=${knobs[resource-managers]:-1}
  [ "$masters" -eq 1 ] || central_ports=20
  for ((port = base; port < base + central_ports; port++)); do
    port_free "$port" || fail '' "port $port is taken; choose another --port-base"
  done
  fetch_jars
  compile_helpers
  [ -z "$shares_classes" ] || choose_classes

  rm -rf "$home/conf" "$home/work" "$home/log" "$home/run" "$home/classes"
  mkdir -p "$home"/{conf,data,log,pid,run,work,tmp,classes}
  write_hosts_and_racks
  write_sites
  save_instance
  # An interrupted start leaves nothing behind.
  trap 'stop_all' EXIT
  trap 'exit 130' INT TERM
  [ -d "$home/data/name" ] || format_hdfs
  start_daemons
  await "HDFS" "$home/log/namenode.log" hdfs_ready
  open_folders
  await "the nodes" "$home/log/$master.log" nodes_ready
  trap - EXIT INT TERM
  addresses
}

# A formatted HDFS is the same for all instances of a user: the first one makes it, the others copy it, and start a JVM less.
format_hdfs() {
  local formatted=$jars/.formatted-${HADOOP_USER_NAME//[^A-Za-z0-9._-]/_} log=$home/log/format.log
  if [ -d "$formatted" ]; then
    cp -a "$formatted" "$home/data/name"
    return
  fi
  (echo Y | client org.apache.hadoop.hdfs.server.namenode.NameNode -format) >"$log" 2>&1 && [ -d "$home/data/name" ] ||
    fail "$log" "could not format HDFS"
  # Of several that make it at a time, one is kept.
  { cp -a "$home/data/name" "$formatted.$$" && mv -T "$formatted.$$" "$formatted"; } 2>>"$log" || rm -rf "$formatted.$$"
}

down() {
  local keep=
  [ "${1:-}" != --keep ] || { keep=1; shift; }
  [ $# -eq 0 ] || usage_error "down: unknown option $1"
  home=$root/$flavour-$name
  [ -d "$home" ] || return 0
  lock 60
  if [ -n "$keep" ]; then stop_all; else stop_all now; fi
  archive_classes
  rm -rf "$home/classes"
  rm -rf "$home/work" "$home/tmp"
  [ -n "$keep" ] || rm -rf "$home/data" "$home/instance"
}

# One daemon: killed as a machine that fails does, or started again as it was.
end() {
  [[ $# -eq 1 && $1 =~ ^[a-z0-9]+$ ]] || usage_error "end: which daemon? 'status' lists them"
  load_instance
  alive "$home/pid/$1" || fail '' "$1 does not run"
  local pid; read -r pid _ <"$home/pid/$1"
  kill -KILL "$pid"
  while alive "$home/pid/$1"; do sleep 0.05; done
}
begin() {
  [[ $# -eq 1 && $1 =~ ^[a-z0-9]+$ ]] || usage_error "begin: which daemon? 'status' lists them"
  load_instance
  [ -f "$home/run/$1" ] || fail '' "$1 is no daemon of '$name'"
  ! alive "$home/pid/$1" || fail '' "$1 runs"
  lock 5
  # shellcheck source=/dev/null
  source "$home/run/$1"
}

status() {
  local file dead=0
  load_instance
  compgen -G "$home/pid/*" >/dev/null || { echo "stopped"; return 1; }
  for file in "$home"/pid/*; do
    if alive "$file"; then
      printf '%-18s up    pid %s\n' "$(basename "$file")" "$(cut -d' ' -f1 "$file")"
    else
      printf '%-18s down  read %s\n' "$(basename "$file")" "$home/log/$(basename "$file").log"
      dead=1
    fi
  done
  list_nodes 2>/dev/null || echo "the $master does not answer (yet); read $home/log/$master.log"
  addresses
  return $dead
}

# ---- jobs -------------------------------------------------------------------

# input MB BLOCK SEED   prints the HDFS path of a folder of words; made on first use.
input() {
  local path=/data/words-$1mb-$2mb-$3
  if ! hdfs_has "$path/part-0"; then
    say "$flavour: making $path"
    {
      client org.apache.hadoop.fs.FsShell -mkdir "$path" || true
      words "$1" "$3" | client org.apache.hadoop.fs.FsShell -D "$block_key=$(($2 << 20))" -put - "$path/part-0"
    } >"$home/log/input.log" 2>&1 || fail "$home/log/input.log" "could not write $path"
  fi
  echo "$path"
}

run() {
  [ $# -ge 1 ] || usage_error "run: which job? wordcount, sort, terasort, grep, stream or sleep"
  local kind=$1 mb=24 block=4 reduces=2 seed=1 detach='' mapper='' reducer='' generic=() sizes=() given=(); shift
  verbose=
  given=("$kind" "$@")
  while [ $# -gt 0 ]; do
    case $1 in
      --detach) detach=1; shift; continue ;;
      --verbose) verbose=1; shift; continue ;;
      *) [ $# -ge 2 ] || usage_error "run: $1 wants a value, or is unknown" ;;
    esac
    case $1 in
      --input-mb) number "$@"; mb=$2 ;;
      --block-mb) number "$@"; block=$2 ;;
      --reduces) number "$@"; reduces=$2 ;;
      --seed) number "$@"; seed=$2 ;;
      --mapper) mapper=$(realpath "$2") ;;
      --reducer) if [ "$2" = none ]; then reducer=none; else reducer=$(realpath "$2"); fi ;;
      --job-name) generic+=(-D "$name_key=$2") ;;
      -D) generic+=(-D "$2") ;;
      -m | -r | -mt | -rt) [ "$kind" = sleep ] || usage_error "$1 belongs to 'run sleep'"; number "$@"; sizes+=("$1" "$2") ;;
      *) usage_error "run: unknown option $1" ;;
    esac
    shift 2
  done
  load_instance
  [ -n "$(living)" ] || fail '' "instance '$name' is stopped; start it with '$flavour --name $name up'"
  if [ -n "$detach" ]; then detached "${given[@]}"; return; fi
  [ "$kind" = sleep ] || generic+=(-D "$reduces_key=$reduces")
  run_kind
}

# Uses the variables of `run`.
run_kind() {
  local unique=$$-$RANDOM in examples=org.apache.hadoop.examples text=org.apache.hadoop.io.Text
  local out=/tmp/out/$kind-$unique
  case $kind in wordcount | grep | sort | stream) in=$(input "$mb" "$block" "$seed") ;; esac
  case $kind in
    wordcount) submit $examples.WordCount "${generic[@]}" "$in" "$out" ;;
    grep) submit $examples.Grep "${generic[@]}" "$in" "$out" '[b-f]a[a-z]*' ;;
    sort)
      submit $examples.Sort "${generic[@]}" -r "$reduces" -inFormat "$sort_input" \
        -outFormat "$sort_output" -outKey $text -outValue $text "$in" "$out" ;;
    terasort)
      in=/tmp/out/teragen-$unique
      submit $examples.terasort.TeraGen "${generic[@]}" -D "$block_key=$((block << 20))" \
        -D "$maps_key=$(((mb + 7) / 8))" $((mb * 10486)) "$in"
      submit $examples.terasort.TeraSort "${generic[@]}" "$in" "$out" ;;
    stream)
      mapper=${mapper:-$testbed/jobs/words.sh} reducer=${reducer:-$testbed/jobs/count.sh}
      local files=$mapper by=(-mapper "$(basename "$mapper")")
      if [ "$reducer" = none ]; then
        generic+=(-D "$reduces_key=0")
      else
        files+=,$reducer by+=(-reducer "$(basename "$reducer")")
      fi
      submit org.apache.hadoop.streaming.HadoopStreaming "${generic[@]}" -files "$files" -input "$in" -output "$out" "${by[@]}" ;;
    sleep) submit NamedSleepJob "${generic[@]}" "${sizes[@]}" ;;
    *) usage_error "run: unknown job '$kind'" ;;
  esac
}

# Many jobs from one client, each at its time: a client each would load the machine. SleepJobs; where a line says
# `words` for the length of a map, a WordCount with a map for each 16 MB.
batch() {
  [ $# -ge 1 ] || usage_error "batch wants a file: ID, submission in ms, user, queue, maps, ms each (or words), reduces, ms each"
  [ -f "$1" ] || usage_error "no file $1"
  local file=$1 generic=() log maps rc=0; shift
  while [ $# -gt 0 ]; do
    [ "$1" = -D ] && [ $# -ge 2 ] || usage_error "batch: unknown option $1"
    generic+=(-D "$2")
    shift 2
  done
  awk -F'\t' '!/^(#|$)/ && NF != 8 {exit 1}' "$file" || usage_error "$file: a line of other than eight columns, apart by tabs"
  load_instance
  [ -n "$(living)" ] || fail '' "instance '$name' is stopped; start it with '$flavour --name $name up'"
  for maps in $(awk -F'\t' '!/^(#|$)/ && $6 == "words" {print $5}' "$file" | sort -u); do input $((16 * maps)) 16 1 >/dev/null; done
  log=$(mktemp "$home/log/batch-XXXXXX.log")
  awk -F'\t' 'BEGIN {OFS = FS} !/^(#|$)/ && $6 == "words" {$6 = "/data/words-" 16 * $5 "mb-16mb-1"; $8 = 0} {print}' "$file" >"${log%.log}.tsv"
  client SubmitBatch "${generic[@]}" "${log%.log}.tsv" 2>"$log" || rc=$?
  if [ $rc -ne 0 ]; then say "$flavour: the client ended with $rc; read $log"; return 1; fi
}

# Runs the same command in the background; prints the job's id as soon as it has one.
detached() {
  local argument again=() log
  for argument; do [ "$argument" = --detach ] || again+=("$argument"); done
  log=$(mktemp "$home/log/detached-XXXXXX.log")
  setsid "$testbed/$flavour" --name "$name" run "${again[@]}" --verbose </dev/null >/dev/null 2>"$log" &
  local pid=$! end=$((SECONDS + patience))
  until grep -q ' Running job: ' "$log"; do
    kill -0 $pid 2>/dev/null || fail "$log" "the job could not be submitted"
    [ $SECONDS -lt $end ] || fail "$log" "no job after $patience s"
    sleep 0.2
  done
  sed -n 's/.* Running job: //p' "$log" | head -1
}

# ---- command line -----------------------------------------------------------

command_line() {
  name=$flavour verbose=
  if [ "${1:-}" = --name ]; then
    [ $# -ge 2 ] || usage_error "--name wants a value"
    name=$2
    shift 2
  fi
  [[ $name =~ ^[A-Za-z0-9._-]+$ ]] || usage_error "--name may have letters, digits, dots and dashes"
  [ $# -gt 0 ] || usage_error "which verb?"
  local verb=$1; shift
  case $verb in
    up | down | status | begin | end | run | batch | history) "$verb" "$@" ;;
    kill) load_instance; client org.apache.hadoop.mapred.JobClient -kill "$@" ;;
    jar) load_instance; client org.apache.hadoop.util.RunJar "$@" ;;
    fs) load_instance; client org.apache.hadoop.fs.FsShell "$@" ;;
    -h | --help | help) sed -n '2,/^set -euo/p' "$0" | sed '$d; s/^# \{0,1\}//' ;;
    *) usage_error "unknown verb '$verb'" ;;
  esac
}
