package wavewright.yarn;

import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * What the ordering policy and the placement allocator share about an attempt that a queue with the policy runs. YARN
 * makes both by class name, so they find each other through `of`.
 */
final class Application {
  /** The policies hold them. A policy that its queue has no more may go, with all of its own. */
  private static final Map<ApplicationAttemptId, WeakReference<Application>> ALL = new ConcurrentHashMap<>();

  /** The entry and the placer under one document of targets. */
  private static final class Ruling {
    final Targets targets;
    final Target target;
    final Placer placer;

    Ruling(Targets targets, Target target, Placer placer) {
      this.targets = targets;
      this.target = target;
      this.placer = placer;
    }
  }

  final Attempt attempt;
  final HeldContainers held;
  private final Object policy;
  private final LocalityMarkers markers;  // of the queue
  private final Set<ContainerId> givenUp = ConcurrentHashMap.newKeySet();
  private volatile TargetsSource source;
  private volatile Ruling ruling = new Ruling(null, null, null);

  Application(Attempt attempt, Object policy, TargetsSource source, LocalityMarkers markers) {
    this.attempt = attempt;
    this.policy = policy;
    this.source = source;
    this.markers = markers;
    held = new HeldContainers(attempt);
  }

  /** The attempt under a policy of this plug-in, or null where its queue has another policy. */
  static Application of(ApplicationAttemptId id) {
    WeakReference<Application> known = ALL.get(id);
    Application application = known == null ? null : known.get();
    return application != null && application.attempt.isOrderedBy(application.policy) ? application : null;
  }

  static void put(ApplicationAttemptId id, Application application) {
    ALL.values().removeIf(each -> each.get() == null);
    ALL.put(id, new WeakReference<>(application));
  }

  /** Removes it, unless another policy has put its own there since: the queues were read anew. */
  static void remove(ApplicationAttemptId id, Application application) {
    ALL.computeIfPresent(id, (same, known) -> known.get() == application ? null : known);
  }

  /** Its entry in the targets in force, or null: no document is in force, or none names it. */
  Target target() {
    TargetsSource from = source;
    Targets targets = from == null ? null : from.current();
    return targets == null ? null : under(targets).target;
  }

  Target target(Targets targets) {
    return under(targets).target;
  }

  /** The placer under the targets in force, or null. */
  Placer placer() {
    TargetsSource from = source;
    Targets targets = from == null ? null : from.current();
    return targets == null ? null : under(targets).placer;
  }

  private Ruling under(Targets targets) {
    Ruling now = ruling;
    return now.targets == targets ? now : rule(targets);
  }

  /** The placer stays, with what it remembers, as long as documents name the same one. */
  private synchronized Ruling rule(Targets targets) {
    Ruling now = ruling;
    if (now.targets != targets) {
      Target target = targets.of(attempt.tags());
      Placer placer = null;
      if (target != null && attempt.isMapReduce()) {
        boolean same = now.target != null && target.samePlacement(now.target);
        placer = same ? now.placer : Placer.of(target, markers);
      }
      now = new Ruling(targets, target, placer);
      ruling = now;
    }
    return now;
  }

  /**
   * Whether a container of the kind may be added under the target. It may take the place of a reservation, which the
   * scheduler then drops: whoever waits for one node may start on another.
   */
  boolean hasRoom(Target target, Kind kind) {
    int most = target.most(kind);
    return most == Target.UNLIMITED || held.living(kind) < most;
  }

  /** Whether there is room for it beside all that is reserved. */
  boolean hasRoomBesideReserved(Target target, Kind kind) {
    int most = target.most(kind);
    return most == Target.UNLIMITED || held.count(kind) < most;
  }

  boolean hasPending(Kind kind) {
    for (SchedulerRequestKey key : attempt.keys()) {
      if (Kind.of(key.getPriority()) == kind && attempt.pending(key) > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives up reservations of the kind above the target: they would start, and they keep nodes from the others. The
   * scheduler does it later, in its own thread, and is asked once.
   */
  void keepReserved(Target target, Kind kind) {
    Collection<RMContainer> reserved = attempt.reserved();
    held.reconcile(reserved);
    if (reserved.isEmpty()) {
      givenUp.clear();
      return;
    }
    int most = target.most(kind);
    int above = most == Target.UNLIMITED ? 0 : held.count(kind) - most;
    for (RMContainer each : reserved) {
      if (above > 0 && HeldContainers.kind(each) == kind) {
        above--;
        if (givenUp.add(each.getContainerId())) {
          attempt.unreserve(each);
        }
      }
    }
  }
}
