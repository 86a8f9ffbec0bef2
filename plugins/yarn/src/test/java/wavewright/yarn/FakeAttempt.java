package wavewright.yarn;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** An attempt that is nothing but its requests and containers. */
class FakeAttempt implements Attempt, SchedulableEntity {
  final String name;
  final int arrival;
  Set<String> tags;
  boolean mapReduce = true;
  boolean filtered = true;
  final Map<SchedulerRequestKey, Integer> asks = new TreeMap<>();
  final Map<ContainerId, RMContainer> live = new ConcurrentHashMap<>();
  final List<RMContainer> reserved = new ArrayList<>();
  final List<RMContainer> unreserved = new ArrayList<>();
  private int containers;

  FakeAttempt(int arrival, String name) {
    this.arrival = arrival;
    this.name = name;
    tags = Collections.singleton(name);
  }

  static SchedulerRequestKey key(int priority) {
    return new SchedulerRequestKey(Priority.newInstance(priority), -1, null);
  }

  FakeAttempt ask(int priority, int count) {
    asks.put(key(priority), count);
    return this;
  }

  RMContainer container(int priority, RMContainerState state) {
    ContainerId id = ContainerId.newContainerId(
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, arrival), 1), ++containers);
    Container container = Container.newInstance(id, NodeId.newInstance("n", 1), "", Resource.newInstance(1, 1),
        Priority.newInstance(priority), null);
    RMContainer made = mock(RMContainer.class);
    when(made.getContainerId()).thenReturn(id);
    when(made.getContainer()).thenReturn(container);
    when(made.getState()).thenReturn(state);
    return made;
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
    return asks.keySet();
  }

  @Override
  public int pending(SchedulerRequestKey key) {
    return asks.get(key);
  }

  @Override
  public boolean isFiltered(SchedulerRequestKey key) {
    return filtered;
  }

  @Override
  public Map<ContainerId, RMContainer> live() {
    return live;
  }

  @Override
  public boolean hasReserved() {
    return !reserved.isEmpty();
  }

  @Override
  public Collection<RMContainer> reserved() {
    return reserved;
  }

  @Override
  public void unreserve(RMContainer container) {
    unreserved.add(container);
  }

  @Override
  public boolean isOrderedBy(Object policy) {
    return true;
  }

  @Override
  public void missOpportunities(SchedulerRequestKey key, int count) {}

  @Override
  public String getId() {
    return name;
  }

  @Override
  public int compareInputOrderTo(SchedulableEntity other) {
    return Integer.compare(arrival, ((FakeAttempt) other).arrival);
  }

  @Override
  public ResourceUsage getSchedulingResourceUsage() {
    return new ResourceUsage();
  }

  @Override
  public Priority getPriority() {
    return Priority.newInstance(0);
  }

  @Override
  public boolean isRecovering() {
    return false;
  }

  @Override
  public String getPartition() {
    return "";
  }

  @Override
  public long getStartTime() {
    return arrival;
  }
}
