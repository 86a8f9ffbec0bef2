package wavewright.yarn;

import static org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType.NODE_LOCAL;
import static org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType.OFF_SWITCH;
import static org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType.RACK_LOCAL;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.junit.Test;

/** Waits of 3 s for a node, then of 2 s for a rack. Instants are worked out by hand from Algorithm 2. */
public class DelayTest {
  private final Delay delay = new Delay(3000, 2000);

  /** An offer at the instant at which nothing nearer than the level is open. */
  private boolean offer(double seconds, NodeType nearest) {
    long at = (long) (seconds * 1e9) - 7_000_000_000_000L;  // any origin
    if (delay.mayLaunch(Kind.MAP, nearest, null, at)) {
      delay.launched(Kind.MAP, nearest, null, at);
      return true;
    }
    delay.passedOver(Kind.MAP, null, at);
    return false;
  }

  @Test
  public void aWaitCountsFromTheFirstOfferThatIsLetGo() {
    assertEquals(false, offer(10, RACK_LOCAL));
    assertEquals(false, offer(12.999, RACK_LOCAL));
    assertEquals(true, offer(13, RACK_LOCAL));
  }

  @Test
  public void anyNodeComesAfterBothWaits() {
    assertEquals(false, offer(10, OFF_SWITCH));
    assertEquals(false, offer(13, OFF_SWITCH));
    assertEquals(false, offer(14.999, OFF_SWITCH));
    assertEquals(true, offer(15, OFF_SWITCH));
    assertEquals("its level is now any node", true, offer(15, OFF_SWITCH));
  }

  @Test
  public void aLaunchOnANodeOfItsBlockStartsAnew() {
    assertEquals(false, offer(10, OFF_SWITCH));
    assertEquals(true, offer(15, OFF_SWITCH));
    assertEquals(true, offer(15, NODE_LOCAL));
    assertEquals(false, offer(16, RACK_LOCAL));
    assertEquals(false, offer(18.999, RACK_LOCAL));
    assertEquals(true, offer(19, RACK_LOCAL));
  }

  @Test
  public void aLaunchInTheRackWaitsOnlyForTheRackAfterwards() {
    assertEquals(false, offer(10, RACK_LOCAL));
    assertEquals(true, offer(13, RACK_LOCAL));
    assertEquals(true, offer(13, RACK_LOCAL));
    assertEquals(false, offer(14, OFF_SWITCH));
    assertEquals(false, offer(15.999, OFF_SWITCH));
    assertEquals(true, offer(16, OFF_SWITCH));
    assertEquals(true, offer(16, RACK_LOCAL));
    assertEquals("back at the rack", false, offer(16, OFF_SWITCH));
  }

  @Test
  public void aNodeOfItsBlockIsTakenAtOnce() {
    assertEquals(true, offer(10, NODE_LOCAL));
    assertEquals(false, offer(10, RACK_LOCAL));
    assertEquals(true, offer(11, NODE_LOCAL));
    assertEquals("the launch ended the wait", false, offer(13.5, RACK_LOCAL));
    assertEquals(true, offer(16.5, RACK_LOCAL));
  }

  @Test
  public void reducesDoNotWait() {
    assertTrue(delay.mayLaunch(Kind.REDUCE, OFF_SWITCH, null, 0));
    delay.launched(Kind.REDUCE, OFF_SWITCH, null, 0);
    assertEquals("nor do they change the level of the maps", false, offer(1, OFF_SWITCH));
  }
}
