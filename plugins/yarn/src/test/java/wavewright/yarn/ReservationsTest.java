package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.junit.Test;

/** Reservations in Hadoop's own CapacityScheduler: what a queue has room for, but no single node. */
public class ReservationsTest extends SchedulerFixture {
  @Test
  public void aReservationAboveTheTargetIsGivenUp() throws Exception {
    start();
    node("a1", 5 * GB);
    MockAM a = job("a"), b = job("b");
    node("a2", 5 * GB / 2);
    node("a3", 3 * GB / 4);
    ask(b, MAP, 5);
    tell("{'tag':'a','map_rank':2,'map_target':2}", "{'tag':'b','map_rank':1}");
    beat();
    assertEquals("5+0", held(b));
    // The room left is that of a container, but not on one node: a reserves a2.
    ask(a, MAP, 5);
    beat();
    assertEquals(1, attempt(a).getReservedContainers().size());
    tell("{'tag':'a','map_rank':2,'map_target':0}", "{'tag':'b','map_rank':1}");
    beat();
    beat();
    assertEquals(0, attempt(a).getReservedContainers().size());
    endOne(b, Kind.MAP);
    beat();
    assertEquals("0+0", held(a));
    // A reservation within the target becomes a container.
    tell("{'tag':'a','map_rank':2,'map_target':2}", "{'tag':'b','map_rank':1}");
    beat();
    assertEquals("1+0", held(a));
    while (held(b, Kind.MAP) > 0) {
      endOne(b, Kind.MAP);
      beat();
    }
    assertEquals("2+0", held(a));
    beat();
    assertEquals("2+0", held(a));
    assertEquals(0, attempt(a).getReservedContainers().size());
  }

  /** Half a container is free on each of two nodes: whoever wants one more reserves the first node. */
  private MockAM fill() throws Exception {
    start();
    node("a1", 5 * GB / 2);
    MockAM a = job("a");
    node("a2", 3 * GB / 2);
    ask(a, MAP, 2);
    beat();
    assertEquals("2+0", held(a));
    return a;
  }

  private void endOneOn(MockAM master, MockNM node) throws Exception {
    for (RMContainer each : attempt(master).getLiveContainers()) {
      if (each.getAllocatedNode().equals(node.getNodeId())) {
        release(master, each.getContainerId());
        return;
      }
    }
    throw new AssertionError("none to end");
  }

  @Test
  public void aMasterThatWaitsForOneNodeStartsOnAnother() throws Exception {
    MockAM a = fill();
    RMApp application = MockRMAppSubmitter.submit(manager, MockRMAppSubmissionData.Builder
        .createWithMemory(GB, manager).withAppName("b").withUser("user").withQueue("default").withAppType("MAPREDUCE")
        .withApplicationTags(java.util.Collections.singleton("b")).build());
    FiCaSchedulerApp b = ((CapacityScheduler) manager.getResourceScheduler())
        .getApplicationAttempt(application.getCurrentAppAttempt().getAppAttemptId());
    tell("{'tag':'a','map_rank':1}", "{'tag':'b','map_rank':2}");
    beat(nodes.get(0));
    assertEquals(1, b.getReservedContainers().size());
    endOneOn(a, nodes.get(1));
    beat(nodes.get(1));
    assertEquals("it starts where there is room", 1, b.getLiveContainers().size());
    assertEquals(nodes.get(1).getNodeId(), b.getLiveContainers().iterator().next().getAllocatedNode());
    assertNotNull(application.getCurrentAppAttempt().getMasterContainer());
    beat();
    assertEquals("and waits no longer", 0, b.getReservedContainers().size());
  }

  @Test
  public void aContainerTakesThePlaceOfItsReservationUnderTheTarget() throws Exception {
    MockAM a = fill();
    ask(a, MAP, 5);
    tell("{'tag':'a','map_rank':1,'map_target':3}");
    beat();
    beat();
    assertEquals("2+0", held(a));
    assertEquals("one is reserved, and no second", 1, attempt(a).getReservedContainers().size());
    MockNM more = node("a3", GB);
    beat(more);
    assertEquals("3+0", held(a));
    for (int i = 0; i < 3; i++) {
      beat();
      assertEquals("3+0", held(a));
    }
    assertEquals(0, attempt(a).getReservedContainers().size());
    endOneOn(a, more);
    beat();
    assertEquals("3+0", held(a));
  }

  @Test
  public void aReservationThatFillsTheTargetIsTheOnlyOne() throws Exception {
    MockAM a = fill();
    node("a3", 3 * GB / 2);
    node("a4", 3 * GB / 2);
    ask(a, MAP, 2);
    beat();
    assertEquals("4+0", held(a));
    ask(a, MAP, 5);
    tell("{'tag':'a','map_rank':1,'map_target':5}");
    for (int i = 0; i < 3; i++) {
      for (MockNM node : nodes) {
        beat(node);
        assertEquals(1, attempt(a).getReservedContainers().size());
      }
    }
  }
}
