import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.SleepJob;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * Submits jobs at their times from one process and waits for them: a process each would load the machine.
 * Lines of the file: ID, submission in ms, user, queue, maps, ms of a map, reduces, ms of a reduce, apart by tabs.
 * A SleepJob each; where a path in HDFS stands for ms of a map, a WordCount of it.
 * Prints "JOB STATE ID" for each, in the order of the file.
 */
public class SubmitBatch {
  private static RunningJob sleep(String[] line, Configuration own) throws IOException {
    SleepJob sleep = new SleepJob();
    sleep.setConf(own);
    JobConf job = sleep.setupJobConf(Integer.parseInt(line[4]), Integer.parseInt(line[6]), Long.parseLong(line[5]), 1,
        Long.parseLong(line[7]), 1);
    job.setQueueName(line[3]);
    job.setJobName(line[0]);
    return new JobClient(job).submitJob(job);
  }

  private static RunningJob count(String[] line, Configuration own) throws Exception {
    own.set("mapred.job.queue.name", line[3]);
    own.setFloat("mapred.reduce.slowstart.completed.maps", 1.0f);
    Job job = new Job(own, line[0]);
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setCombinerClass(WordCount.IntSumReducer.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    job.setNumReduceTasks(Integer.parseInt(line[6]));
    FileInputFormat.addInputPath(job, new Path(line[5]));
    FileOutputFormat.setOutputPath(job, new Path("/tmp/" + line[0] + "-" + System.currentTimeMillis()));
    job.submit();
    return new JobClient(new JobConf(own)).getJob(JobID.downgrade(job.getJobID()));
  }

  private static RunningJob submit(String[] line, Configuration general) throws Exception {
    return UserGroupInformation.createRemoteUser(line[2])
        .doAs((PrivilegedExceptionAction<RunningJob>) () -> {
          Configuration own = new Configuration(general);
          return line[5].startsWith("/") ? count(line, own) : sleep(line, own);
        });
  }

  public static void main(String[] args) throws Exception {
    GenericOptionsParser options = new GenericOptionsParser(new Configuration(), args);
    JobConf general = new JobConf(options.getConfiguration());
    List<String[]> lines = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get(options.getRemainingArgs()[0]))) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        lines.add(line.split("\t"));
      }
    }
    new JobClient(general).getClusterStatus(); // classes and connections are there before time 0
    long zero = System.currentTimeMillis();
    List<RunningJob> jobs = new ArrayList<>();
    for (String[] line : lines) {
      Thread.sleep(Math.max(0, zero + Long.parseLong(line[1]) - System.currentTimeMillis()));
      jobs.add(submit(line, general));
    }
    boolean good = true;
    for (int i = 0; i < jobs.size(); ++i) {
      RunningJob job = jobs.get(i);
      while (!job.isComplete()) {
        Thread.sleep(1000);
      }
      good = good && job.isSuccessful();
      System.out.println(job.getID() + " " + (job.isSuccessful() ? "SUCCEEDED" : "FAILED") + " " + lines.get(i)[0]);
    }
    System.exit(good ? 0 : 1);
  }
}
