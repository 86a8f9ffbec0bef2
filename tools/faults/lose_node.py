"""A NodeManager and all that runs on it are killed with -9, and do not come back while the jobs run."""
import time

from faults.run import Run


def run(bench):
    own = Run(bench, "node-lost")
    own.promise()
    own.start()
    own.wait_for_leader()
    own.add_promised()
    own.add_jobs(seconds=60, tasks=True)
    own.wait(lambda: own.states()["running"] >= 2, 180, "two jobs run")
    time.sleep(own.draw.uniform(1, 6))

    def told(what):
        return any(each["what"] == what for each in own.leader().events(own.token()))

    if told("NodeLost"):
        own.complain("the log tells of a lost node before one is lost")
    killed = time.time()
    again = own.hadoop.kill("nodemanager1")
    containers = own.hadoop.kill_containers_of(1)
    own.say(f"killed a NodeManager and {containers} containers; {dict(own.states())}")

    def silent_after():
        return next((each["at_ms"] / 1000 - killed for each in own.leader().events(own.token())
                     if each["what"] == "NodeSilent" and each["at_ms"] / 1000 >= killed), None)

    own.wait(lambda: silent_after() is not None, 30, "the daemon sees that the node is silent")
    silent = silent_after()
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
    result["what"] += own.promises_text()
    return result
