// How much energy a batch takes at least on a cluster, whoever schedules: a clairvoyant bound, proved.
//
// Claim. Take any schedule that does all jobs, each by its deadline where it has one. Its energy, as
// sim/metrics/energy.h counts it, is not below the bound.
//
// Proof. Let M be the makespan. Until M some power P flows whatever the schedule does: the idle power of the
// machines that are always there, and of the others the less of idle and off. Besides, a machine that is away
// at times draws its own surplus b = idle − off ≥ 0 while it is there.
//
// Let every slot of a machine of row r ask a rent from the task on it: y(r, map) or y(r, reduce), in mW. The
// rents of all slots together must not exceed what flows anyway. That is: shares s(r) ≥ 0 with
//
//   Σ over rows  machines(r) · s(r)  ≤  P
//   slots(r, map) · y(r, map) + slots(r, reduce) · y(r, reduce)  ≤  s(r) + b(r)
//
// Tasks run only until M, and only on machines that are there. So the rents paid are at most the energy of
// P' = Σ machines · s until M, and of the surpluses while machines are there. What is left of P flows until
// M, which is no earlier than L, the latest of the jobs' earliest ends. Each task runs somewhere, for at
// least its least time t there, and adds its power p. So
//
//   energy ≥ (P − P') · L + Σ over tasks  min over rows that it can use  t · (p + y)
//
// for all rents that are allowed. A task that could not end in time on a row cannot use it.
//
// Wake-ups, the time of a boot, failed attempts, stragglers, reads from afar, waits and slots that stay empty
// come on top: each makes schedules dearer, none cheaper. Machines for rent may be fractions here.
//
// With deadlines time is scarce as well. Tasks whose release and deadline are in a window w run in it. Let
// each of them pay a price x(r, kind, w) ≥ 0 for its time on a slot, besides. All of them pay at most x times
// c(r, kind, w): the slots times the length of the window, after the boot where machines are for rent. So
//
//   energy ≥ (P − P') · L + Σ over tasks  min over rows  t · (p + y + Σ x of its windows)  −  Σ x · c
//
// A machine for rent that does something is switched on at least once, and does something for at most H:
// from the first release to the last deadline. So its surplus is b + wake / H there, if all jobs have
// deadlines.
//
// This is the dual of the linear program that shares out tasks over rows. Stages that cost nearly alike count
// as one there, so that the simplex method solves it (rent_program.h). Without prices of time, and where
// there are too many rows, multiplicative steps along its subgradient follow [Arora, Hazan & Kale 2012]. Then
// rents and prices are moved while that raises the value. The largest value found counts; any is a bound.
//
// Worked example: machines A and B with one map slot each, idle 50 W each, always there. A map takes 100 s on
// A, 50 s on B, and adds 20 W. With rents of 26.7 W on A and 73.3 W on B a map costs 4.67 kJ on either, so
// that three take at least 14 kJ. One on A and two on B take that: 100 s · 100 W idle, and 2 kJ + 2 · 1 kJ of
// work.
//
// Another: A is always there and idles for nothing; B is for rent at 90 W idle. A map takes 100 s on either,
// and adds 10 W. Four maps that must end by 200 s: without prices of time all run on A for 4 kJ. But two
// must run on B. With a price of 90 W on A each map pays 10 kJ, and the time of A, 200 s, costs 18 kJ. So
// they take at least 22 kJ: 4 kJ of work, and B idles for 200 s.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cluster/power.h"
#include "wavewright/energy/plan/least_energy.h"
#include "wavewright/energy/plan/rents.h"

namespace wavewright {

struct EnergyBound {
  MicroJoules energy = 0;
  SlotPrices rents;  // the best ones without prices of time
  // mW that a slot asks of the tasks of a stage, by stage of LeastEnergy and by row: rent, and the price of
  // time where there are deadlines.
  std::vector<std::vector<double>> asked;
};

// None on a cluster of containers, or if no schedule is in time. About 2 · 10^8 steps or fewer.
[[nodiscard]] std::optional<EnergyBound> energy_bound(const Workload& workload, const Cluster& cluster);
// `least`: of that workload and cluster.
[[nodiscard]] std::optional<EnergyBound> energy_bound(const LeastEnergy& least, const Cluster& cluster);

}  // namespace wavewright
