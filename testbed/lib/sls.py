"""What testbed/sls writes for hadoop-sls and reads from it.

    sls.py workload SCHEDULER WORKLOAD.jsonl                                 the workload, in the queues that the scheduler has
    sls.py settings CLUSTER.toml SCHEDULER TRACE.json FOLDER ROWS PORT-BASE  the configuration, so that both simulate the same
                                                                             cluster; prints how many nodes and jobs
    sls.py rows TRACE.json ROWS                                              a table: job, submitted, finished

SCHEDULER is fifo, fair or capacity."""
import json
import pathlib
import sys
import tomllib
from xml.etree import ElementTree

# Jobs come so many ms after the simulated nodes, whose first heartbeat is an interval after their start, in a process that has
# just loaded its classes.
LEAD = 5000
YARN = "org.apache.hadoop.yarn.server.resourcemanager.scheduler"


def workload(scheduler, path):
    for line in pathlib.Path(path).read_text().splitlines():
        job = json.loads(line)
        if scheduler == "fifo":
            job.pop("queue", None)
        print(json.dumps({**job, "name": job["id"]}))  # a trace keeps names and not all ids


def read_trace(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def site(path, settings):
    top = ElementTree.Element("configuration")
    for key, value in settings.items():
        entry = ElementTree.SubElement(top, "property")
        ElementTree.SubElement(entry, "name").text = key
        ElementTree.SubElement(entry, "value").text = str(value)
    ElementTree.ElementTree(top).write(path)


def runner(cluster, scheduler, folder, rows, base):
    masters, containers, limits = cluster["masters"], cluster["containers"], cluster["limits"]
    kind = "fair.FairScheduler" if scheduler == "fair" else "capacity.CapacityScheduler"
    return {
        "yarn.sls.runner.pool.size": 20,
        "yarn.sls.nm.heartbeat.interval.ms": cluster["mode"]["heartbeat_ms"],
        "yarn.sls.am.heartbeat.interval.ms": masters["heartbeat_ms"],
        "yarn.sls.am.container.memory": containers["master_memory_mb"],
        "yarn.sls.container.memory.mb": containers["map_memory_mb"],
        "yarn.sls.am.type.mapreduce": "SlsJob",
        "yarn.sls.metrics.switch": "false",
        "testbed.rows": rows,
        "yarn.resourcemanager.scheduler.class": f"{YARN}.{kind}",
        "yarn.scheduler.minimum-allocation-mb": limits["min_memory_mb"],
        "yarn.scheduler.maximum-allocation-mb": limits["max_memory_mb"],
        "yarn.resource-types.memory-mb.increment-allocation": limits["min_memory_mb"],
        "yarn.scheduler.fair.allocation.file": folder / "fair-scheduler.xml",
        "yarn.resourcemanager.hostname": "127.0.0.1",
        "yarn.node-attribute.fs-store.root-dir": f"file://{folder}/node-attribute",  # by itself one for all testbeds
        "yarn.resourcemanager.bind-host": "127.0.0.1",
        **{f"yarn.resourcemanager.{name}address": f"127.0.0.1:{base + offset}"
           for offset, name in enumerate(["", "scheduler.", "resource-tracker.", "admin.", "webapp."])},
        "yarn.webapp.api-service.enable": "false",
    }


def capacity(queues):
    root = "yarn.scheduler.capacity.root"
    keys = (("capacity", "capacity", 0), ("maximum-capacity", "maximum", 100),
            ("minimum-user-limit-percent", "minimum_user_limit", 100), ("user-limit-factor", "user_limit_factor", 1))
    return {
        # By default a tenth of the cluster is for masters; and hadoop-sls takes containers back from queues above their
        # guarantee, whatever is set elsewhere.
        "yarn.scheduler.capacity.maximum-am-resource-percent": 1.0,
        f"{root}.disable_preemption": "true",
        f"{root}.queues": ",".join(queue["name"] for queue in queues),
        **{f"{root}.{queue['name']}.{key}": queue.get(ours, default) for queue in queues for key, ours, default in keys},
    }


def write_fair(path, queues):
    top = ElementTree.Element("allocations")
    for key, value in (("defaultQueueSchedulingPolicy", "fair"), ("queueMaxAMShareDefault", "-1.0")):
        ElementTree.SubElement(top, key).text = value
    for queue in queues:
        named = ElementTree.SubElement(top, "queue", name=queue["name"])
        ElementTree.SubElement(named, "weight").text = str(queue.get("weight", 1))
    ElementTree.ElementTree(top).write(path)


def nodes_of(cluster):
    count = 0
    for group in cluster["nodes"]:
        names = [f"node{count + i + 1}" for i in range(group.get("count", 1))]
        count += len(names)
        yield {"rack": group.get("rack", "/default-rack").lstrip("/"),
               "nodes": [{"node": name, "memory-mb": group["memory_mb"], "vcores": group["vcores"]} for name in names]}


def settings(cluster_file, scheduler, trace, folder, rows, base):
    cluster = tomllib.loads(pathlib.Path(cluster_file).read_text())
    folder = pathlib.Path(folder)
    if cluster["mode"].get("slowstart", 1.0) != 1.0 or cluster["containers"]["map_memory_mb"] != cluster["containers"]["reduce_memory_mb"]:
        sys.exit("sls: masters of hadoop-sls ask for reduces when all maps are done, and of a Rumen trace all tasks ask for the same memory")
    # hadoop-sls refuses the FifoScheduler; a queue of the Capacity scheduler serves its applications in order too.
    queues = cluster["queues"] if scheduler != "fifo" else [{"name": "default", "capacity": 100}]
    jobs = read_trace(trace)
    first = min(job["submitTime"] for job in jobs)
    submits = {f"testbed.submit-ms.{job['jobID']}": LEAD + job["submitTime"] - first for job in jobs}
    site(folder / "sls-runner.xml", {**runner(cluster, scheduler, folder, rows, int(base)), **submits})
    site(folder / "capacity-scheduler.xml", capacity(queues))
    write_fair(folder / "fair-scheduler.xml", queues)
    racks = list(nodes_of(cluster))
    (folder / "nodes.json").write_text("\n".join(json.dumps(rack) for rack in racks))
    print(sum(len(rack["nodes"]) for rack in racks), len(jobs))


def rows(trace, path):
    names = {job["jobID"]: job["jobName"] for job in read_trace(trace)}
    found = [line.split("\t") for line in pathlib.Path(path).read_text().splitlines()]
    first = min(int(submitted) for _, submitted, _ in found)
    print("job\tsubmitted\tfinished")
    for job, submitted, finished in sorted(found, key=lambda row: int(row[1])):
        print(names[job], int(submitted) - first, int(finished) - first, sep="\t")


{"workload": workload, "settings": settings, "rows": rows}[sys.argv[1]](*sys.argv[2:])
