"""The ResourceManager is killed with -9 and comes back: with its applications if it recovers them, else without."""
import time

from faults.run import Run


def with_recovery(bench):
    own = Run(bench, "manager-restarted")
    own.promise()
    own.start()
    own.wait_for_leader()
    own.add_promised()
    own.add_jobs(seconds=90)
    for away in (1, 20, 8):
        time.sleep(25)
        own.say(f"killed the ResourceManager for {away} s; {dict(own.states())}")
        again = own.hadoop.kill("resourcemanager")
        time.sleep(away)
        again()
        own.wait(lambda: own.hadoop.running_nodes() == 2, 180, "the nodes are back")
    result = own.finish(told=[("ClusterRestarted", 3), ("Away", 3), ("Back", 3)])
    result["what"] = "`kill -9` three times, away for 1, 20 and 8 s; its applications are recovered"
    return result


def without_recovery(bench):
    own = Run(bench, "manager-forgets")
    own.promise()
    own.start()
    own.wait_for_leader()
    own.add_promised()
    own.add_jobs(seconds=90)
    own.wait(lambda: own.state("P1") == "done" and own.states()["done"] >= 5 and own.states()["running"] >= 1, 180,
             "some jobs are done, P1 among them, and one runs")
    lost = [each["id"] for each in own.jobs() if each["state"] in ("submitting", "accepted", "running")]
    again = own.hadoop.kill("resourcemanager")
    own.say(f"killed the ResourceManager; it forgets {lost}; {dict(own.states())}")
    time.sleep(5)
    again()
    own.wait(lambda: own.hadoop.running_nodes() == 2, 180, "the nodes are back")
    own.say("what it forgot, and no history has, is unknown after a quarter of an hour")
    result = own.finish(told=[("ClusterRestarted", 1), ("Away", 1), ("Back", 1)], patience=1500, lost=lost)
    result["what"] = f"`kill -9` once; it forgets {len(lost)} applications that ran, and those that had ended"
    return result
