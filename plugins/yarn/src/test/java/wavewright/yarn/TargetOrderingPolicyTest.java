package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.Iterator;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.junit.Before;
import org.junit.Test;

public class TargetOrderingPolicyTest {
  private static final int MAP = 20;
  private static final int REDUCE = 10;
  private static final int MASTER = 0;

  private long nanos;
  private long generation;
  private Documents documents;
  private TargetsSource source;
  private TargetOrderingPolicy<FakeAttempt> policy;

  @Before
  public void begin() throws Exception {
    documents = new Documents();
    source = new TargetsSource(Settings.of(documents.settings()), () -> nanos, System::currentTimeMillis);
    policy = policy();
  }

  private TargetOrderingPolicy<FakeAttempt> policy() {
    return new TargetOrderingPolicy<FakeAttempt>(source) {
      @Override
      Attempt attempt(FakeAttempt entity) {
        return entity;
      }
    };
  }

  private FakeAttempt arrive(int arrival, String name) {
    FakeAttempt attempt = new FakeAttempt(arrival, name);
    policy.addSchedulableEntity(attempt);
    return attempt;
  }

  private void tell(String... entries) throws Exception {
    documents.write(++generation, entries);
    source.poll();
  }

  private void give(FakeAttempt attempt, int priority) {
    RMContainer given = attempt.container(priority, RMContainerState.ALLOCATED);
    attempt.live.put(given.getContainerId(), given);
    policy.containerAllocated(attempt, given);
  }

  private void end(FakeAttempt attempt, Kind kind) {
    RMContainer ended = attempt.live.values().stream().filter(c -> HeldContainers.kind(c) == kind).findFirst().get();
    attempt.live.remove(ended.getContainerId());
    policy.containerReleased(attempt, ended);
  }

