package wavewright.yarn;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * The nodes' locality markers under matchmaking, for the applications of one queue [UNL tables 4.1 and 4.2].
 *
 * <p>The scheduler walks over the queue for one container after another. A walk is a search for a map with its block on
 * the node, of whichever application. One in vain ends the node's heartbeat: it gets no map before its next one. If the
 * node's marker was 0, the walk goes over the queue a second time first, for one map from elsewhere. If not, the marker
 * becomes 0. A map with its block on the node makes it positive. An arrival clears all markers, and a cleared one is not 0.
 *
 * <p>All methods take constant time but `again`, which takes O(nodes that the walk looked at): one, unless YARN sorts nodes
 * (multi-node placement).
 */
final class LocalityMarkers {
  private static final long NOT_ZERO = -1;

  private static final class Node {
    long zeroSince = NOT_ZERO;  // the number of arrivals when its marker became 0
    long overAt = -1;  // the heartbeat that has ended for it
  }

  /** What this thread's walk has found. */
  private static final class Walk {
    /** Nodes at which an application let its offer go, and their heartbeats. */
    final Map<NodeId, Long> inVain = new LinkedHashMap<>();
    /** Those of them that take a map from elsewhere in the second round. Null in the first. */
    Map<NodeId, Long> open;
  }

  private final ThreadLocal<Walk> walks = new ThreadLocal<>();
  private final Map<NodeId, Node> nodes = new HashMap<>();
  private long arrivals;

  /** Clears all markers. */
  synchronized void arrived() {
    arrivals++;
  }

  /** This thread begins a walk. */
  void begin() {
    walks.remove();
  }

  /** The node gets no map, near or not, before its next heartbeat. */
  synchronized boolean isOver(SchedulerNode node) {
    Node its = nodes.get(node.getNodeID());
    return its != null && its.overAt == heartbeat(node);
  }

  /** This thread's walk is in its second round, and the node takes one map from elsewhere. */
  boolean takesOther(SchedulerNode node) {
    Walk walk = walks.get();
    if (walk == null || walk.open == null) {
      return false;
    }
    Long at = walk.open.get(node.getNodeID());
    return at != null && at == heartbeat(node);
  }

  /** An application has a map for the node, but no block there. */
  void passedOver(SchedulerNode node) {
    Walk walk = walks.get();
    if (walk == null) {
      walk = new Walk();
      walks.set(walk);
    }
    walk.inVain.put(node.getNodeID(), heartbeat(node));
  }

  /** A map with its block on the node started. */
  synchronized void foundNear(SchedulerNode node) {
    of(node.getNodeID()).zeroSince = NOT_ZERO;
  }

  /** A round of this thread's walk is over, and nothing was started. True if there is a second one. */
  boolean again() {
    Walk walk = walks.get();
    if (walk == null || walk.open != null) {
      walks.remove();
      return false;
    }
    walk.open = new LinkedHashMap<>();
    walk.inVain.forEach((node, at) -> {
      if (endHeartbeat(node, at)) {
        walk.open.put(node, at);
      }
    });
    if (walk.open.isEmpty()) {
      walks.remove();
    }
    return !walk.open.isEmpty();
  }

  /** True if the node's marker was 0. Another thread may have searched for it at the same heartbeat. */
  private synchronized boolean endHeartbeat(NodeId id, long at) {
    Node node = of(id);
    if (node.overAt == at) {
      return false;
    }
    node.overAt = at;
    boolean wasZero = node.zeroSince == arrivals;
    node.zeroSince = arrivals;
    return wasZero;
  }

  private Node of(NodeId id) {
    return nodes.computeIfAbsent(id, each -> new Node());
  }

  private static long heartbeat(SchedulerNode node) {
    return node.getLastHeartbeatMonotonicTime();
  }
}
