package io.kairos.bench;

import io.kairos.bench.attack.AttackCommand;
import io.kairos.bench.byzantine.ByzantineDemoCommand;
import io.kairos.bench.calendar.CalendarBenchCommand;
import io.kairos.bench.compare.CompareCommand;
import io.kairos.bench.dashboard.DashboardBenchCommand;
import io.kairos.bench.delay.BurstCommand;
import io.kairos.bench.delay.DelayBenchCommand;
import io.kairos.bench.fault.FaultCommand;
import io.kairos.bench.graph.GraphBenchCommand;
import io.kairos.bench.inprocess.InProcessBenchCommand;
import io.kairos.bench.inprocess.InProcessKillCommand;
import io.kairos.bench.jmh.JmhCommand;
import io.kairos.bench.push.PushBenchCommand;
import io.kairos.bench.replica.ReplicaBenchCommand;
import io.kairos.bench.schedule.ScheduleBenchCommand;
import io.kairos.bench.spring.SpringBenchCommand;
import io.kairos.bench.start.StartBenchCommand;
import io.kairos.bench.task.FairnessBenchCommand;
import io.kairos.bench.task.TaskBenchCommand;
import io.kairos.cli.option.DurationWord;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the benchmarks: {@code kairos bench ...}. Runs on the main thread. */
@Command(
    name = "kairos bench",
    mixinStandardHelpOptions = true,
    description = "Measures Kairos on this machine, and breaks what it stands on.",
    subcommands = {
      DelayBenchCommand.class,
      BurstCommand.class,
      FaultCommand.class,
      AttackCommand.class,
      TaskBenchCommand.class,
      FairnessBenchCommand.class,
      GraphBenchCommand.class,
      SpringBenchCommand.class,
      PushBenchCommand.class,
      ScheduleBenchCommand.class,
      CalendarBenchCommand.class,
      ReplicaBenchCommand.class,
      ByzantineDemoCommand.class,
      DashboardBenchCommand.class,
      StartBenchCommand.class,
      InProcessBenchCommand.class,
      InProcessKillCommand.class,
      CompareCommand.class,
      JmhCommand.class
    })
public final class BenchMain implements Runnable {
  private BenchMain() {}

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "io/kairos/bench/bench-logback.xml");
    CommandLine commands =
        new CommandLine(new BenchMain())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .registerConverter(Duration.class, new DurationWord());
    commands
        .getSubcommands()
        .values()
        .forEach(command -> command.getCommandSpec().usageMessage().showDefaultValues(true));
    System.exit(commands.execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