  /** The steps as the scheduler walks them: names, each with the kinds that the placement allocator would let pass. */
  private String steps() {
    StringBuilder told = new StringBuilder();
    for (Iterator<FakeAttempt> each = policy.getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR); each.hasNext();) {
      FakeAttempt attempt = each.next();
      Application application = policy.application(attempt);
      told.append(told.length() == 0 ? "" : " ").append(attempt.name);
      for (Kind kind : Kind.values()) {
        if (Offer.allows(application, kind)) {
          told.append(kind.name().charAt(0));
        }
      }
    }
    return told.toString();
  }

  @Test
  public void mapsAndReducesHaveAnOrderEach() throws Exception {
    arrive(1, "a").ask(MAP, 3).ask(REDUCE, 1);
    arrive(2, "b").ask(MAP, 3).ask(REDUCE, 1);
    tell("{'tag':'a','map_rank':2,'reduce_rank':3}", "{'tag':'b','map_rank':4,'reduce_rank':1}");
    assertEquals("bR aM aR bM", steps());
    tell("{'tag':'a','map_rank':4,'reduce_rank':1}", "{'tag':'b','map_rank':2,'reduce_rank':3}");
    assertEquals("aR bM bR aM", steps());
  }

  @Test
  public void equalRanksAreFirstInFirstOutAndReducesBeforeMaps() throws Exception {
    arrive(2, "b").ask(MAP, 3).ask(REDUCE, 1);
    arrive(1, "a").ask(MAP, 3).ask(REDUCE, 1);
    tell("{'tag':'a','map_rank':1,'reduce_rank':1}", "{'tag':'b','map_rank':1,'reduce_rank':1}");
    assertEquals("aR aM bR bM", steps());
  }

  @Test
  public void mastersGoByTheBetterRank() throws Exception {
    arrive(1, "a").ask(MASTER, 1);
    arrive(2, "b").ask(MASTER, 1);
    tell("{'tag':'a','map_rank':2,'reduce_rank':9}", "{'tag':'b','map_rank':8,'reduce_rank':1}");
    assertEquals("bO aO", steps());
  }

  @Test
  public void thoseThatNoEntryNamesComeLastForAllKinds() throws Exception {
    arrive(1, "x").ask(MAP, 1);
    arrive(3, "y").ask(MAP, 1);
    arrive(2, "a").ask(MAP, 1);
    tell("{'tag':'a'}");
    assertEquals("aM xMRO yMRO", steps());
  }

  @Test
  public void applicationsThatAreNotMapReduceAreRankedAndNotLimited() throws Exception {
    FakeAttempt spark = arrive(2, "s").ask(MAP, 5);
    spark.mapReduce = false;
    arrive(1, "a").ask(MAP, 1);
    tell("{'tag':'a','map_rank':2}", "{'tag':'s','map_rank':1,'map_target':0}");
    assertEquals("sMRO aM", steps());
  }

  @Test
  public void anApplicationAtItsTargetIsLeftOutForThatKind() throws Exception {
    FakeAttempt a = arrive(1, "a").ask(MAP, 9).ask(REDUCE, 9);
    tell("{'tag':'a','map_rank':1,'reduce_rank':2,'map_target':2,'reduce_target':1}");
    give(a, MASTER);
    assertEquals("aM aR", steps());
    give(a, MAP);
    assertEquals("aM aR", steps());
    give(a, 5);  // a failed map that runs again is a map
    assertEquals("aR", steps());
    give(a, REDUCE);
    assertEquals("", steps());
    end(a, Kind.MAP);
    assertEquals("aM", steps());
  }

  @Test
  public void aChangedTargetHoldsAtTheNextWalk() throws Exception {
    FakeAttempt a = arrive(1, "a").ask(MAP, 9);
    tell("{'tag':'a','map_target':2}");
    give(a, MAP);
    give(a, MAP);
    assertEquals("", steps());
    tell("{'tag':'a','map_target':3}");
    assertEquals("aM", steps());
    tell("{'tag':'a','map_target':0}");
    assertEquals("", steps());
    assertEquals("nothing that runs is ended", 2, a.live.size());
    tell("{'tag':'a'}");
    assertEquals("aM", steps());
  }

  @Test
  public void silenceIsFirstInFirstOutWithoutLimits() throws Exception {
    FakeAttempt a = arrive(1, "a").ask(MAP, 9).ask(REDUCE, 9);
    arrive(2, "b").ask(MAP, 9);
    assertEquals("before the first document", "aMRO bMRO", steps());
    tell("{'tag':'a','map_rank':2,'reduce_rank':3,'map_target':1}", "{'tag':'b','map_rank':1}");
    give(a, MAP);
    assertEquals("bM aR", steps());
    nanos += 10_000_000_001L;
    assertEquals("aMRO bMRO", steps());
    give(a, MAP);
    tell("{'tag':'a','map_rank':2,'map_target':3}", "{'tag':'b','map_rank':1}");
    assertEquals("what came meanwhile is counted", "bM aM aR", steps());
    give(a, MAP);
    assertEquals("bM aR", steps());
  }

  @Test
  public void anArrivalAndAnEndChangeTheOrderAtOnce() throws Exception {
    tell("{'tag':'a','map_rank':2}", "{'tag':'b','map_rank':1}");
    assertEquals("", steps());
    FakeAttempt a = arrive(1, "a").ask(MAP, 1);
    assertEquals("aM", steps());
    arrive(2, "b").ask(MAP, 1);
    assertEquals("bM aM", steps());
    policy.removeSchedulableEntity(a);
    assertEquals("bM", steps());
  }

  /** A comparator that looked at ranks would lose entries of the sorted set when ranks change. */
  @Test
  public void changedRanksLoseNobody() throws Exception {
    FakeAttempt[] all = new FakeAttempt[50];
    for (int i = 0; i < all.length; i++) {
      all[i] = arrive(i, "j" + i).ask(MAP, 1);
    }
    for (int round = 1; round < 20; round++) {
      String[] entries = new String[all.length];
      for (int i = 0; i < all.length; i++) {
        entries[i] = "{'tag':'j" + i + "','map_rank':" + (i * 37 * round) % 101 + "}";
      }
      tell(entries);
      assertEquals(all.length, steps().split(" ").length);
      assertEquals(all.length, policy.getNumSchedulableEntities());
    }
    for (FakeAttempt each : all) {
      assertTrue(policy.removeSchedulableEntity(each));
    }
  }

  /** YARN would serve failed maps, then reduces, then maps, whatever the step is for. */
  @Test
  public void withoutTheAllocatorOnlyTheKindThatYarnServesNextIsOffered() throws Exception {
    FakeAttempt a = arrive(1, "a").ask(MAP, 9).ask(REDUCE, 1), b = arrive(2, "b").ask(MAP, 9);
    a.filtered = false;
    b.filtered = false;
    tell("{'tag':'a','map_rank':1,'reduce_rank':3,'reduce_target':1}", "{'tag':'b','map_rank':2,'map_target':1}");
    assertEquals("bM aR", steps());
    give(a, REDUCE);
    assertEquals("its reduces have reached their target: no maps either", "bM", steps());
    a.ask(REDUCE, 0);
    assertEquals("aM bM", steps());
    give(b, MAP);
    assertEquals("aM", steps());
  }

  @Test
  public void reservationsAboveTheTargetAreGivenUp() throws Exception {
    FakeAttempt a = arrive(1, "a").ask(MAP, 9);
    tell("{'tag':'a','map_target':3}");
    give(a, MAP);
    for (int i = 0; i < 2; i++) {
      RMContainer kept = a.container(MAP, RMContainerState.RESERVED);
      a.reserved.add(kept);
      policy.containerAllocated(a, kept);
    }
    assertEquals("another node may take the place of a reserved one", "aM", steps());
    assertEquals(0, a.unreserved.size());
    tell("{'tag':'a','map_target':2}");
    assertEquals("aM", steps());
    assertEquals("reserved ones count", 1, a.unreserved.size());
    tell("{'tag':'a','map_target':1}");
    assertEquals("", steps());
    assertEquals(2, a.unreserved.size());
    tell("{'tag':'a','map_target':0}");
    steps();
    steps();
    assertEquals("each is asked for once, and the one that runs stays", 2, a.unreserved.size());
  }

  @Test
  public void theLastRankGivesWayFirst() throws Exception {
    arrive(1, "a").ask(MAP, 1);
    arrive(2, "b").ask(MAP, 1);
    arrive(3, "x").ask(MAP, 1);
    tell("{'tag':'a','map_rank':2,'reduce_rank':2}", "{'tag':'b','map_rank':1,'reduce_rank':5}");
    StringBuilder told = new StringBuilder();
    policy.getPreemptionIterator().forEachRemaining(each -> told.append(each.name));
    assertEquals("xab", told.toString());
  }

  /** Errors of ours must not reach the scheduler. */
  @Test
  public void anApplicationThatCannotBeLookedAtGoesOnWithoutTargets() throws Exception {
    FakeAttempt a = new FakeAttempt(1, "a") {
      @Override
      public java.util.Collection<org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey> keys() {
        throw new IllegalStateException("for the test");
      }
    };
    policy.addSchedulableEntity(a);
    arrive(2, "b").ask(MAP, 1);
    tell("{'tag':'a'}", "{'tag':'b'}");
    assertTrue(steps().startsWith("a"));
    assertTrue(steps().endsWith("bM"));
    FakeAttempt c = new FakeAttempt(3, "c") {
      @Override
      public java.util.Set<String> tags() {
        throw new IllegalStateException("for the test");
      }
    };
    policy.addSchedulableEntity(c);
    assertEquals("aMRO bMRO cMRO", steps());
    policy.removeSchedulableEntity(c);
    assertTrue(steps().endsWith("bM"));
  }

  @Test
  public void aPolicyThatTakesOverAQueueCountsWhatRuns() throws Exception {
    FakeAttempt a = arrive(1, "a").ask(MAP, 9);
    tell("{'tag':'a','map_target':1}");
    give(a, MAP);
    TargetOrderingPolicy<FakeAttempt> old = policy;
    policy = policy();
    policy.addAllSchedulableEntities(old.getSchedulableEntities());
    assertEquals("", steps());
    end(a, Kind.MAP);
    assertEquals("aM", steps());
    assertEquals(Collections.singleton("a"), a.tags());
  }
}
