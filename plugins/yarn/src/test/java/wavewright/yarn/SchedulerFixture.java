package wavewright.yarn;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.LeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.After;
import org.junit.Before;

/** Hadoop's own ResourceManager with its CapacityScheduler and the plug-in, in this process. */
public abstract class SchedulerFixture {
  static final int GB = 1024;
  static final int FAILED_MAP = 5;
  static final int REDUCE = 10;
  static final int MAP = 20;

  Documents documents;
  Configuration settings;
  MockRM manager;
  final List<MockNM> nodes = new ArrayList<>();
  long generation;

  @Before
  public void begin() throws Exception {
    documents = new Documents();
    settings = new YarnConfiguration();
    settings.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
    settings.set("yarn.scheduler.app-placement-allocator.class", TargetPlacementAllocator.class.getName());
    settings.set("yarn.scheduler.capacity.root.queues", "default");
    settings.set("yarn.scheduler.capacity.root.default.capacity", "100");
    settings.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    settings.set("yarn.scheduler.capacity.root.default.user-limit-factor", "10");
    settings.set("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "100");
    settings.set("yarn.scheduler.minimum-allocation-mb", "128");  // less than a container leaves room to reserve
    settings.set("yarn.scheduler.capacity.node-locality-delay", "40");
    String prefix = "yarn.scheduler.capacity.root.default.ordering-policy";
    settings.set(prefix, TargetOrderingPolicy.class.getName());
    documents.settings("poll-ms", "60000", "silent-after-ms", "60000")
        .forEach((name, value) -> settings.set(prefix + "." + name, value));
    // The nodes have names that no name server knows.
    settings.setBoolean("hadoop.security.token.service.use_ip", false);
    SecurityUtil.setConfiguration(settings);
    // Racks of nodes a1, a2, b1 ... by their first letter.
    settings.set("net.topology.node.switch.mapping.impl", Racks.class.getName());
  }

  /** A host's rack is its first letter. */
  public static final class Racks implements org.apache.hadoop.net.DNSToSwitchMapping {
    @Override
    public List<String> resolve(List<String> names) {
      List<String> racks = new ArrayList<>();
      names.forEach(name -> racks.add("/" + name.charAt(0)));
      return racks;
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
  }

  @After
  public void end() throws Exception {
    if (manager != null) {
      manager.stop();
    }
  }

  void start() throws Exception {
    manager = new MockRM(settings);
    Logger.getRootLogger().setLevel(Level.WARN);
    manager.start();
  }

  MockNM node(String host, int memory) throws Exception {
    MockNM node = manager.registerNode(host + ":1234", memory, 100);
    nodes.add(node);
    return node;
  }

  MockAM job(String tag) throws Exception {
    return application(tag, "MAPREDUCE");
  }

  MockAM application(String tag, String type) throws Exception {
    RMApp application = MockRMAppSubmitter.submit(manager, MockRMAppSubmissionData.Builder
        .createWithMemory(GB, manager).withAppName(tag).withUser("user").withQueue("default")
        .withAppType(type).withApplicationTags(Collections.singleton(tag)).build());
    return MockRM.launchAndRegisterAM(application, manager, nodes.get(0));
  }

  TargetsSource source() {
    return ((TargetOrderingPolicy<?>) queue().getOrderingPolicy()).source();
  }

  LeafQueue queue() {
    return (LeafQueue) ((CapacityScheduler) manager.getResourceScheduler()).getQueue("default");
  }

  void tell(String... entries) throws Exception {
    documents.write(++generation, entries);
    source().poll();
    assertEquals(generation, source().current().generation);
  }

  void ask(MockAM master, int priority, int count, String... hosts) throws Exception {
    List<ResourceRequest> requests = new ArrayList<>();
    for (String host : hosts) {
      requests.add(request(host, priority, count));
    }
    Arrays.stream(hosts).map(host -> "/" + host.charAt(0)).distinct()
        .forEach(rack -> requests.add(request(rack, priority, count)));
    requests.add(request(ResourceRequest.ANY, priority, count));
    master.allocate(requests, new ArrayList<>());
  }

  static ResourceRequest request(String place, int priority, int count) {
    return ResourceRequest.newInstance(org.apache.hadoop.yarn.api.records.Priority.newInstance(priority), place,
        org.apache.hadoop.yarn.api.records.Resource.newInstance(GB, 1), count);
  }

  void beat(MockNM... some) throws Exception {
    for (MockNM node : some.length > 0 ? Arrays.asList(some) : nodes) {
      node.nodeHeartbeat(true);
      manager.drainEvents();
    }
  }

  FiCaSchedulerApp attempt(MockAM master) {
    return ((CapacityScheduler) manager.getResourceScheduler()).getApplicationAttempt(master.getApplicationAttemptId());
  }

  /** By a walk over what the scheduler has. */
  int held(MockAM master, Kind kind) {
    int count = 0;
    for (RMContainer each : attempt(master).getLiveContainers()) {
      count += HeldContainers.kind(each) == kind ? 1 : 0;
    }
    return count;
  }

  String held(MockAM master) {
    return held(master, Kind.MAP) + "+" + held(master, Kind.REDUCE);
  }

  void endOne(MockAM master, Kind kind) throws Exception {
    for (RMContainer each : attempt(master).getLiveContainers()) {
      if (HeldContainers.kind(each) == kind) {
        release(master, each.getContainerId());
        return;
      }
    }
    throw new AssertionError("none to end");
  }

  void release(MockAM master, ContainerId id) throws Exception {
    master.allocate(new ArrayList<>(), new ArrayList<>());  // it learns of its containers
    master.allocate(new ArrayList<>(), Collections.singletonList(id));
    manager.drainEvents();
  }
}
