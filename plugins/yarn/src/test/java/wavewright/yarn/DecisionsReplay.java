package wavewright.yarn;

import static org.junit.Assert.assertEquals;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/** Plays decisions of Wavewright's simulator in Hadoop's own scheduler: both must decide alike. */
abstract class DecisionsReplay extends SchedulerFixture {
  private static final int JOBS = 5;

  /** A job and its master, which tells the scheduler where the blocks of its maps are that have not started. */
  private final class Job {
    MockAM master;
    final Map<Integer, String> pending = new TreeMap<>();  // the nodes with its block, by map
    final Map<Integer, ContainerId> started = new HashMap<>();

    void ask() throws Exception {
      Map<String, Integer> byHost = new TreeMap<>();
      for (int node = 0; node < nodes.size() - 2; node++) {
        byHost.put(host(node), 0);
      }
      for (String places : pending.values()) {
        for (char place : places.toCharArray()) {
          byHost.merge(host(place - '0'), 1, Integer::sum);
        }
      }
      List<ResourceRequest> requests = new ArrayList<>();
      byHost.forEach((host, count) -> {
        requests.add(request(host, MAP, count));
        requests.add(request("/" + host.charAt(0), MAP, count));
      });
      requests.add(request(ResourceRequest.ANY, MAP, pending.size()));
      master.allocate(requests, new ArrayList<>());
    }

    /** Its new containers on the node are of these maps. Returns how many there are. */
    int take(List<Integer> maps, MockNM on) throws Exception {
      int found = 0;
      for (RMContainer each : attempt(master).getLiveContainers()) {
        if (HeldContainers.kind(each) != Kind.MAP || started.containsValue(each.getContainerId())) {
          continue;
        }
        assertEquals(on.getNodeId(), each.getAllocatedNode());
        if (found < maps.size()) {
          pending.remove(maps.get(found));
          started.put(maps.get(found), each.getContainerId());
        }
        found++;
      }
      if (found > 0) {
        ask();
      }
      return found;
    }
  }

  private final Job[] jobs = new Job[JOBS];
  /** The placer's fields in a target. */
  private final String placer;
  private MockNM small;

  DecisionsReplay(String placer) {
    this.placer = placer;
  }

  private static String host(int node) {
    return (char) ('a' + node) + "1";  // each in a rack of its own
  }

  private void world(String[] slots) throws Exception {
    end();
    nodes.clear();
    start();
    node("z1", JOBS * GB);  // the masters' own
    String[] entries = new String[JOBS];
    for (int i = 0; i < JOBS; i++) {
      String tag = String.valueOf((char) ('a' + i));  // YARN's tags are small
      jobs[i] = new Job();
      jobs[i].master = job(tag);
      entries[i] = "{'tag':'" + tag + "','map_rank':" + i + "," + placer + "}";
    }
    for (int i = 1; i < slots.length; i++) {
      node(host(i - 1), Integer.parseInt(slots[i]) * GB);
    }
    small = node("y1", GB / 2);  // no map fits there
    tell(entries);
  }

  private Job job(char name) {
    return jobs[name - 'A'];
  }

  private int map(String name) {
    return Integer.parseInt(name.substring(1));
  }

  private void beat(int number, String[] words) throws Exception {
    Thread.sleep(2);  // heartbeats are told apart by the millisecond
    MockNM node = nodes.get(1 + Integer.parseInt(words[1]));
    beat(node);
    StringBuilder told = new StringBuilder(), seen = new StringBuilder();
    for (int i = 0; i < JOBS; i++) {
      char name = (char) ('A' + i);
      List<Integer> maps = new ArrayList<>();
      for (int word = 2; word < words.length; word++) {
        if (words[word].charAt(0) == name) {
          maps.add(map(words[word]));
        }
      }
      told.append(' ').append(name).append(maps.size());
      seen.append(' ').append(name).append(jobs[i].take(maps, node));
    }
    assertEquals("line " + number + ": " + String.join(" ", words), told.toString(), seen.toString());
  }

  /** Time passes for placers. */
  void pass(long ms) throws Exception {
    throw new AssertionError("no wait is told");
  }

  /** The number of heartbeats in the file. */
  int play(String file) throws Exception {
    int beats = 0;
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        DecisionsReplay.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String[] words = line.split(" ");
        switch (words[0]) {
          case "world":
            world(words);
            break;
          case "arrive":
            for (int map = 2; map < words.length; map++) {
              job(words[1].charAt(0)).pending.put(map - 2, words[map]);
            }
            job(words[1].charAt(0)).ask();
            break;
          case "beat":
            beat(number, words);
            beats++;
            break;
          case "end":
            release(job(words[1].charAt(0)).master, job(words[1].charAt(0)).started.get(map(words[1])));
            break;
          case "wait":
            beat(small);
            pass(Long.parseLong(words[1]));
            break;
          default:
            assertEquals("#", words[0]);
        }
      }
    }
    return beats;
  }
}
