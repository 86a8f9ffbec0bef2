"""A schedule of a batch, task by task: is it one, and what is its value? Without a solver."""


class Schedule:
    def __init__(self, jobs, starts):
        """Of each job, as in the workload file, the starts of its maps and of its reduces."""
        self.jobs = jobs
        self.tasks = [[list(zip(begun, job.get(kind, []))) for begun, kind in zip(both, ("map_ms", "reduce_ms"))] for job, both in zip(jobs, starts)]
        self.ends = {}
        by_id = {job["id"]: (job, both) for job, both in zip(jobs, self.tasks)}

        def end(name):
            if name not in self.ends:
                job, both = by_id[name]
                done = [start + length for stage in both for start, length in stage]
                self.ends[name] = max([job.get("submit_ms", 0), *map(end, job.get("after", [])), *done])
            return self.ends[name]

        for name in by_id:
            end(name)

    def value(self, objective):
        if objective == "makespan":
            return max(self.ends.values())
        return sum(self.ends[job["id"]] - job.get("submit_ms", 0) for job in self.jobs)

    def wrong(self, slots):
        """What the schedule breaks, in words; None if nothing."""
        for job, (maps, reduces) in zip(self.jobs, self.tasks):
            if len(maps) != len(job.get("map_ms", [])) or len(reduces) != len(job.get("reduce_ms", [])):
                return f"{job['id']} lacks tasks"
            ready = max([job.get("submit_ms", 0), *(self.ends[other] for other in job.get("after", []))])
            if any(start < ready for start, _ in maps + reduces):
                return f"{job['id']} starts before it is there"
            maps_done = max((start + length for start, length in maps), default=0)
            if any(start < maps_done for start, _ in reduces):
                return f"a reduce of {job['id']} starts before its last map ends"
        for kind, count in enumerate(slots):
            tasks = [task for both in self.tasks for task in both[kind]]
            for instant, length in tasks:
                # At the start of a task: those that run then; of one without length, those around it and itself.
                busy = (length == 0) + sum(start < instant + (length > 0) and instant < start + long for start, long in tasks)
                if busy > count:
                    return f"{busy} {('maps', 'reduces')[kind]} run at {instant}"
        return None
