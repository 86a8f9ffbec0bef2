"""Writes examples/histories/README.md from index.tsv and the histories themselves: histories_readme.py FOLDER > README.md"""
import collections
import csv
import pathlib
import re
import sys
import urllib.parse

import jhist

Job = collections.namedtuple("Job", "name state maps reduces submitted finished failed killed nodes")

HEAD = """# Sample job histories

{count} jobs that really ran, made by [testbed/make-histories](../../testbed/make-histories) on one machine with two cores:
Hadoop 3.4.2 with four nodes on two racks (encodings Avro-Binary and Avro-Json), and Hadoop 1.2.1 with two nodes.
Each history keeps the name that Hadoop gave it; its configuration stands beside it, gzipped, and so are some of the histories.

What the numbers can bear: the machine was shared, with two cores for all daemons and tasks, so starting a task's JVM takes
2 to 6 seconds and waves of tasks slow one another. Times are those of the machine, unedited. SleepJob's task lengths are known
(`mapreduce.sleepjob.*` in the configuration); what comes on top of them is Hadoop's own cost.

Columns: *caps* are the limits on tasks that run at once (`mapreduce.job.running.map.limit` and `.reduce.limit`; slots in
Hadoop 1); *failed* and *killed* count task attempts; *seconds* go from submission to the end of the job.
`python3 testbed/lib/jhist.py FILE` prints the events of a Hadoop 3 history as JSON.
"""


def read_hadoop3(path):
    counts = collections.Counter()
    seen = {}
    for event in jhist.events(path):
        counts[event["type"]] += 1
        if event["type"].endswith("ATTEMPT_STARTED"):
            seen.setdefault("nodes", set()).add(event["event"]["trackerName"])
        if event["type"].startswith("JOB_") or event["type"] == "AM_STARTED":
            seen.update({key: value for key, value in event["event"].items() if value is not None})
    state = "KILLED" if counts["JOB_KILLED"] else "FAILED" if counts["JOB_FAILED"] + counts["JOB_ERROR"] else "SUCCEEDED"
    return Job(seen["jobName"], state, seen["totalMaps"], seen["totalReduces"], seen["submitTime"], seen["finishTime"],
               counts["MAP_ATTEMPT_FAILED"] + counts["REDUCE_ATTEMPT_FAILED"],
               counts["MAP_ATTEMPT_KILLED"] + counts["REDUCE_ATTEMPT_KILLED"], seen.get("nodes", ()))


def read_hadoop1(path):
    seen, failed, killed = {}, 0, 0
    for line in jhist.open_bytes(path).decode().splitlines():
        pairs = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', line))
        if line.startswith("Job "):
            seen.update(pairs)
        elif "Attempt " in line:
            failed += pairs.get("TASK_STATUS") == "FAILED"
            killed += pairs.get("TASK_STATUS") == "KILLED"
    state = seen["JOB_STATUS"].replace("SUCCESS", "SUCCEEDED")
    return Job(seen["JOBNAME"], state, int(seen["TOTAL_MAPS"]), int(seen["TOTAL_REDUCES"]), int(seen["SUBMIT_TIME"]),
               int(seen["FINISH_TIME"]), failed, killed, ())


def history_of(folder, job):
    files = [file for file in folder.glob(job + "[-_]*") if "_conf.xml" not in file.name]
    if len(files) != 1:
        raise SystemExit(f"{folder}: {len(files)} histories of {job}")
    return files[0]


def main():
    top = pathlib.Path(sys.argv[1])
    with open(top / "index.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    print(HEAD.format(count=len(rows)))
    for folder in sorted({row["folder"] for row in rows}):
        mine = [row for row in rows if row["folder"] == folder]
        print(f"## {folder}: {len(mine)} jobs\n")
        print("| job file | name | application | input | caps | state | maps | reduces | failed | killed | seconds | what is special |")
        print("|---|---|---|---|---|---|--:|--:|--:|--:|--:|---|")
        for row in mine:
            path = history_of(top / folder, row["job"])
            job = (read_hadoop1 if folder.startswith("hadoop-1") else read_hadoop3)(path)
            print(f"| [{row['job']}]({folder}/{urllib.parse.quote(path.name)}){' .gz' if path.suffix == '.gz' else ''} | {job.name} "
                  f"| {row['application']} | {row['input']} | {row['caps']} | {job.state} | {job.maps} | {job.reduces} "
                  f"| {job.failed} | {job.killed} | {(job.finished - job.submitted) / 1000:.1f} | {row['special']} |")
        print()


if __name__ == "__main__":
    main()
