"""The daemon is killed with -9 at a hundred random moments, and started again each time."""
import time

from faults.run import Run

KILLS = 100


def run(bench):
    own = Run(bench, "daemon-killed")
    own.promise()
    own.start()
    own.wait_for_leader()
    own.add_promised()
    own.add_jobs(seconds=240)
    while_open = 0
    for number in range(KILLS):
        time.sleep(own.draw.uniform(0.02, 5))
        while_open += not own.all_ended()
        own.daemons[-1].kill()
        own.start()
        if number % 20 == 19:
            own.say(f"{number + 1} kills; {dict(own.states())}")
    result = own.finish(told=[("Led", KILLS // 2)])
    result["what"] = f"`kill -9` at {KILLS} random moments; {while_open} of them while a job was open"
    return result
