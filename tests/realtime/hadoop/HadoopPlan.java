import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ReservationDefinition;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.ReservationRequest;
import org.apache.hadoop.yarn.api.records.ReservationRequestInterpreter;
import org.apache.hadoop.yarn.api.records.ReservationRequests;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.InMemoryPlan;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.NoOverCommitPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.Plan;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.RLESparseResourceAllocation;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.ReservationInterval;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.exceptions.PlanningException;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.AlignedPlannerWithGreedy;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.GreedyReservationAgent;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.IterativePlanner;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.ReservationAgent;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.StageAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.StageAllocatorGreedyRLE;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.StageAllocatorLowCostAligned;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.StageExecutionIntervalByDemand;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.StageExecutionIntervalUnconstrained;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.TryManyReservationAgents;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;

/**
 * Reservation requests put to Hadoop's own plan and agents. The test hadoop_reservations_test.cpp asks ours the same.
 *
 * <p>{@code java -cp JARS HadoopPlan.java FILE}, where a line of FILE is one of
 *
 * <pre>
 * plan AGENT COSTS STEP CONTAINERS            a new, empty plan, with room for so many containers
 * request ID FROM DEADLINE N LENGTH [N LENGTH] a job of one or two stages, each of N containers for LENGTH, in order
 * delete ID                                    its reservation, if there is one
 * now TIME                                     what has ended is archived, as YARN's plan follower does
 * </pre>
 *
 * Times are in milliseconds. AGENT: {@code greedy}, {@code aligned}; {@code greedy-each}, {@code aligned-each} for
 * {@link EachContainer}. COSTS: {@code float} for Hadoop's own, {@code exact} for {@link ExactCosts}. Each request is answered
 * by a line: {@code accepted} and the allocation as FROM TO N each, or {@code rejected} and why, mostly the exception's class.
 */
final class HadoopPlan {
  private static final long CONTAINER_MB = 1024;

  private final Plan plan;
  private final ReservationAgent agent;
  private final Map<String, ReservationId> accepted = new HashMap<>();
  private long requests;

  private HadoopPlan(String agentName, String costs, long step, int containers) throws Exception {
    agent = agent(agentName);
    Resource all = Resource.newInstance(containers * CONTAINER_MB, containers);
    Resource one = Resource.newInstance(CONTAINER_MB, 1);
    ResourceCalculator calculator = costs.equals("exact") ? new ExactCosts() : new DefaultResourceCalculator();
    // The plan asks it for the state store only, and keeps no state without one.
    RMContext context =
        (RMContext)
            Proxy.newProxyInstance(
                HadoopPlan.class.getClassLoader(), new Class<?>[] {RMContext.class}, (proxy, method, given) -> null);
    plan = new InMemoryPlan(null, new NoOverCommitPolicy(), agent, all, step, calculator, one, all, "reserved", null, true, context);
  }

  private static ReservationAgent agent(String name) {
    ReservationAgent agent;
    switch (name) {
      case "greedy":
        agent = new GreedyReservationAgent();
        break;
      case "aligned":
        agent = new AlignedPlannerWithGreedy();
        break;
      case "greedy-each":
        agent = greedyEach();
        break;
      case "aligned-each":
        // As AlignedPlannerWithGreedy.init() puts it together.
        agent =
            new TryManyReservationAgents(
                List.of(
                    new IterativePlanner(
                        new StageExecutionIntervalByDemand(),
                        new StageAllocatorLowCostAligned(AlignedPlannerWithGreedy.DEFAULT_SMOOTHNESS_FACTOR, true),
                        true),
                    greedyEach()));
        break;
      default:
        throw new IllegalArgumentException("no agent '" + name + "'");
    }
    agent.init(new Configuration(false));
    return agent;
  }

  private static ReservationAgent greedyEach() {
    return new IterativePlanner(new StageExecutionIntervalUnconstrained(), new EachContainer(), true);
  }

