package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.junit.Test;

public class HeldContainersTest {
  private static final int[] PRIORITIES = {0, 5, 10, 20};

  private static int walk(FakeAttempt attempt, Kind kind) {
    int count = 0;
    for (RMContainer each : attempt.live.values()) {
      count += HeldContainers.kind(each) == kind ? 1 : 0;
    }
    for (RMContainer each : attempt.reserved) {
      count += HeldContainers.kind(each) == kind ? 1 : 0;
    }
    return count;
  }

  /** Random events as the scheduler makes them, told and untold. */
  @Test
  public void countsAreThoseOfAWalk() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      FakeAttempt attempt = new FakeAttempt(1, "a");
      HeldContainers held = new HeldContainers(attempt);
      for (int step = 0; step < 100; step++) {
        int priority = PRIORITIES[random.nextInt(PRIORITIES.length)];
        List<RMContainer> live = new ArrayList<>(attempt.live.values());
        live.sort((a, b) -> a.getContainerId().compareTo(b.getContainerId()));
        switch (random.nextInt(7)) {
          case 0:
          case 1: {
            RMContainer given = attempt.container(priority, RMContainerState.ALLOCATED);
            attempt.live.put(given.getContainerId(), given);
            maybeAsk(random, held);
            held.allocated(given);
            break;
          }
          case 2: {
            if (!live.isEmpty()) {
              RMContainer ended = live.get(random.nextInt(live.size()));
              attempt.live.remove(ended.getContainerId());
              maybeAsk(random, held);
              held.released(ended);
            }
            break;
          }
          case 3: {
            RMContainer kept = attempt.container(priority, RMContainerState.RESERVED);
            attempt.reserved.add(kept);
            held.allocated(kept);
            break;
          }
          case 4: {  // the reserved one is given: nobody tells
            if (!attempt.reserved.isEmpty()) {
              RMContainer given = attempt.reserved.remove(random.nextInt(attempt.reserved.size()));
              attempt.live.put(given.getContainerId(), given);
            }
            break;
          }
          case 5: {  // a reservation ends: told or not
            if (!attempt.reserved.isEmpty()) {
              RMContainer ended = attempt.reserved.remove(random.nextInt(attempt.reserved.size()));
              if (random.nextBoolean()) {
                held.released(ended);
              }
              held.reconcile(attempt.reserved);
            }
            break;
          }
          default: {  // a container is recovered: nobody tells
            RMContainer recovered = attempt.container(priority, RMContainerState.RUNNING);
            attempt.live.put(recovered.getContainerId(), recovered);
          }
        }
        for (Kind kind : Kind.values()) {
          assertEquals("seed " + seed + " step " + step + " " + kind, walk(attempt, kind), held.count(kind));
        }
      }
    }
  }

  /** A question between the scheduler's change and its event must not count it twice. */
  private static void maybeAsk(Random random, HeldContainers held) {
    if (random.nextBoolean()) {
      held.count(Kind.MAP);
    }
  }

  @Test
  public void eventsThatAreToldNeedNoWalk() {
    FakeAttempt attempt = new FakeAttempt(1, "a");
    HeldContainers held = new HeldContainers(attempt);
    for (int i = 0; i < 1000; i++) {
      RMContainer given = attempt.container(20, RMContainerState.ALLOCATED);
      attempt.live.put(given.getContainerId(), given);
      held.allocated(given);
      assertEquals(i + 1, held.count(Kind.MAP));
    }
    assertEquals(0, held.walks());
  }

  @Test
  public void aPolicyThatComesLaterCountsWhatIsThere() {
    FakeAttempt attempt = new FakeAttempt(1, "a");
    RMContainer given = attempt.container(10, RMContainerState.RUNNING);
    attempt.live.put(given.getContainerId(), given);
    attempt.reserved.add(attempt.container(20, RMContainerState.RESERVED));
    HeldContainers held = new HeldContainers(attempt);
    assertEquals(1, held.count(Kind.REDUCE));
    assertEquals(1, held.count(Kind.MAP));
    assertTrue(held.hasReserved());
  }

  @Test
  public void kindsAreThoseOfMapReduce() {
    FakeAttempt attempt = new FakeAttempt(1, "a");
    assertEquals(Kind.OTHER, HeldContainers.kind(attempt.container(0, RMContainerState.NEW)));
    assertEquals(Kind.MAP, HeldContainers.kind(attempt.container(5, RMContainerState.NEW)));
    assertEquals(Kind.REDUCE, HeldContainers.kind(attempt.container(10, RMContainerState.NEW)));
    assertEquals(Kind.MAP, HeldContainers.kind(attempt.container(20, RMContainerState.NEW)));
    assertEquals(Kind.OTHER, HeldContainers.kind(attempt.container(1, RMContainerState.NEW)));
  }
}
