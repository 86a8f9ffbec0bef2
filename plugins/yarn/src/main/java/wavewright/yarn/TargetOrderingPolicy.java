package wavewright.yarn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Orders the applications of a queue by the ranks that Wavewright's daemon tells, maps and reduces apart, and holds each
 * to its current number of map and reduce containers.
 *
 * <p>The queue is offered steps, each an application with a kind, lowest rank first. Of equal ranks the application that
 * comes first in YARN's own order goes first, and of one application its reduces before its maps, as MapReduce ranks them.
 * Masters, and applications that are not MapReduce, go by the better rank of the two. Those that no entry names come last,
 * in YARN's own order and without limits. An application that holds its target of a kind is left out for that kind.
 * Nothing that runs is ever ended; a reservation above the target is given up.
 *
 * <p>While the daemon is silent, before its first document, with settings that cannot be right, and if anything here
 * fails, it is YARN's FifoOrderingPolicy.
 *
 * <p>YARN's iterator names applications only. With TargetPlacementAllocator as `yarn.scheduler.app-placement-allocator.class`
 * the kind of each step is kept. Without it YARN serves an application's requests in its own order, failed maps, reduces,
 * maps, so a step counts only if its kind is the one that YARN would serve next. Targets still hold. What is lost: an
 * application whose reduces wait and have reached their target gets no maps either, until reduces end or the target
 * rises; the kinds that the others get do not follow their ranks where an application waits for both; and placers do
 * nothing.
 *
 * <p>Ordering is O(n log n) once for a document or an arrival, not for each heartbeat. A step is O(requests of the
 * application), which are at most four for MapReduce.
 */
public class TargetOrderingPolicy<S extends SchedulableEntity> extends FifoOrderingPolicy<S> {
  private static final Log LOG = new Log();
  private static final Comparator<Offer<?>> BY_RANK = (a, b) -> Long.compare(a.rank, b.rank);

  /** The steps under one document, for the applications that were there at one version. */
  private static final class Order<S> {
    final Targets targets;
    final long version;
    final List<Offer<S>> steps;

    Order(Targets targets, long version, List<Offer<S>> steps) {
      this.targets = targets;
      this.version = version;
      this.steps = steps;
    }
  }

  private final Map<String, Application> applications = new ConcurrentHashMap<>();
  private final AtomicLong version = new AtomicLong();
  private final LocalityMarkers markers = new LocalityMarkers();
  private volatile TargetsSource source;
  private volatile Order<S> order;

  public TargetOrderingPolicy() {}

  /** For tests. */
  TargetOrderingPolicy(TargetsSource source) {
    this.source = source;
  }

  TargetsSource source() {
    return source;
  }

  Application application(S entity) {
    return applications.get(entity.getId());
  }

  @Override
  public void configure(Map<String, String> settings) {
    try {
      source = TargetsSource.shared(Settings.of(settings), this);
    } catch (RuntimeException e) {
      Log.error("TargetOrderingPolicy is first in, first out: " + e.getMessage());
    }
  }

  @Override
  public void addSchedulableEntity(S entity) {
    super.addSchedulableEntity(entity);
    arrive(entity);
  }

  @Override
  public void addAllSchedulableEntities(Collection<S> entities) {
    super.addAllSchedulableEntities(entities);
    entities.forEach(this::arrive);
  }

  @Override
  public boolean removeSchedulableEntity(S entity) {
    boolean found = super.removeSchedulableEntity(entity);
    if (entity != null) {
      Application gone = applications.remove(entity.getId());
      if (gone != null && entity instanceof SchedulerApplicationAttempt) {
        Application.remove(((SchedulerApplicationAttempt) entity).getApplicationAttemptId(), gone);
      }
      version.incrementAndGet();
    }
    return found;
  }

