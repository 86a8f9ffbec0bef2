import java.io.FileWriter;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.sls.AMDefinition;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.TaskContainerDefinition;
import org.apache.hadoop.yarn.sls.appmaster.AMSimulator;
import org.apache.hadoop.yarn.sls.appmaster.MRAMSimulator;
import org.apache.hadoop.yarn.sls.scheduler.ContainerSimulator;

/**
 * A MapReduce job of hadoop-sls 3.4.2 that is submitted when its trace says: the readers of Rumen and SYNTH traces submit
 * every job at time 0, as each is its own baseline. Its tasks ask for no host: a Rumen trace tells where they ran, and that
 * is what the simulator takes for a wish, of reduces too. Set as yarn.sls.am.type.mapreduce; testbed.submit-ms.JOB is when.
 *
 * Appends "JOB SUBMITTED FINISHED" (ms of the clock) to the file testbed.rows and ends the simulation with its last job, which
 * the simulator does itself only with its metrics on: these open a web server to all addresses.
 */
public class SlsJob extends MRAMSimulator {
  private String job;
  private String rows;

  @Override
  public void init(AMDefinition definition, ResourceManager manager, SLSRunner runner, boolean tracked, long baseline,
      long heartbeat, Map<ApplicationId, AMSimulator> masters) {
    definition.getTaskContainers().replaceAll(SlsJob::anywhere);
    super.init(definition, manager, runner, tracked, baseline, heartbeat, masters);
    Configuration settings = runner.getConf();
    job = definition.getOldAppId();
    rows = settings.get("testbed.rows");
    traceStartTimeMS = Long.parseLong(settings.get("testbed.submit-ms." + job));
    init(traceStartTimeMS, traceStartTimeMS + 1_000_000 * heartbeat, heartbeat);
  }

  private static ContainerSimulator anywhere(ContainerSimulator task) {
    try {
      return ContainerSimulator.createFromTaskContainerDefinition(TaskContainerDefinition.Builder.create()
          .withType(task.getType()).withDuration(task.getLifeTime()).withResource(task.getResource()).build());
    } catch (YarnException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void lastStep() throws Exception {
    boolean finished = simulateFinishTimeMS > 0; // it is called twice
    super.lastStep();
    if (!finished && simulateFinishTimeMS > 0) {
      tell(job, rows, simulateStartTimeMS, simulateFinishTimeMS, se);
    }
  }

  private static synchronized void tell(String job, String rows, long submitted, long finished, SLSRunner runner)
      throws IOException {
    try (FileWriter out = new FileWriter(rows, true)) {
      out.write(job + "\t" + submitted + "\t" + finished + "\n");
    }
    runner.decreaseRemainingApps();
  }
}
