#!/bin/sh
# Streaming mapper: the first attempt of map 2 crawls, so that speculation starts a second one.
# shellcheck disable=SC2154
case $mapreduce_task_attempt_id in
  *_m_000002_0)
    exec awk '{ print $1 "\t1" } NR % 300 == 0 { system("sleep 1") }' ;;
esac
exec awk '{ print $1 "\t1" } NR % 10000 == 0 { system("sleep 1") }'
