package wavewright.yarn;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.LeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ApplicationSchedulingConfig;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * An attempt of the capacity scheduler. It calls only methods with the same signature in Hadoop 3.3 and 3.4, so that one
 * jar serves both. No such method tells the context of the ResourceManager in Hadoop 3.3.0, but all have the same field.
 */
final class SchedulerAttempt implements Attempt {
  private static final String ALLOCATOR_SETTING = "yarn.scheduler.app-placement-allocator.class";

  private static final Field CONTEXT = contextField();

  private final SchedulerApplicationAttempt attempt;
  private final RMContext context;
  private final Set<String> tags;
  private final boolean mapReduce;

  SchedulerAttempt(SchedulerApplicationAttempt attempt) {
    this.attempt = attempt;
    context = contextOf(attempt);
    RMApp application = context.getRMApps().get(attempt.getApplicationId());
    Set<String> told = application == null ? null : application.getApplicationTags();
    tags = told == null ? Collections.<String>emptySet() : told;
    mapReduce = application != null && "MAPREDUCE".equals(application.getApplicationType());
    nameAllocator();
  }

  private static Field contextField() {
    try {
      Field field = SchedulerApplicationAttempt.class.getDeclaredField("rmContext");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException missing) {
      throw new IllegalStateException("this version of Hadoop is not supported: an attempt has no rmContext", missing);
    }
  }

  private static RMContext contextOf(SchedulerApplicationAttempt attempt) {
    try {
      return (RMContext) CONTEXT.get(attempt);
    } catch (IllegalAccessException refused) {
      throw new IllegalStateException("an attempt's rmContext cannot be read", refused);
    }
  }

  /**
   * Hadoop 3.3 does not read the setting, and takes the class from the environment of the application's master alone. Here
   * the setting is put there, before the master has asked for anything. An application that names one itself keeps it.
   */
  private void nameAllocator() {
    String ours = TargetPlacementAllocator.class.getName();
    if (ours.equals(context.getYarnConfiguration().get(ALLOCATOR_SETTING))) {
      attempt.getAppSchedulingInfo().getApplicationSchedulingEnvs()
          .putIfAbsent(ApplicationSchedulingConfig.ENV_APPLICATION_PLACEMENT_TYPE_CLASS, ours);
    }
  }

  @Override
  public Set<String> tags() {
    return tags;
  }

  @Override
  public boolean isMapReduce() {
    return mapReduce;
  }

  @Override
  public Collection<SchedulerRequestKey> keys() {
    return attempt.getSchedulerKeys();
  }

  @Override
  public int pending(SchedulerRequestKey key) {
    return attempt.getOutstandingAsksCount(key);
  }

  @Override
  public boolean isFiltered(SchedulerRequestKey key) {
    return (Object) attempt.getAppSchedulingInfo().getAppPlacementAllocator(key) instanceof TargetPlacementAllocator;
  }

  @Override
  public Map<ContainerId, RMContainer> live() {
    return attempt.getLiveContainersMap();
  }

  @Override
  public boolean hasReserved() {
    return !Resources.none().equals(attempt.getCurrentReservation());
  }

  @Override
  public Collection<RMContainer> reserved() {
    return attempt.getReservedContainers();
  }

  /** By the event with which YARN's own preemption does it. The scheduler looks whether it is still reserved. */
  @Override
  public void unreserve(RMContainer reserved) {
    context.getDispatcher().getEventHandler().handle(new ContainerPreemptEvent(attempt.getApplicationAttemptId(),
        reserved, SchedulerEventType.KILL_RESERVED_CONTAINER));
  }

  @Override
  public boolean isOrderedBy(Object policy) {
    Queue queue = attempt.getQueue();
    return !(queue instanceof LeafQueue) || (Object) ((LeafQueue) queue).getOrderingPolicy() == policy;
  }

  @Override
  public void missOpportunities(SchedulerRequestKey key, int count) {
    for (int missed = attempt.getSchedulingOpportunities(key); missed < count; missed++) {
      attempt.addSchedulingOpportunity(key);
    }
  }
}
