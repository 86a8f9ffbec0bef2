"""A NodeManager and all that runs on it are killed with -9, and do not come back while the jobs run."""
import time

from faults.run import Run


def add_tight(own):
    """A third promise, which needs maps on both nodes at once: it is at risk as soon as one is lost, and not before."""
    job = {"id": "P3", "map_ms": [60_000] * 5, "deadline_ms": 20_000, "command": own.command_of(5, 45_000)}
    earliest = own.ask_for(job)[1]["refused"][0]["earliest_deadline_ms"] - int(1000 * time.time())
    promised, told = own.ask_for(job | {"deadline_ms": earliest + 20_000})
    if not promised:
        raise SystemExit(f"live-faults: P3 is not promised: {told}")
    own.promised.append("P3")


def run(bench):
    own = Run(bench, "node-lost")
    own.promise()
    own.start()
    own.wait_for_leader()
    own.add_promised()
    add_tight(own)
    own.add_jobs(seconds=60, tasks=True)
    own.wait(lambda: own.states()["running"] >= 2, 180, "two jobs run")
    time.sleep(own.draw.uniform(1, 6))
    own.wait(lambda: own.hadoop.containers_on(1) >= 2, 120, "two containers run on the node")

    def told(what):
        return any(each["what"] == what for each in own.leader().events(own.token()))

    if told("NodeLost"):
        own.complain("the log tells of a lost node before one is lost")
    killed = time.time()
    again = own.hadoop.kill("nodemanager1")
    containers = own.hadoop.kill_containers_of(1)
    if containers == 0:
        own.complain("nothing ran on the node")
    own.say(f"killed a NodeManager and {containers} containers; {dict(own.states())}")

    def told_after(what, job=""):
        return next((each["at_ms"] / 1000 - killed for each in own.leader().events(own.token())
                     if (each["what"], each["job"]) == (what, job) and each["at_ms"] / 1000 >= killed), None)

    def at_risk_before():
        words = [each["what"] for each in own.leader().events(own.token())
                 if each["job"] == "P3" and each["what"] in ("PromiseAtRisk", "PromiseSafe") and each["at_ms"] / 1000 < killed]
        return bool(words) and words[-1] == "PromiseAtRisk"

    own.wait(lambda: told_after("NodeSilent") is not None, 30, "the daemon sees that the node is silent")
    silent = told_after("NodeSilent")
    if not at_risk_before():
        own.wait(lambda: told_after("PromiseAtRisk", "P3") is not None, 30, "the log tells that P3 is at risk")
    risk = told_after("PromiseAtRisk", "P3")
    own.wait(lambda: own.hadoop.running_nodes() == 1, 90, "YARN sees that the node is lost")
    own.wait(lambda: told("NodeLost"), 60, "the log tells of the lost node")
    own.wait(own.all_ended, 900, "all jobs end")
    again()
    own.wait(lambda: own.hadoop.running_nodes() == 2, 180, "the node is back")
    own.wait(lambda: told("NodeBack"), 60, "the log tells that the node is back")
    result = own.finish(told=[("NodeLost", 1), ("NodeBack", 1)])
    result["what"] = f"`kill -9` of one of two NodeManagers with its {containers} containers, for the rest of the run"
    if silent is not None:
        result["what"] += f"; the daemon told of its silence after {silent:.1f} s"
    if risk is not None:
        result["what"] += f", and which promise is at risk after {risk:.1f} s"
    return result
