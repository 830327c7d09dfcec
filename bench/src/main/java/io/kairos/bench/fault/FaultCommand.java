package io.kairos.bench.fault;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.rig.Workplace;
import io.kairos.cli.DurationWord;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench fault}: one fault or all of them, each with a line that says PASS, FAIL or SKIPPED.
 */
@Command(
    name = "fault",
    mixinStandardHelpOptions = true,
    description = {
      "Breaks something while messages or tasks flow or schedules fire, and accounts for every one of them.",
      "Without a name: lists the faults. Exit code 0: no fault failed."
    })
public final class FaultCommand implements Callable<Integer> {
  private static final List<Fault> FAULTS =
      Stream.concat(
              Stream.of(new Termination(), new Pause()),
              Stream.concat(
                  Outage.all().stream(),
                  Stream.of(
                      new DiskFull(),
                      new DeadPartition(),
                      new MorePartitions(),
                      new ManyNodes(),
                      new Overdue(),
                      new WorkerKill(),
                      new ExecutorPause(),
                      new WorkerPause(),
                      new TaskNodesKilled(),
                      new ScheduleNodeKill(),
                      new PushWorkerKill(),
                      new RollingRestart())))
          .toList();

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Faults, or all.")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--outage",
      defaultValue = "1m",
      converter = DurationWord.class,
      description = "How long something is away (default ${DEFAULT-VALUE}).")
  Duration outage = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "45s",
      converter = DurationWord.class,
      description =
          "Load before an outage (default ${DEFAULT-VALUE}). A node compiles for minutes, which counts as what the"
              + " outage costs.")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--rounds",
      defaultValue = "10",
      description =
          "How often a worker is killed or stopped, or a node that fires schedules killed (default ${DEFAULT-VALUE}).")
  int rounds;

  @Mixin SceneOptions scene = new SceneOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException, InterruptedException {
    if (names.isEmpty()) {
      FAULTS.forEach(fault -> out.printf("  %-22s %s%n", fault.name(), fault.about()));
      return 0;
    }
    List<Verdict> verdicts = new ArrayList<>();
    for (Fault fault : chosen()) {
      progress.say(fault.name() + ": " + fault.about());
      try (Workplace workplace = scene.place.workplace()) {
        Verdict verdict = fault.happen(context(workplace));
        out.println(verdict);
        verdicts.add(verdict);
      }
    }
    output.write(() -> Map.of("faults", verdicts.stream().map(Verdict::data).toList()), () -> "");
    return verdicts.stream().allMatch(Verdict::passed) ? 0 : 1;
  }

  private FaultContext context(Workplace workplace) {
    return new FaultContext(
        workplace,
        scene.place.server(),
        scene.load.node(),
        scene.load(),
        scene.load.partitions,
        warmup,
        outage,
        rounds,
        progress);
  }

  private List<Fault> chosen() {
    if (names.equals(List.of("all"))) {
      return FAULTS;
    }
    return names.stream().map(this::find).toList();
  }

  private Fault find(String name) {
    return FAULTS.stream()
        .filter(fault -> fault.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new ParameterException(
                spec.commandLine(),
                "there is no fault '"
                    + name
                    + "'; there are "
                    + String.join(", ", FAULTS.stream().map(Fault::name).toList())));
  }
}
