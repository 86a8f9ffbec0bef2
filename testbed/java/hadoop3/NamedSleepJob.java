import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.util.ToolRunner;

/** Hadoop's SleepJob, which keeps the name given with -D mapreduce.job.name (the original overwrites it). */
public class NamedSleepJob extends SleepJob {
  @Override
  public Job createJob(int maps, int reduces, long mapTime, int mapCount, long reduceTime, int reduceCount,
      String name) throws IOException {
    String wanted = getConf().get("mapreduce.job.name");
    Job job = super.createJob(maps, reduces, mapTime, mapCount, reduceTime, reduceCount, name);
    if (wanted != null && !wanted.isEmpty()) {
      job.setJobName(wanted);
    }
    return job;
  }

  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new NamedSleepJob(), args));
  }
}
