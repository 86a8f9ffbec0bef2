#!/bin/sh
# Streaming mapper: the first attempt of each second task fails, the next one works.
# Hadoop tells the attempt in the environment: mapreduce_task_attempt_id, in Hadoop 1 mapred_task_id.
# shellcheck disable=SC2154
case ${mapreduce_task_attempt_id:-$mapred_task_id} in
  *[13579]_0) echo "first attempt of an odd task fails" >&2; exit 3 ;;
esac
exec awk '{ for (i = 1; i <= NF; i++) print $i "\t1" }'
