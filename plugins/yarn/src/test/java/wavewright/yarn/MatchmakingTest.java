package wavewright.yarn;

import static org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType.NODE_LOCAL;
import static org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType.OFF_SWITCH;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.junit.Test;

/** Decisions are worked out by hand from tables 4.1 and 4.2, and compared with these tables in random worlds. */
public class MatchmakingTest {
  private final LocalityMarkers markers = new LocalityMarkers();
  private final List<Job> jobs = new ArrayList<>();
  private final List<SchedulerNode> nodes = new ArrayList<>();
  private long clock;

  /** A job with so many maps on each node. */
  private final class Job {
    final String name;
    final int[] near;
    final Matchmaking placer = new Matchmaking(markers);

    Job(String name, int... near) {
      this.name = name;
      this.near = near;
      jobs.add(this);
    }

    int maps() {
      return Arrays.stream(near).sum();
    }

    /** Starts a map on the node; from elsewhere the one of the node that has most. */
    void start(int node) {
      int from = node;
      for (int i = 0; near[node] == 0 && i < near.length; i++) {
        from = near[i] > near[from] ? i : from;
      }
      near[from]--;
    }
  }

  private SchedulerNode node(int index) {
    while (nodes.size() <= index) {
      SchedulerNode made = mock(SchedulerNode.class);
      when(made.getNodeID()).thenReturn(NodeId.newInstance("n" + nodes.size(), 1));
      when(made.getLastHeartbeatMonotonicTime()).thenAnswer(asked -> clock);
      nodes.add(made);
    }
    return nodes.get(index);
  }

  /** One walk of the scheduler: the job that starts a map, or null. */
  private Job walk(int index) {
    markers.begin();
    SchedulerNode node = node(index);
    do {
      for (Job job : jobs) {
        if (job.maps() == 0) {
          continue;
        }
        NodeType level = job.near[index] > 0 ? NODE_LOCAL : OFF_SWITCH;
        if (job.placer.mayLaunch(Kind.MAP, level, node, 0)) {
          job.placer.launched(Kind.MAP, level, node, 0);
          return job;
        }
        job.placer.passedOver(Kind.MAP, node, 0);
      }
    } while (markers.again());
    return null;
  }

  /** What a node with so many free slots takes at its next heartbeat. Small letters: from elsewhere. */
  private String beat(int node, int slots) {
    clock += 3000;
    StringBuilder taken = new StringBuilder();
    for (int i = 0; i < slots; i++) {
      Job job = walk(node);
      if (job == null) {
        break;
      }
      taken.append(job.near[node] > 0 ? job.name : job.name.toLowerCase());
      job.start(node);
    }
    return taken.toString();
  }

  @Test
  public void aNearMapGoesFirstWhicheverJobItIsOf() {
    new Job("A", 0, 5);
    new Job("B", 1, 0);
    assertEquals("B", beat(0, 4));
    assertEquals("AAAAA", beat(1, 9));
  }

  @Test
  public void theSecondSearchInVainGivesOneMapFromElsewhere() {
    new Job("A", 0, 5);
    assertEquals("the first", "", beat(0, 4));
    assertEquals("the second; three slots stay free", "a", beat(0, 4));
    assertEquals("the marker is 0 still", "a", beat(0, 4));
  }

  @Test
  public void aNearMapMakesTheMarkerPositive() {
    Job a = new Job("A", 0, 9);
    assertEquals("", beat(0, 4));
    assertEquals("a", beat(0, 4));
    a.near[0]++;
    assertEquals("a search in vain follows it, the first", "A", beat(0, 4));
    assertEquals("the second", "a", beat(0, 4));
  }

  @Test
  public void aSearchInVainEndsTheHeartbeat() {
    Job a = new Job("A", 0, 5);
    assertEquals("", beat(0, 4));
    a.near[0]++;
    assertFalse("a map near came meanwhile", a.placer.mayLaunch(Kind.MAP, NODE_LOCAL, node(0), 0));
    assertEquals("A", beat(0, 1));
    assertTrue("slots that run out end no search", a.placer.mayLaunch(Kind.MAP, NODE_LOCAL, node(0), 0));
  }

  @Test
  public void anArrivalClearsAllMarkers() {
    new Job("A", 0, 5, 0);
    assertEquals("", beat(0, 4));
    assertEquals("", beat(2, 4));
    new Job("C", 0, 1, 0);
    assertEquals("a cleared marker is not 0", "", beat(0, 4));
    assertEquals("a", beat(0, 4));
    assertEquals("nor is that of another node", "", beat(2, 4));
  }

  @Test
  public void theFirstJobIsTheFirstWithAMapLeft() {
    new Job("A", 1, 0);
    new Job("B", 0, 1);
    new Job("C", 0, 2);
    assertEquals("A", beat(0, 1));
    assertEquals("", beat(0, 1));
    assertEquals("b", beat(0, 1));
    assertEquals("c", beat(0, 1));
  }

  @Test
  public void eachNodeHasAMarkerOfItsOwn() {
    new Job("A", 0, 0, 5);
    assertEquals("", beat(0, 1));
    assertEquals("", beat(1, 1));
    assertEquals("a", beat(0, 1));
    assertEquals("a", beat(1, 1));
  }