  /**
   * Hadoop's greedy allocator, asked for one container at a time. It looks at what is there only as it is called, so that it
   * forgets what it has placed since. This way it places one container and is called anew.
   */
  private static final class EachContainer implements StageAllocator {
    private final StageAllocator greedy = new StageAllocatorGreedyRLE(true);

    @Override
    public Map<ReservationInterval, Resource> computeStageAllocation(
        Plan plan,
        RLESparseResourceAllocation loads,
        RLESparseResourceAllocation modifications,
        ReservationRequest stage,
        long from,
        long deadline,
        long period,
        String user,
        ReservationId oldId)
        throws PlanningException {
      ReservationRequest one = ReservationRequest.newInstance(stage.getCapability(), 1, 1, stage.getDuration());
      RLESparseResourceAllocation placed = new RLESparseResourceAllocation(plan.getResourceCalculator());
      for (int i = 0; i < stage.getNumContainers(); ++i) {
        Map<ReservationInterval, Resource> next =
            greedy.computeStageAllocation(plan, loads, modifications, one, from, deadline, period, user, oldId);
        if (next == null) {
          return null;
        }
        next.forEach(placed::addInterval);
      }
      return placed.toIntervalMap();
    }
  }

  /** The cost of a window as the memory in it. Hadoop adds up ratios in single precision, by which equal costs may differ. */
  private static final class ExactCosts extends DefaultResourceCalculator {
    @Override
    public float ratio(Resource load, Resource capacity) {
      return load.getMemorySize() / CONTAINER_MB;
    }
  }

  private String request(String[] words) {
    long from = Long.parseLong(words[2]);
    long deadline = Long.parseLong(words[3]);
    long least = 0;
    List<ReservationRequest> stages = new ArrayList<>();
    for (int i = 4; i < words.length; i += 2) {
      stages.add(
          ReservationRequest.newInstance(
              Resource.newInstance(CONTAINER_MB, 1), Integer.parseInt(words[i]), 1, Long.parseLong(words[i + 1])));
      least += Long.parseLong(words[i + 1]);
    }
    if (deadline - from < least) { // YARN's ReservationInputValidator lets none of these through to the agent
      return "rejected TooShort";
    }
    ReservationDefinition definition =
        ReservationDefinition.newInstance(
            from,
            deadline,
            ReservationRequests.newInstance(stages, ReservationRequestInterpreter.R_ORDER),
            words[1]);
    ReservationId id = ReservationId.newInstance(1, ++requests);
    try {
      if (!agent.createReservation(id, "user", plan, definition)) {
        return "rejected";
      }
    } catch (PlanningException refusal) {
      return "rejected " + refusal.getClass().getSimpleName();
    }
    accepted.put(words[1], id);
    StringJoiner answer = new StringJoiner(" ").add("accepted");
    plan.getReservationById(id)
        .getAllocationRequests()
        .forEach(
            (interval, resource) -> {
              if (resource.getMemorySize() > 0) {
                answer.add(interval.getStartTime() + " " + interval.getEndTime() + " " + resource.getMemorySize() / CONTAINER_MB);
              }
            });
    return answer.toString();
  }

  private void delete(String name) throws PlanningException {
    ReservationId id = accepted.remove(name);
    if (id != null && plan.getReservationById(id) != null) {
      plan.deleteReservation(id);
    }
  }

  public static void main(String[] arguments) throws Exception {
    LogManager.getRootLogger().setLevel(Level.OFF);
    HadoopPlan now = null;
    try (BufferedReader lines = Files.newBufferedReader(Path.of(arguments[0]))) {
      for (String line; (line = lines.readLine()) != null; ) {
        String[] words = line.split(" ");
        switch (words[0]) {
          case "plan":
            now = new HadoopPlan(words[1], words[2], Long.parseLong(words[3]), Integer.parseInt(words[4]));
            break;
          case "request":
            System.out.println(now.request(words));
            break;
          case "delete":
            now.delete(words[1]);
            break;
          case "now":
            now.plan.archiveCompletedReservations(Long.parseLong(words[1]));
            break;
          default:
            throw new IOException("no verb in '" + line + "'");
        }
      }
    }
  }
}
