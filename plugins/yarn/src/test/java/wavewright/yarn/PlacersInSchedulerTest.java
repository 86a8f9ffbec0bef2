package wavewright.yarn;

import static org.junit.Assert.assertEquals;

import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.Test;

/** Delay and Matchmaking in Hadoop's own ResourceManager, with its CapacityScheduler, in this process. */
public class PlacersInSchedulerTest extends SchedulerFixture {
  @Test
  public void delayWaitsForTheNodeThenForTheRack() throws Exception {
    start();
    MockNM a1 = node("a1", 8 * GB), a2 = node("a2", 8 * GB), b1 = node("b1", 8 * GB);
    MockAM a = job("a");
    String entry = "{'tag':'a','placement':'delay','node_wait_ms':500,'rack_wait_ms':500}";
    tell(entry);
    ask(a, MAP, 3, "a1");
    beat(b1, a2);
    assertEquals("no other node at once", "0+0", held(a));
    tell(entry.replace("}", ",'map_target':9}"));
    Thread.sleep(300);
    beat(a2, b1);
    assertEquals("nor before the wait is over, though a document came", "0+0", held(a));
    Thread.sleep(250);
    beat(b1);
    assertEquals("then in the rack only", "0+0", held(a));
    tell(entry.replace("}", ",'map_target':1}"));
    beat(a2);
    assertEquals("in the rack, whatever YARN's own count says", "1+0", held(a));
    tell(entry.replace("}", ",'map_target':2}"));
    beat(b1);
    assertEquals("0+0 elsewhere", 1, held(a, Kind.MAP));
    Thread.sleep(550);
    beat(b1);
    assertEquals("after the second wait anywhere", "2+0", held(a));
    tell(entry);
    beat(a1);
    assertEquals("3+0", held(a));
    assertEquals("node a1", 2, manager.getResourceScheduler().getSchedulerNode(a1.getNodeId()).getNumContainers());
  }

  @Test
  public void aWaitDoesNotBeginAtANodeWithoutRoom() throws Exception {
    start();
    node("a1", 2 * GB);  // for the masters
    MockNM b1 = node("b1", GB + 512);
    MockAM a = job("a"), x = job("x");
    tell("{'tag':'a','placement':'delay','node_wait_ms':500,'rack_wait_ms':0}");
    ask(x, MAP, 1);
    beat(b1);
    assertEquals("1+0", held(x));
    ask(a, MAP, 1, "a1");
    beat(b1);  // 512 MiB are free
    Thread.sleep(600);
    endOne(x, Kind.MAP);
    beat(b1);
    assertEquals("it waits from now on", "0+0", held(a));
    Thread.sleep(600);
    beat(b1);
    assertEquals("1+0", held(a));
  }

  @Test
  public void delayDoesNotHoldBackWhatNamesNoNode() throws Exception {
    start();
    node("a1", 8 * GB);
    MockAM a = job("a");
    tell("{'tag':'a','placement':'delay','node_wait_ms':600000,'rack_wait_ms':600000}");
    ask(a, MAP, 2);
    ask(a, REDUCE, 2);
    beat();
    assertEquals("2+2", held(a));
  }

  @Test
  public void matchmakingTakesNearMapsOfAnyJobAndThenOneFromElsewhere() throws Exception {
    start();
    MockNM a1 = node("a1", 5 * GB), b1 = node("b1", 4 * GB);
    MockAM a = job("a"), b = job("b"), c = job("c");  // their masters are on a1
    tell("{'tag':'a','map_rank':1,'placement':'matchmaking'}", "{'tag':'b','map_rank':2,'placement':'matchmaking'}",
        "{'tag':'c','map_rank':3,'placement':'matchmaking'}");
    ask(a, MAP, 9, "a1");
    ask(b, MAP, 1, "b1");
    nextBeat(b1);
    assertEquals("near maps only, of the second job", "0+0", held(a));
    assertEquals("1+0", held(b));
    nextBeat(b1);
    assertEquals("one from elsewhere, though two places are free still", "1+0", held(a));
    beat(a1);
    assertEquals("3+0", held(a));
    ask(c, MAP, 1, "a1");
    nextBeat(b1);
    assertEquals("an arrival clears the marker", "3+0", held(a));
    nextBeat(b1);
    assertEquals("4+0", held(a));
  }

  @Test
  public void matchmakingTakesNoPartInOtherApplicationsAndKinds() throws Exception {
    start();
    MockNM b1 = node("b1", 9 * GB);
    MockAM a = job("a"), d = job("d"), x = job("x");
    tell("{'tag':'a','map_rank':1,'placement':'matchmaking'}",
        "{'tag':'d','map_rank':2,'placement':'delay','node_wait_ms':600000,'rack_wait_ms':0}");
    ask(a, MAP, 2, "a1");
    ask(a, REDUCE, 2);
    ask(d, MAP, 2, "a1");
    for (int i = 0; i < 3; i++) {
      nextBeat(b1);
    }
    assertEquals("2+2", held(a));
    assertEquals("delay waits on in the second round", "0+0", held(d));
    ask(x, MAP, 2);
    beat(b1);
    assertEquals("no entry names it", "2+0", held(x));
  }

  @Test
  public void matchmakingSearchesNoNodeWithoutRoom() throws Exception {
    start();
    MockNM a1 = node("a1", GB + GB / 2), b1 = node("b1", GB);
    MockAM a = job("a");  // its master leaves half of the room for a map
    tell("{'tag':'a','placement':'matchmaking'}");
    ask(a, MAP, 2, "b1");
    for (int i = 0; i < 3; i++) {
      nextBeat(a1);
    }
    assertEquals(0, attempt(a).getReservedContainers().size());
    beat(b1);
    assertEquals("1+0", held(a));
  }

  /** Heartbeats are told apart by the millisecond. */
  private void nextBeat(MockNM node) throws Exception {
    Thread.sleep(2);
    beat(node);
  }
}
