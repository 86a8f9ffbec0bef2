"""Of two daemons on one PostgreSQL, on two machines as they see it, whichever leads is killed with -9 or stopped, fifty times."""
import signal
import time

from faults.run import Run

TIMES = 50


def run(bench):
    server = bench.postgresql()
    own = Run(bench, "leader-lost", server.database())

    def start(name):
        own.promise(own.folder / f"targets-{name}")  # each machine has a file of its own
        words = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', name]
        daemon = own.start(words, environment={"XDG_STATE_HOME": str(own.folder / f"state-{name}")})
        daemon.name = name
        return daemon

    start("first")
    own.wait_for_leader()
    own.add_promised()
    start("second")
    own.add_jobs(seconds=430)
    taken, kills, stops = [], 0, 0

    def lose():
        nonlocal kills, stops
        leader = own.leader()
        if leader is None:
            own.complain("no daemon leads")
            return
        if own.draw.random() < 0.3:  # it wakes up later, and must not go on
            stops += 1
            leader.process.send_signal(signal.SIGSTOP)
            leader.url = None
            took = own.wait_for_leader(30)
            leader.process.send_signal(signal.SIGCONT)
        else:
            kills += 1
            leader.kill()
            took = own.wait_for_leader(30)
            start(leader.name)
        taken.append(took)

    for number in range(TIMES):
        time.sleep(own.draw.uniform(0.2, 8))  # some lead long enough to look at the promises, which takes three steps
        lose()
        if number % 10 == 9:
            own.say(f"{number + 1} times; {dict(own.states())}")
    # What a command of one machine came to, that machine alone can tell: it leads once more. If the command ended without an application,
    # it waits up to 130 s until nothing of it can be on its way.
    for _ in range(6):
        until = time.time() + 150
        while not own.all_ended() and time.time() < until:
            time.sleep(1)
        if own.all_ended():
            break
        lose()
    result = own.finish(told=[("Led", TIMES)], patience=1200)
    server.stop()
    known = [each for each in taken if each is not None]
    if known and max(known) > 10:
        own.complain(f"the lead was taken over after {max(known):.1f} s")
    result["what"] = f"{kills} times `kill -9`, {stops} times SIGSTOP; taken over within {max(known):.1f} s"
    return result
