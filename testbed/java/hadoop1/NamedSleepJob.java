import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.SleepJob;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ToolRunner;

/** Hadoop's SleepJob, which keeps the name given with -D mapred.job.name (the original overwrites it). */
public class NamedSleepJob extends SleepJob {
  @Override
  public JobConf setupJobConf(int maps, int reduces, long mapTime, int mapCount, long reduceTime, int reduceCount) {
    String wanted = getConf().get("mapred.job.name");
    JobConf job = super.setupJobConf(maps, reduces, mapTime, mapCount, reduceTime, reduceCount);
    if (wanted != null && !wanted.isEmpty()) {
      job.setJobName(wanted);
    }
    return job;
  }

  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new NamedSleepJob(), args));
  }
}