  @Test
  public void reducesAreFreeAndLeaveTheMarkers() {
    Job a = new Job("A", 0, 5);
    assertTrue(a.placer.mayLaunch(Kind.REDUCE, OFF_SWITCH, node(0), 0));
    a.placer.passedOver(Kind.REDUCE, node(0), 0);
    assertFalse("no search was in vain", markers.again());
    assertEquals("", beat(0, 1));
    a.placer.launched(Kind.REDUCE, NODE_LOCAL, node(0), 0);
    assertEquals("a", beat(0, 1));
  }

  /** As threads of asynchronous scheduling do. */
  @Test
  public void twoWalksAtOneHeartbeatAreOneSearch() throws Exception {
    new Job("A", 0, 5);
    clock = 3000;
    jobs.get(0).placer.mayLaunch(Kind.MAP, OFF_SWITCH, node(0), 0);
    jobs.get(0).placer.passedOver(Kind.MAP, node(0), 0);
    Thread other = new Thread(() -> walk(0));
    other.start();
    other.join();
    assertFalse("the other one has ended the heartbeat", markers.again());
    assertEquals("a", beat(0, 4));
  }

  /** What a walk was let take is not what another one may. */
  @Test
  public void theSecondRoundIsOfItsThreadAlone() throws Exception {
    Job a = new Job("A", 0, 5);
    assertEquals("", beat(0, 4));
    clock += 3000;
    markers.begin();
    a.placer.passedOver(Kind.MAP, node(0), 0);
    assertTrue(markers.again());
    boolean[] others = new boolean[1];
    Thread other = new Thread(() -> others[0] = a.placer.mayLaunch(Kind.MAP, OFF_SWITCH, node(0), 0));
    other.start();
    other.join();
    assertFalse(others[0]);
    assertTrue(a.placer.mayLaunch(Kind.MAP, OFF_SWITCH, node(0), 0));
    assertFalse("another node takes none", a.placer.mayLaunch(Kind.MAP, OFF_SWITCH, node(1), 0));
    assertFalse("there is no third round", markers.again());
    assertFalse(a.placer.mayLaunch(Kind.MAP, OFF_SWITCH, node(0), 0));
  }

  /**
   * Tables 4.1 and 4.2 line by line, with lines 19 to 26 as we read them: a node whose marker is 0 takes one map from
   * elsewhere and stops, else its marker becomes 0 and it stops; and the first job is the first with a map left.
   */
  private final class Tables {
    final Integer[] marker;
    final int[][] near;  // by job

    Tables(int nodes, int jobs) {
      marker = new Integer[nodes];
      near = new int[jobs][];
    }

    void arrive(int job, int[] maps) {
      near[job] = maps.clone();
      Arrays.fill(marker, null);
    }

    String heartbeat(int i, int slots) {
      StringBuilder taken = new StringBuilder();
      while (slots > 0) {
        Integer previous = marker[i];
        for (int j = 0; j < near.length; j++) {
          if (near[j] != null && near[j][i] > 0) {
            near[j][i]--;
            slots--;
            marker[i] = marker[i] == null ? 1 : marker[i] + 1;
            taken.append((char) ('A' + j));
            break;
          }
        }
        if (!java.util.Objects.equals(previous, marker[i])) {
          continue;
        }
        if (marker[i] != null && marker[i] == 0) {
          for (int j = 0; j < near.length; j++) {
            if (near[j] != null && Arrays.stream(near[j]).sum() > 0) {
              int from = i;
              for (int other = 0; other < near[j].length; other++) {
                from = near[j][other] > near[j][from] ? other : from;
              }
              near[j][from]--;
              taken.append((char) ('a' + j));
              break;
            }
          }
        } else {
          marker[i] = 0;
        }
        break;
      }
      return taken.toString();
    }
  }

  @Test
  public void randomWorldsGoByTheTables() {
    Random random = new Random(5);
    int fromElsewhere = 0;
    for (int world = 0; world < 300; world++) {
      MatchmakingTest here = new MatchmakingTest();
      int nodes = 1 + random.nextInt(5), most = 1 + random.nextInt(6);
      Tables tables = new Tables(nodes, most);
      for (int step = 0, arrived = 0; step < 60; step++) {
        if (arrived < most && random.nextInt(8) == 0 || step == 0) {
          int[] maps = random.ints(nodes, 0, 4).toArray();
          maps[random.nextInt(nodes)]++;
          here.new Job(String.valueOf((char) ('A' + arrived)), maps.clone());
          tables.arrive(arrived++, maps);
        }
        // An arrival is seen at the next offer with a slot; while no job has a map there is no search.
        boolean any = here.jobs.stream().anyMatch(job -> job.maps() > 0);
        int node = random.nextInt(nodes), slots = 1 + random.nextInt(3);
        String told = any ? tables.heartbeat(node, slots) : "";
        assertEquals("world " + world + " step " + step, told, here.beat(node, slots));
        fromElsewhere += told.chars().filter(Character::isLowerCase).count();
      }
    }
    assertTrue("the rule was tried", fromElsewhere > 100);
  }
}
