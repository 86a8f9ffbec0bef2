package wavewright.yarn;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** What the plug-in asks of an application's running attempt. Tests have one of their own. */
interface Attempt {
  Set<String> tags();

  boolean isMapReduce();

  /** Keys of its requests, in the order in which YARN serves them. */
  Collection<SchedulerRequestKey> keys();

  /** Containers that are asked for and not given. Constant time. */
  int pending(SchedulerRequestKey key);

  /** Whether a TargetPlacementAllocator decides on requests with this key. */
  boolean isFiltered(SchedulerRequestKey key);

  /** Containers that were given and have not ended. Takes no lock; a concurrent map. */
  Map<ContainerId, RMContainer> live();

  /** Whether containers are reserved. Takes no lock of the attempt. */
  boolean hasReserved();

  /** Takes a lock of the attempt: not for a placement allocator, which YARN calls with another lock held. */
  Collection<RMContainer> reserved();

  /** Gives up a reservation. Does nothing to a container that runs. */
  void unreserve(RMContainer reserved);

  /** Whether its queue has this ordering policy now: queues that are read anew get another one. Takes no lock. */
  boolean isOrderedBy(Object policy);

  /** Makes the scheduler's own count of missed opportunities at least `count`. Takes no lock. */
  void missOpportunities(SchedulerRequestKey key, int count);
}
