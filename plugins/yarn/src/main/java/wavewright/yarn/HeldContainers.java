package wavewright.yarn;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;

/**
 * How many containers of each kind an application holds: those that live, those that are newly allocated, and those that
 * are reserved. It follows the events that the scheduler tells, and counts anew where their sum is not that of the
 * attempt: the scheduler does not tell of containers that it recovers after a restart, nor when a reserved one is given.
 *
 * <p>Events set and remove by container, so that one that comes after a count changes nothing twice. O(1 + reserved) an
 * event and a question; O(containers) a count. It takes no lock of the scheduler's while it holds its own.
 */
final class HeldContainers {
  private final Attempt attempt;
  private final Map<ContainerId, Kind> kinds = new HashMap<>();
  private final Map<ContainerId, RMContainer> reserved = new HashMap<>();
  private final int[] counts = new int[Kind.values().length];
  private long walks;

  HeldContainers(Attempt attempt) {
    this.attempt = attempt;
    if (attempt.hasReserved()) {
      reconcile(attempt.reserved());
    }
  }

  static Kind kind(RMContainer container) {
    return Kind.of(container.getContainer().getPriority());
  }

  synchronized void allocated(RMContainer container) {
    if (container.getState() == RMContainerState.RESERVED) {
      reserved.put(container.getContainerId(), container);
    }
    set(container);
  }

  synchronized void released(RMContainer container) {
    reserved.remove(container.getContainerId());
    remove(container.getContainerId());
  }

  synchronized int count(Kind kind) {
    Map<ContainerId, RMContainer> live = attempt.live();
    if (!reserved.isEmpty()) {
      reserved.keySet().removeIf(live::containsKey);
    }
    if (kinds.size() - reserved.size() != live.size()) {
      walk(live);
    }
    return counts[kind.ordinal()];
  }

  /** Those of the kind that live: without the reserved ones. O(reserved). */
  synchronized int living(Kind kind) {
    int living = count(kind);
    for (ContainerId each : reserved.keySet()) {
      living -= kinds.get(each) == kind ? 1 : 0;
    }
    return living;
  }

  /** Those that are reserved, as far as events told. */
  synchronized boolean hasReserved() {
    return !reserved.isEmpty();
  }

  /** Makes the reserved ones those that the attempt has. The scheduler may drop one without an event. */
  synchronized void reconcile(Collection<RMContainer> now) {
    Set<ContainerId> ids = new HashSet<>();
    for (RMContainer each : now) {
      ids.add(each.getContainerId());
      reserved.put(each.getContainerId(), each);
      set(each);
    }
    Map<ContainerId, RMContainer> live = attempt.live();
    for (ContainerId each : reserved.keySet().toArray(new ContainerId[0])) {
      if (!ids.contains(each)) {
        reserved.remove(each);
        if (!live.containsKey(each)) {
          remove(each);
        }
      }
    }
  }

  /** How often it had to count anew. */
  synchronized long walks() {
    return walks;
  }

  private void walk(Map<ContainerId, RMContainer> live) {
    walks++;
    kinds.clear();
    Arrays.fill(counts, 0);
    live.values().forEach(this::set);
    reserved.values().forEach(this::set);
  }

  private void set(RMContainer container) {
    Kind kind = kind(container);
    remove(container.getContainerId());
    kinds.put(container.getContainerId(), kind);
    counts[kind.ordinal()]++;
  }

  private void remove(ContainerId id) {
    Kind before = kinds.remove(id);
    if (before != null) {
      counts[before.ordinal()]--;
    }
  }
}
