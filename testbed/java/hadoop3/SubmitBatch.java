import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * Submits jobs at their times from one process and waits for them: a process each would load the machine.
 * Lines of the file: ID, submission in ms, user, queue, maps, ms of a map, reduces, ms of a reduce, apart by tabs.
 * A SleepJob each; where a path in HDFS stands for ms of a map, a WordCount of it, with containers of which a node of 2 GiB
 * has one.
 * Prints "JOB STATE ID" for each, in the order of the file.
 */
public class SubmitBatch {
  private static Job sleep(String[] line, Configuration own) throws IOException {
    SleepJob sleep = new SleepJob();
    sleep.setConf(own);
    return sleep.createJob(Integer.parseInt(line[4]), Integer.parseInt(line[6]), Long.parseLong(line[5]), 1,
        Long.parseLong(line[7]), 1, line[0]);
  }

  private static Job count(String[] line, Configuration own) throws IOException {
    own.setInt("mapreduce.map.memory.mb", 1200);
    own.setInt("mapreduce.reduce.memory.mb", 1200);
    own.setFloat("mapreduce.job.reduce.slowstart.completedmaps", 1.0f); // a reduce that waits would hold a node
    Job job = Job.getInstance(own);
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setCombinerClass(WordCount.IntSumReducer.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    job.setNumReduceTasks(Integer.parseInt(line[6]));
    FileInputFormat.addInputPath(job, new Path(line[5]));
    FileOutputFormat.setOutputPath(job, new Path("/tmp/" + line[0] + "-" + System.currentTimeMillis()));
    return job;
  }

  private static Job submit(String[] line, Configuration general) throws Exception {
    return UserGroupInformation.createRemoteUser(line[2])
        .doAs((PrivilegedExceptionAction<Job>) () -> {
          Configuration own = new Configuration(general);
          own.set("mapreduce.job.queuename", line[3]);
          Job job = line[5].startsWith("/") ? count(line, own) : sleep(line, own);
          job.setJobName(line[0]);
          job.submit();
          return job;
        });
  }

  // A job's state from its own master or, once that is gone, from the history server, which may lag.
  private static JobStatus.State state(Job job) {
    try {
      return job.isComplete() ? job.getJobState() : JobStatus.State.RUNNING;
    } catch (IOException | InterruptedException lag) {
      return JobStatus.State.RUNNING;
    }
  }

  public static void main(String[] args) throws Exception {
    GenericOptionsParser options = new GenericOptionsParser(new Configuration(), args);
    Configuration general = options.getConfiguration();
    List<String[]> lines = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get(options.getRemainingArgs()[0]))) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        lines.add(line.split("\t"));
      }
    }
    new org.apache.hadoop.mapreduce.Cluster(general).getClusterStatus(); // classes and connections are there before time 0
    long zero = System.currentTimeMillis();
    List<Job> jobs = new ArrayList<>();
    for (String[] line : lines) {
      Thread.sleep(Math.max(0, zero + Long.parseLong(line[1]) - System.currentTimeMillis()));
      jobs.add(submit(line, general));
    }
    boolean good = true;
    for (int i = 0; i < jobs.size(); ++i) {
      JobStatus.State state = state(jobs.get(i));
      while (state == JobStatus.State.RUNNING || state == JobStatus.State.PREP) {
        Thread.sleep(1000);
        state = state(jobs.get(i));
      }
      good = good && state == JobStatus.State.SUCCEEDED;
      System.out.println(jobs.get(i).getJobID() + " " + state + " " + lines.get(i)[0]);
    }
    System.exit(good ? 0 : 1);
  }
}
