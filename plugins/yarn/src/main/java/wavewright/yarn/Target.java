package wavewright.yarn;

/** What a document of targets says of the applications with one tag. Immutable. */
final class Target {
  /** No limit. */
  static final int UNLIMITED = Integer.MAX_VALUE;
  /** The rank of an entry that names none: after all that do. */
  static final long UNRANKED = Long.MAX_VALUE - 1;

  final String tag;
  /** Lower first. */
  final long mapRank;
  final long reduceRank;
  /** The most containers of the kind that may be held, or UNLIMITED. With 0 none starts, and none that runs is ended. */
  final int maps;
  final int reduces;
  /** The name of a placer, or null. */
  final String placement;
  final long nodeWaitMs;
  final long rackWaitMs;

  Target(String tag, long mapRank, long reduceRank, int maps, int reduces, String placement, long nodeWaitMs,
      long rackWaitMs) {
    this.tag = tag;
    this.mapRank = mapRank;
    this.reduceRank = reduceRank;
    this.maps = maps;
    this.reduces = reduces;
    this.placement = placement;
    this.nodeWaitMs = nodeWaitMs;
    this.rackWaitMs = rackWaitMs;
  }

  long rank(Kind kind) {
    switch (kind) {
      case MAP:
        return mapRank;
      case REDUCE:
        return reduceRank;
      default:
        return Math.min(mapRank, reduceRank);
    }
  }

  int most(Kind kind) {
    switch (kind) {
      case MAP:
        return maps;
      case REDUCE:
        return reduces;
      default:
        return UNLIMITED;
    }
  }

  boolean samePlacement(Target other) {
    return java.util.Objects.equals(placement, other.placement) && nodeWaitMs == other.nodeWaitMs
        && rackWaitMs == other.rackWaitMs;
  }
}
