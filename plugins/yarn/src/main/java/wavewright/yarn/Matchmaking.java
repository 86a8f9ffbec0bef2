package wavewright.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * Matchmaking [UNL §4.3]: a node takes only maps whose blocks it holds, of whichever application, until it finds none at
 * two heartbeats in a row. Then it takes one other map, of the first application that has one, and no more at that
 * heartbeat. The simulator's placer `matchmaking` has the same rule.
 *
 * <p>An application arrives when its first maps are offered a node: before, it has told no blocks. Only nodes with room
 * are searched.
 */
final class Matchmaking implements Placer {
  private final LocalityMarkers markers;
  private boolean arrived;

  Matchmaking(LocalityMarkers markers) {
    this.markers = markers;
  }

  @Override
  public boolean needsRoom() {
    return true;
  }

  @Override
  public boolean mayLaunch(Kind kind, NodeType level, SchedulerNode node, long nowNanos) {
    if (kind != Kind.MAP) {
      return true;
    }
    arrive();
    return markers.takesOther(node) || level == NodeType.NODE_LOCAL && !markers.isOver(node);
  }

  private synchronized void arrive() {
    if (!arrived) {
      arrived = true;
      markers.arrived();
    }
  }

  @Override
  public void passedOver(Kind kind, SchedulerNode node, long nowNanos) {
    if (kind == Kind.MAP && !markers.isOver(node)) {
      markers.passedOver(node);
    }
  }

  @Override
  public void launched(Kind kind, NodeType level, SchedulerNode node, long nowNanos) {
    if (kind == Kind.MAP && level == NodeType.NODE_LOCAL) {
      markers.foundNear(node);
    }
  }
}
