package wavewright.yarn;

import org.apache.hadoop.yarn.api.records.Priority;

/** What a container is for, as the priority of its request tells in MapReduce [RMContainerAllocator]. */
enum Kind {
  MAP,
  REDUCE,
  /** Application masters, and all containers of applications that are not MapReduce. */
  OTHER;

  private static final int FAILED_MAP = 5;
  private static final int REDUCE_PRIORITY = 10;
  private static final int OPPORTUNISTIC_MAP = 19;
  private static final int MAP_PRIORITY = 20;

  static Kind of(Priority priority) {
    switch (priority.getPriority()) {
      case FAILED_MAP:
      case OPPORTUNISTIC_MAP:
      case MAP_PRIORITY:
        return MAP;
      case REDUCE_PRIORITY:
        return REDUCE;
      default:
        return OTHER;
    }
  }

  /** A map that runs again because an attempt failed. Reduces of its job wait for its output. */
  static boolean isFailedMap(Priority priority) {
    return priority.getPriority() == FAILED_MAP;
  }
}
