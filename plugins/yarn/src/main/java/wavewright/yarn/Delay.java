package wavewright.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * Delay scheduling [Zaharia and others 2010, Algorithm 2]: an application whose turn it is but that has no block on the
 * node lets the others go first. After `nodeWait` it takes a node in a rack of its blocks, after `rackWait` more any node.
 * Each launch ends the wait. A launch in the rack may be followed by others in the rack at once, and by one on any node
 * after `rackWait`. A launch on a node with a block starts anew. A wait counts from the first offer that was let go after
 * the last launch. The simulator's placer `delay` has the same rule.
 */
final class Delay implements Placer {
  private final long nodeWaitNanos;
  private final long rackWaitNanos;
  private NodeType level = NodeType.NODE_LOCAL;
  private boolean waiting;
  private long sinceNanos;

  Delay(long nodeWaitMs, long rackWaitMs) {
    nodeWaitNanos = nodeWaitMs * 1_000_000;
    rackWaitNanos = rackWaitMs * 1_000_000;
  }

  @Override
  public synchronized boolean mayLaunch(Kind kind, NodeType wanted, SchedulerNode node, long nowNanos) {
    return kind != Kind.MAP || (waiting ? nowNanos - sinceNanos : 0) >= wait(wanted);
  }

  @Override
  public synchronized void passedOver(Kind kind, SchedulerNode node, long nowNanos) {
    if (kind == Kind.MAP && !waiting) {
      waiting = true;
      sinceNanos = nowNanos;
    }
  }

  @Override
  public synchronized void launched(Kind kind, NodeType at, SchedulerNode node, long nowNanos) {
    if (kind == Kind.MAP) {
      waiting = false;
      level = at;
    }
  }

  private long wait(NodeType wanted) {
    if (distance(wanted) <= distance(level)) {
      return 0;
    }
    long forRack = level == NodeType.NODE_LOCAL ? nodeWaitNanos : 0;
    return wanted == NodeType.RACK_LOCAL ? forRack : forRack + rackWaitNanos;
  }

  private static int distance(NodeType level) {
    switch (level) {
      case NODE_LOCAL:
        return 0;
      case RACK_LOCAL:
        return 1;
      default:
        return 2;
    }
  }
}
