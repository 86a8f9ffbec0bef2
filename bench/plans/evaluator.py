"""Plans valued a second, on one core."""
import json

from plans.section import Section, root, run

LENGTHS = {"own": "each task its own", "alike": "one a job and stage"}
ORDERS = {"simulated": "random, by the simulator", "random": "random", "neighbours": "neighbours"}


def row(tasks, lengths):
    def measure(options):
        first = None
        for orders in ORDERS:
            rounds = [json.loads(run(root / "build/evaluator_speed", f"tasks={tasks}", f"lengths={lengths}", f"orders={orders}")) for _ in range(3)]
            best = max(rounds, key=lambda one: one["plans_per_second"])
            first = first or best["plans_per_second"]
            yield tasks, LENGTHS[lengths], ORDERS[orders], f"{best['plans_per_second']:.0f}", f"{best['placements_per_second'] / 1e6:.0f} M", f"{best['plans_per_second'] / first:.1f}"
    return measure


def sections():
    return [Section("The evaluator",
                    "100 jobs on 64 + 64 slots, one core, processor time, the best of three seconds (`build/evaluator_speed`). Random: every plan an order from scratch. Neighbours: one job moved, in the "
                    "order of maps, of reduces or both, as the searches do; maps go on from where the order changes, tasks alike are placed as waves. Task placements are those that a plan has, "
                    "made or spared. The last plan's value is held against the simulator's.",
                    ["tasks", "lengths", "orders", "plans/s", "task placements/s", "to the simulator"],
                    {f"evaluator-{tasks}-{lengths}": row(tasks, lengths) for tasks in (5000, 500000) for lengths in LENGTHS})]
