package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.Random;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.Test;

/** The plug-in in Hadoop's own ResourceManager, with its CapacityScheduler, in this process. */
public class CapacitySchedulerTest extends SchedulerFixture {
  @Test
  public void mapsAndReducesAreRankedApart() throws Exception {
    start();
    node("a1", 8 * GB);
    MockAM a = job("a"), b = job("b");
    ask(a, MAP, 9);
    ask(a, REDUCE, 9);
    ask(b, MAP, 9);
    ask(b, REDUCE, 9);
    // Two masters run, six places are free: b's two reduces, then a's maps.
    tell("{'tag':'a','map_rank':2,'reduce_rank':4}", "{'tag':'b','map_rank':3,'reduce_rank':1,'reduce_target':2}");
    beat();
    assertEquals("4+0", held(a));
    assertEquals("0+2", held(b));
    // The other way about, as maps of a end.
    tell("{'tag':'a','map_rank':3,'reduce_rank':1,'reduce_target':1}", "{'tag':'b','map_rank':2,'reduce_rank':4}");
    for (int i = 0; i < 3; i++) {
      endOne(a, Kind.MAP);
    }
    beat();
    assertEquals("1+1", held(a));
    assertEquals("2+2", held(b));
  }

  @Test
  public void targetsHoldAndChangesCountAtTheNextHeartbeat() throws Exception {
    start();
    node("a1", 20 * GB);
    node("a2", 20 * GB);
    tell("{'tag':'a','map_rank':1,'map_target':3,'reduce_target':2}");
    MockAM a = job("a");
    ask(a, MAP, 15);
    ask(a, REDUCE, 15);
    beat();
    assertEquals("3+2", held(a));
    beat();
    assertEquals("3+2", held(a));
    tell("{'tag':'a','map_rank':1,'map_target':7,'reduce_target':2}");
    beat(nodes.get(0));
    assertEquals("7+2", held(a));
    tell("{'tag':'a','map_rank':1,'map_target':2,'reduce_target':0}");
    beat();
    assertEquals("nothing that runs is ended", "7+2", held(a));
    for (int left = 6; left >= 2; left--) {
      endOne(a, Kind.MAP);
      beat();
      assertEquals(left, held(a, Kind.MAP));
    }
    endOne(a, Kind.MAP);
    endOne(a, Kind.REDUCE);
    beat();
    assertEquals("2+1", held(a));
    ask(a, FAILED_MAP, 1);
    beat();
    assertEquals("a failed map counts", "2+1", held(a));
    tell("{'tag':'a','map_target':3,'reduce_target':0}");
    beat();
    assertEquals("3+1", held(a));
  }

  @Test
  public void theDaemonsSilenceIsFirstInFirstOutWithoutLimits() throws Exception {
    settings.set("yarn.scheduler.capacity.root.default.ordering-policy.silent-after-ms", "400");
    start();
    node("a1", 10 * GB);
    MockAM a = job("a"), b = job("b");
    ask(a, MAP, 4);
    ask(b, MAP, 4);
    tell("{'tag':'a','map_rank':2,'map_target':0}", "{'tag':'b','map_rank':1,'map_target':1}");
    beat();
    assertEquals("0+0", held(a));
    assertEquals("1+0", held(b));
    Thread.sleep(450);
    assertNull(source().current());
    beat();
    assertEquals("4+0", held(a));
    assertEquals("4+0", held(b));
  }

  @Test
  public void withoutAnyDocumentItIsFirstInFirstOut() throws Exception {
    start();
    node("a1", 6 * GB);
    MockAM a = job("a"), b = job("b");
    ask(b, MAP, 4);
    ask(a, MAP, 3);
    beat();
    assertEquals("3+0", held(a));
    assertEquals("1+0", held(b));
  }

  @Test
  public void othersThanMapReduceAreRankedAndNotLimited() throws Exception {
    start();
    node("a1", 8 * GB);
    MockAM a = job("a"), s = application("s", "SPARK"), x = job("x");
    ask(a, MAP, 3);
    ask(s, 1, 2);
    ask(s, MAP, 2);
    ask(x, MAP, 3);
    tell("{'tag':'a','map_rank':2}", "{'tag':'s','map_rank':1,'map_target':0,'reduce_target':0}");
    beat();
    assertEquals(5, attempt(s).getLiveContainers().size());
    assertEquals("1+0", held(a));
    assertEquals("0+0", held(x));
  }

