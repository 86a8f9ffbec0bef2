package wavewright.yarn;

import java.util.Iterator;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Gives an application containers only of the kind that its turn is for, only up to the target, and only where its placer
 * lets it start. One instance stands for the requests of one attempt with one priority. All else is YARN's own; so is
 * everything for applications in queues without TargetOrderingPolicy, for those that no entry names, and while the daemon
 * is silent.
 *
 * <p>YARN asks in this order, in one thread: `getPreferredNodeIterator`; `precheckNode`, unless the node is reserved for
 * the request; `canDelayTo` the rack, then anywhere; and when a container is about to be given, perhaps in another
 * thread, `canAllocate`, then `allocate`. Where a placer rules, YARN's own count of missed opportunities
 * (`node-locality-delay`) is made to agree, so that the two waits do not add up.
 *
 * <p>YARN holds a lock of the request table in most of these calls. Nothing here takes a lock of the attempt.
 */
public class TargetPlacementAllocator<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {
  private static final Log LOG = new Log();
  private static final ThreadLocal<Check> CHECK = new ThreadLocal<>();

  /** A monotonic clock, ns. Tests have one of their own. */
  static volatile LongSupplier clock = System::nanoTime;

  /** The node that this thread looks at for an allocator whose requests a placer rules. */
  private static final class Check {
    final TargetPlacementAllocator<?> allocator;
    final Placer placer;
    final SchedulerNode node;

    Check(TargetPlacementAllocator<?> allocator, Placer placer, SchedulerNode node) {
      this.allocator = allocator;
      this.placer = placer;
      this.node = node;
    }
  }

  @Override
  public Iterator<N> getPreferredNodeIterator(CandidateNodeSet<N> candidates) {
    CHECK.remove();
    return super.getPreferredNodeIterator(candidates);
  }

  @Override
  public boolean precheckNode(SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> diagnostics) {
    CHECK.remove();
    if (!super.precheckNode(node, mode, diagnostics)) {
      return false;
    }
    try {
      return admits(node);
    } catch (RuntimeException | LinkageError e) {
      LOG.once("precheck", "a request could not be checked: it goes on", e);
      return true;
    }
  }

  private boolean admits(SchedulerNode node) {
    Kind kind = kind();
    Application application = application();
    Target target = application == null ? null : application.target();
    if (target == null || !application.attempt.isMapReduce() || kind == Kind.OTHER) {
      return true;
    }
    // Reduces of the job wait for a failed map, so it may use their turn.
    boolean turn = Offer.allows(application, kind)
        || Kind.isFailedMap(schedulerRequestKey.getPriority()) && Offer.allows(application, Kind.REDUCE);
    if (!turn || !application.hasRoom(target, kind)) {
      return false;
    }
    // In place of a reservation it may start here, but not wait here, too.
    if (!application.hasRoomBesideReserved(target, kind) && !fits(node)) {
      return false;
    }
    Placer placer = application.placer();
    if (placer == null || !namesNodes()) {
      return true;
    }
    NodeType nearest = nearest(node);
    boolean fits = fits(node);
    if (nearest != NodeType.NODE_LOCAL && placer.needsRoom() && !fits) {
      return false;
    }
    long now = clock.getAsLong();
    if (!placer.mayLaunch(kind, nearest, node, now)) {
      if (fits) {  // else it lets nothing go
        placer.passedOver(kind, node, now);
      }
      return false;
    }
    CHECK.set(new Check(this, placer, node));
    if (nearest == NodeType.RACK_LOCAL) {
      application.attempt.missOpportunities(schedulerRequestKey, ownDelay());
    }
    return true;
  }

  /** The nearest level at which a request is open for the node. */
  private NodeType nearest(SchedulerNode node) {
    if (getOutstandingAsksCount(node.getNodeName()) > 0) {
      return NodeType.NODE_LOCAL;
    }
    return getOutstandingAsksCount(node.getRackName()) > 0 ? NodeType.RACK_LOCAL : NodeType.OFF_SWITCH;
  }

  private boolean fits(SchedulerNode node) {
    Resource asked = getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
    return Resources.fitsIn(asked, node.getUnallocatedResource());
  }

  private boolean namesNodes() {
    return super.getUniqueLocationAsks() > 1;
  }

  /** The missed opportunities after which YARN itself takes a node of the rack [RegularContainerAllocator.canAssign]. */
  private int ownDelay() {
    int nodes = rmContext.getScheduler().getNumClusterNodes();
    if (rmContext.getScheduler() instanceof CapacityScheduler) {
      CapacitySchedulerConfiguration settings = ((CapacityScheduler) rmContext.getScheduler()).getConfiguration();
      nodes = Math.min(nodes, settings.getNodeLocalityDelay());
    }
    return nodes + 1;
  }

  @Override
  public boolean canDelayTo(String resourceName) {
    if (!super.canDelayTo(resourceName)) {
      return false;
    }
    try {
      Check check = CHECK.get();
      if (check == null || check.allocator != this) {
        return true;
      }
      NodeType level = ResourceRequest.ANY.equals(resourceName) ? NodeType.OFF_SWITCH : NodeType.RACK_LOCAL;
      return check.placer.mayLaunch(kind(), level, check.node, clock.getAsLong());
    } catch (RuntimeException | LinkageError e) {
      LOG.once("delay", "a placer could not be asked: the request goes on", e);
      return true;
    }
  }

  /** With 1 YARN does not wait for a nearer node by its own count. */
  @Override
  public int getUniqueLocationAsks() {
    Check check = CHECK.get();
    return check != null && check.allocator == this ? 1 : super.getUniqueLocationAsks();
  }

  /** The last word before a container is given: several threads may have looked for nodes at once. */
  @Override
  public boolean canAllocate(NodeType type, SchedulerNode node) {
    if (!super.canAllocate(type, node)) {
      return false;
    }
    try {
      Kind kind = kind();
      Application application = application();
      Target target = application == null ? null : application.target();
      if (target == null || !application.attempt.isMapReduce() || target.most(kind) == Target.UNLIMITED) {
        return true;
      }
      return isReservedHere(node) ? application.held.count(kind) <= target.most(kind) : application.hasRoom(target, kind);
    } catch (RuntimeException | LinkageError e) {
      LOG.once("allocate", "a target could not be looked at: the request goes on", e);
      return true;
    }
  }

  /** Whether what is about to be given is counted already, as a reservation. */
  private boolean isReservedHere(SchedulerNode node) {
    RMContainer reserved = node.getReservedContainer();
    return reserved != null && schedulerRequestKey.equals(reserved.getReservedSchedulerKey())
        && appSchedulingInfo.getApplicationAttemptId().equals(reserved.getApplicationAttemptId());
  }

  @Override
  public ContainerRequest allocate(SchedulerRequestKey key, NodeType type, SchedulerNode node) {
    boolean names = namesNodes();
    ContainerRequest request = super.allocate(key, type, node);
    try {
      Application application = application();
      Placer placer = application == null || !names ? null : application.placer();
      if (placer != null) {
        placer.launched(kind(), type, node, clock.getAsLong());
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.once("launched", "a placer could not be told of a launch", e);
    }
    return request;
  }

  private Kind kind() {
    return Kind.of(schedulerRequestKey.getPriority());
  }

  private Application application() {
    return Application.of(appSchedulingInfo.getApplicationAttemptId());
  }
}