  private void arrive(S entity) {
    try {
      Attempt attempt = entity == null ? null : attempt(entity);
      if (attempt != null) {
        Application application = new Application(attempt, this, source, markers);
        applications.put(entity.getId(), application);
        if (entity instanceof SchedulerApplicationAttempt) {
          Application.put(((SchedulerApplicationAttempt) entity).getApplicationAttemptId(), application);
        }
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.once("arrive", "an application goes without targets", e);
    } finally {
      version.incrementAndGet();
    }
  }

  /** What the policy sees of an application; null where it can see nothing. */
  Attempt attempt(S entity) {
    return entity instanceof SchedulerApplicationAttempt
        ? new SchedulerAttempt((SchedulerApplicationAttempt) entity) : null;
  }

  @Override
  public void containerAllocated(S entity, RMContainer container) {
    super.containerAllocated(entity, container);
    try {
      Application application = applications.get(entity.getId());
      if (application != null) {
        application.held.allocated(container);
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.once("allocated", "a container was not counted", e);
    }
  }

  @Override
  public void containerReleased(S entity, RMContainer container) {
    super.containerReleased(entity, container);
    try {
      Application application = applications.get(entity.getId());
      if (application != null) {
        application.held.released(container);
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.once("released", "a container was not counted", e);
    }
  }

  @Override
  public Iterator<S> getAssignmentIterator(IteratorSelector selector) {
    Offer.end();
    markers.begin();
    Iterator<S> fifo = super.getAssignmentIterator(selector);
    try {
      Targets targets = source == null ? null : source.current();
      return targets == null ? fifo : new Steps(targets, order(targets).steps);
    } catch (RuntimeException | LinkageError e) {
      LOG.once("order", "applications could not be ordered: first in, first out", e);
      return fifo;
    }
  }

  /** Those of the highest rank first: they give way to other queues first. */
  @Override
  public Iterator<S> getPreemptionIterator() {
    Iterator<S> fifo = super.getPreemptionIterator();
    try {
      Targets targets = source == null ? null : source.current();
      if (targets == null) {
        return fifo;
      }
      List<Offer<S>> steps = order(targets).steps;
      List<S> entities = new ArrayList<>();
      for (int i = steps.size() - 1; i >= 0; i--) {
        Kind kind = steps.get(i).kind;
        if (kind == null || kind == Kind.OTHER) {
          entities.add(steps.get(i).entity);
        }
      }
      return entities.iterator();
    } catch (RuntimeException | LinkageError e) {
      LOG.once("preemption", "applications could not be ordered: last in, first out", e);
      return fifo;
    }
  }

  private Order<S> order(Targets targets) {
    Order<S> now = order;
    long current = version.get();
    if (now == null || now.targets != targets || now.version != current) {
      now = new Order<>(targets, current, steps(targets));
      order = now;
    }
    return now;
  }

  private List<Offer<S>> steps(Targets targets) {
    List<Offer<S>> steps = new ArrayList<>();
    for (S entity : schedulableEntities) {
      Application application = applications.get(entity.getId());
      Target target = application == null ? null : application.target(targets);
      if (target == null) {
        steps.add(new Offer<>(entity, null, null, Long.MAX_VALUE));
      } else if (!application.attempt.isMapReduce()) {
        steps.add(new Offer<>(entity, application, null, target.rank(Kind.OTHER)));
      } else {
        steps.add(new Offer<>(entity, application, Kind.OTHER, target.rank(Kind.OTHER)));
        steps.add(new Offer<>(entity, application, Kind.REDUCE, target.reduceRank));
        steps.add(new Offer<>(entity, application, Kind.MAP, target.mapRank));
      }
    }
    steps.sort(BY_RANK);  // stable: YARN's order stays among equal ranks
    return steps;
  }

  /** Whether the scheduler may go on with this step. */
  private boolean takes(Offer<S> step, Targets targets) {
    if (step.kind == null) {
      return true;
    }
    Application application = step.application;
    Target target = application.target(targets);
    if (application.held.hasReserved() || application.attempt.hasReserved()) {
      application.keepReserved(target, step.kind);
    }
    // First what costs least: in a cluster with room most applications are at their targets, and have their masters.
    if (!application.hasRoom(target, step.kind) || step.kind == Kind.OTHER && application.held.living(Kind.OTHER) > 0) {
      return false;
    }
    SchedulerRequestKey next = nextKey(application.attempt);
    if (next == null) {
      return false;
    }
    return application.attempt.isFiltered(next)
        ? application.hasPending(step.kind) : Kind.of(next.getPriority()) == step.kind;
  }

  private static SchedulerRequestKey nextKey(Attempt attempt) {
    for (SchedulerRequestKey key : attempt.keys()) {
      if (attempt.pending(key) > 0) {
        return key;
      }
    }
    return null;
  }

  @Override
  public String getInfo() {
    return source == null ? "FifoOrderingPolicy" : source.describe();
  }

  @Override
  public String getConfigName() {
    return TargetOrderingPolicy.class.getName();
  }

  private static boolean isOfMatchmaking(Offer<?> step) {
    return step.kind == Kind.MAP && step.application.placer() instanceof Matchmaking;
  }

  /**
   * Walks the steps that may go on; the one given last is this thread's offer. Where matchmaking lets a node take a map
   * from elsewhere, the maps have a second round.
   */
  private final class Steps implements Iterator<S> {
    private final Targets targets;
    private final List<Offer<S>> all;
    private Iterator<Offer<S>> steps;
    private boolean secondRound;
    private Offer<S> next;

    Steps(Targets targets, List<Offer<S>> all) {
      this.targets = targets;
      this.all = all;
      steps = all.iterator();
    }

    private boolean hasStep() {
      try {
        if (!steps.hasNext() && markers.again()) {
          secondRound = true;
          steps = all.iterator();
        }
      } catch (RuntimeException | LinkageError e) {
        LOG.once("markers", "matchmaking could not be asked: no map from elsewhere", e);
      }
      return steps.hasNext();
    }

    @Override
    public boolean hasNext() {
      while (next == null && hasStep()) {
        Offer<S> step = steps.next();
        try {
          next = (!secondRound || isOfMatchmaking(step)) && takes(step, targets) ? step : null;
        } catch (RuntimeException | LinkageError e) {
          LOG.once("step", "a target could not be looked at: the application goes on without", e);
          next = secondRound ? null : new Offer<>(step.entity, null, null, step.rank);
        }
      }
      if (next == null) {
        Offer.end();
      }
      return next != null;
    }

    @Override
    public S next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Offer<S> step = next;
      next = null;
      Offer.begin(step);
      return step.entity;
    }
  }
}