  /** Several threads look for nodes at once; one gives. */
  @Test
  public void targetsHoldWithAsynchronousScheduling() throws Exception {
    String threads = "yarn.scheduler.capacity.schedule-asynchronously";
    settings.set(threads + ".enable", "true");
    settings.set(threads + ".maximum-threads", "4");
    settings.set(threads + ".scheduling-interval-ms", "1");
    start();
    for (int i = 1; i <= 4; i++) {
      node("a" + i, 20 * GB);
    }
    beat();
    RMApp application = MockRMAppSubmitter.submit(manager, MockRMAppSubmissionData.Builder
        .createWithMemory(GB, manager).withUser("user").withQueue("default").withAppType("MAPREDUCE")
        .withApplicationTags(Collections.singleton("a"))
        .withWaitForAppAcceptedState(false)  // a thread may have allocated its master before anybody looks
        .build());
    MockAM a = MockRM.launchAMWhenAsyncSchedulingEnabled(application, manager);
    a.registerAppAttempt();
    tell("{'tag':'a','map_target':0,'reduce_target':0}");
    ask(a, MAP, 60);
    ask(a, REDUCE, 60);
    int[] maps = {0, 7, 3, 12, 30}, reduces = {0, 2, 9, 9, 10};
    for (int i = 0; i < maps.length; i++) {
      tell("{'tag':'a','map_target':" + maps[i] + ",'reduce_target':" + reduces[i] + "}");
      long until = System.nanoTime() + 600_000_000L;
      while (System.nanoTime() < until) {
        beat();
        assertTrue(held(a, Kind.MAP) <= Math.max(maps[i], i > 0 ? maps[i - 1] : 0));
        assertTrue(held(a, Kind.REDUCE) <= Math.max(reduces[i], i > 0 ? reduces[i - 1] : 0));
      }
      assertEquals(Math.max(maps[i], i == 2 ? maps[1] : 0), held(a, Kind.MAP));
      assertEquals(reduces[i], held(a, Kind.REDUCE));
    }
  }

  /** Failed maps come first, then reduces, then maps: the rank of the reduces is lost, the targets are not. */
  @Test
  public void withoutTheAllocatorTargetsHold() throws Exception {
    settings.unset("yarn.scheduler.app-placement-allocator.class");
    start();
    node("a1", 20 * GB);
    MockAM a = job("a");
    ask(a, MAP, 9);
    tell("{'tag':'a','map_target':3,'reduce_target':2}");
    beat();
    assertEquals("3+0", held(a));
    ask(a, REDUCE, 2);
    beat();
    assertEquals("3+2", held(a));
    ask(a, REDUCE, 2);
    endOne(a, Kind.MAP);
    beat();
    assertEquals("what is lost: no maps while reduces wait above their target", "2+2", held(a));
  }

  @Test
  public void targetsAndCountsHoldUnderRandomEvents() throws Exception {
    start();
    for (int i = 1; i <= 3; i++) {
      node("a" + i, 9 * GB + 300);
    }
    MockAM[] masters = {job("j0"), job("j1"), job("j2")};
    Random random = new Random(7);
    int[][] targets = new int[masters.length][2];
    int[][] most = new int[masters.length][2];
    for (int round = 0; round < 150; round++) {
      if (round % 5 == 0) {
        String[] entries = new String[masters.length];
        for (int i = 0; i < masters.length; i++) {
          targets[i][0] = random.nextInt(8);
          targets[i][1] = random.nextInt(4);
          entries[i] = "{'tag':'j" + i + "','map_rank':" + random.nextInt(5) + ",'reduce_rank':" + random.nextInt(5)
              + ",'map_target':" + targets[i][0] + ",'reduce_target':" + targets[i][1]
              + (random.nextBoolean() ? ",'placement':'delay','node_wait_ms':20,'rack_wait_ms':0}" : "}");
          // What is held above a lowered target may drain.
          most[i][0] = Math.max(targets[i][0], held(masters[i], Kind.MAP));
          most[i][1] = Math.max(targets[i][1], held(masters[i], Kind.REDUCE));
        }
        tell(entries);
      }
      MockAM master = masters[random.nextInt(masters.length)];
      switch (random.nextInt(4)) {
        case 0:
          ask(master, MAP, random.nextInt(10), "a" + (1 + random.nextInt(3)));
          break;
        case 1:
          ask(master, random.nextBoolean() ? REDUCE : FAILED_MAP, random.nextInt(4));
          break;
        default:
          Kind kind = random.nextInt(3) > 0 ? Kind.MAP : Kind.REDUCE;
          if (held(master, kind) > 0) {
            endOne(master, kind);
          }
      }
      beat(nodes.get(random.nextInt(3)));
      for (int i = 0; i < masters.length; i++) {
        Application application = Application.of(masters[i].getApplicationAttemptId());
        int reservedMaps = 0, reservedReduces = 0;
        for (RMContainer each : attempt(masters[i]).getReservedContainers()) {
          reservedMaps += HeldContainers.kind(each) == Kind.MAP ? 1 : 0;
          reservedReduces += HeldContainers.kind(each) == Kind.REDUCE ? 1 : 0;
        }
        String at = "round " + round + " job " + i;
        assertEquals(at, held(masters[i], Kind.MAP) + reservedMaps, application.held.count(Kind.MAP));
        assertEquals(at, held(masters[i], Kind.REDUCE) + reservedReduces, application.held.count(Kind.REDUCE));
        assertTrue(at + " maps", held(masters[i], Kind.MAP) <= most[i][0]);
        assertTrue(at + " reduces", held(masters[i], Kind.REDUCE) <= most[i][1]);
        most[i][0] = Math.max(targets[i][0], held(masters[i], Kind.MAP));
        most[i][1] = Math.max(targets[i][1], held(masters[i], Kind.REDUCE));
      }
    }
  }
}
