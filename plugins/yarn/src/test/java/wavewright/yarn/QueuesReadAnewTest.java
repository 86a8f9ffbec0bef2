package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.Test;

/** Queues that are read anew, in Hadoop's own ResourceManager in this process. */
public class QueuesReadAnewTest extends SchedulerFixture {
  /** A job that is held to three of the fifteen maps that it asks for. */
  private MockAM heldToThreeMaps(String more) throws Exception {
    start();
    node("a1", 20 * GB);
    MockAM a = job("a");
    ask(a, MAP, 15);
    tell("{'tag':'a','map_target':3" + more + "}");
    beat();
    assertEquals("3+0", held(a));
    return a;
  }

  private void readQueuesAnew() throws Exception {
    ((CapacityScheduler) manager.getResourceScheduler()).reinitialize(settings, manager.getRMContext());
  }

  @Test
  public void queuesThatAreReadAnewKeepTargetsAndCounts() throws Exception {
    MockAM a = heldToThreeMaps("");
    Object before = queue().getOrderingPolicy();
    readQueuesAnew();
    assertTrue(before != queue().getOrderingPolicy());
    beat();
    assertEquals("3+0", held(a));
    assertEquals(generation, source().current().generation);
    endOne(a, Kind.MAP);
    beat();
    assertEquals("3+0", held(a));
  }

  /** The plug-in is taken out while an application runs: its limit goes with it. */
  @Test
  public void aQueueThatHasAnotherPolicyLimitsNobody() throws Exception {
    MockAM a = heldToThreeMaps(",'placement':'matchmaking'");
    settings.set("yarn.scheduler.capacity.root.default.ordering-policy", "fifo");
    readQueuesAnew();
    beat();
    assertEquals("15+0", held(a));
  }
}
