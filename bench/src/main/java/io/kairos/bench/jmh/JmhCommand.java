package io.kairos.bench.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code bench jmh}: the JMH benchmarks of this module; every word is JMH's own. */
@Command(
    name = "jmh",
    description = {
      "Runs the JMH benchmarks: timing wheel, next fire time, cron table.",
      "Words are passed on to JMH, for example: Wheel -p timers=100000 -rf json -rff wheel.json"
    })
public final class JmhCommand implements Callable<Integer> {
  /** JMH's arguments in their order, which options and parameters of our own would not keep. */
  @Unmatched List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws RunnerException, CommandLineOptionException {
    new Runner(new CommandLineOptions(words.toArray(String[]::new))).run();
    return 0;
  }
}
