package wavewright.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * Chooses on which nodes the maps of one application start. Each application has one of its own, from the first document
 * that names it until the document names another.
 *
 * <p>An implementation promises to answer in constant time, not to block, and to be safe for several threads. `now` is a
 * monotonic clock's. It is asked only for requests that name nodes.
 */
interface Placer {
  /**
   * Whether the application, whose turn it is, may start a container of the kind on the node at this level. False lets
   * the offer go: the next application gets it.
   */
  boolean mayLaunch(Kind kind, NodeType level, SchedulerNode node, long nowNanos);

  /** The application lets go an offer that it could have taken at another level: the node has room for its container. */
  void passedOver(Kind kind, SchedulerNode node, long nowNanos);

  /** A container of the kind was given to the application at this level. */
  void launched(Kind kind, NodeType level, SchedulerNode node, long nowNanos);

  /** Whether a node without a block is left alone while the container does not fit: else YARN may reserve it. */
  default boolean needsRoom() {
    return false;
  }

  /**
   * The placer that a target names; null where it names none or one that this version does not know. `markers` are those
   * of the application's queue.
   */
  static Placer of(Target target, LocalityMarkers markers) {
    switch (String.valueOf(target.placement)) {
      case "delay":
        return new Delay(target.nodeWaitMs, target.rackWaitMs);
      case "matchmaking":
        return new Matchmaking(markers);
      default:
        return null;
    }
  }
}
