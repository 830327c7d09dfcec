package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultOptions;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.mixed.MixedCommand;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.bench.rig.BenchNodeOptions;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.PlaceOptions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code bench fault}: one fault or all of them, each with a line that says PASS, FAIL or SKIPPED.
 */
@Command(
    name = "fault",
    mixinStandardHelpOptions = true,
    subcommands = MixedCommand.class,
    description = {
      "Breaks something while messages or tasks flow or schedules fire, and accounts for every one"
          + " of them.",
      "Without a name: lists the faults. Exit code 0: no fault failed."
    })
public final class FaultCommand extends BenchCommand {
  private static final List<FaultRun> FAULTS =
      List.of(
          new FaultRun(
              "node-kill",
              "kill -9 of one node after the other: how soon another one takes over",
              NodeKill::happen),
          new FaultRun(
              "terminate", "SIGTERM under load: no duplicates, under 10 s", NodeFaults::terminate),
          new FaultRun(
              "pause",
              "a node is stopped in its tracks for less and more than its lapse, and woken",
              NodeFaults::pause),
          new FaultRun(
              "four-nodes",
              "four nodes share the work; then two of them are killed at the same moment",
              NodeFaults::fourNodes),
          outage(
              "postgres-kill",
              "Postgres is killed, away for a while and started again",
              rig -> rig.postgres().kill(),
              rig -> rig.postgres().restart()),
          outage(
              "postgres-hang",
              "Postgres stands still: connections stay open and get no answer",
              rig -> rig.postgres().pause(),
              rig -> rig.postgres().resume()),
          outage(
              "broker-kill",
              "the broker is killed, away for a while and started again",
              rig -> rig.broker().kill(),
              rig -> rig.broker().restart()),
          outage(
              "broker-hang",
              "the broker stands still: connections stay open and get no answer",
              rig -> rig.broker().pause(),
              rig -> rig.broker().resume()),
          new FaultRun(
              "broker-away",
              "the broker is killed for a while under tasks, schedules and messages: no task or"
                  + " schedule is late by it",
              (context, verdict) -> new BrokerAway(context).happen(verdict)),
          new FaultRun(
              "disk-full",
              "the disk of Postgres is full for a while (needs root)",
              StorageFaults::diskFull),
          new FaultRun(
              "dead-partition",
              "the broker of one of four output partitions dies; the other three must not notice",
              PartitionFaults::deadPartition),
          new FaultRun(
              "more-partitions",
              "partitions are added to the input and the output topic while messages flow",
              PartitionFaults::morePartitions),
          new FaultRun(
              "overdue",
              "a million messages are overdue when a node with a heap of 512 MB starts",
              StorageFaults::overdue),
          new FaultRun(
              "dying-producers",
              "producers with transactions die at each step of one, nodes are killed meanwhile",
              DyingProducers::happen),
          new FaultRun(
              "compressed-input",
              "compressed records that become more than the nodes' memory, and one of 150 MB",
              CompressedInput::happen),
          new FaultRun(
              "task-worker-kill",
              "kill -9 of one of two workers that performs a task: how soon it runs elsewhere",
              WorkerKill::happen),
          new FaultRun(
              "task-executor-pause",
              "an executor process is stopped for longer than the lease: no two executions overlap",
              WorkerPause::executor),
          new FaultRun(
              "task-worker-pause",
              "the JVM of a worker is stopped for longer than the lease: no stale result or fenced"
                  + " effect counts",
              WorkerPause::worker),
          new FaultRun(
              "task-nodes-kill",
              "two of four nodes are killed under tasks: workers and client go on with the others",
              TaskNodeFaults::kill),
          new FaultRun(
              "task-rolling-restart",
              "four nodes are restarted one after the other: 99.9 % of the schedule calls are"
                  + " accepted",
              TaskNodeFaults::rollingRestart),
          new FaultRun(
              "rolling-upgrade",
              "nodes of an earlier commit are replaced one after the other by nodes of this tree,"
                  + " which migrate the schema",
              RollingUpgrade::happen),
          new FaultRun(
              "credentials",
              "certificates, tokens and keys are replaced under tasks, now and then by unusable"
                  + " ones: no call fails",
              CredentialChange::happen),
          new FaultRun(
              "clock-step",
              "the clock of Postgres is stepped by 10 s forward and back (needs libfaketime)",
              ClockStep::happen),
          new FaultRun(
              "datacentre",
              "one of three datacentres is lost, with the primary of Postgres, and comes back",
              DatacentreLoss::happen),
          new FaultRun(
              "schedule-node-kill",
              "kill -9 of one of two nodes: how soon its schedules are fired by the other",
              (context, verdict) -> new ScheduleNodeKill(context).happen(verdict)),
          new FaultRun(
              "graph-kill",
              "kill -9 of nodes and workers under graphs of tasks and limits by key: no successor"
                  + " missing, early or readied twice, no limit exceeded",
              (context, verdict) -> new GraphKill(context).happen(verdict)),
          new FaultRun(
              "push-worker-kill",
              "kill -9 of one of three HTTP workers under load: every effect once, by the"
                  + " transactional filter",
              PushWorkerKill::happen));

  /** Something that can go wrong, made to happen. */
  private record FaultRun(String name, String about, FaultBody body) {}

  /** The body of a fault. */
  @FunctionalInterface
  private interface FaultBody {
    void happen(FaultContext context, FaultVerdict verdict)
        throws SQLException, InterruptedException;
  }

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Faults, or all.")
  List<String> names = new ArrayList<>();

  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin FaultOptions options = new FaultOptions();
  @Mixin BenchNodeOptions node = new BenchNodeOptions();

  private static FaultRun outage(
      String name, String about, Consumer<BenchRig> goAway, Consumer<BenchRig> comeBack) {
    DependencyOutage outage = new DependencyOutage(goAway, comeBack);
    return new FaultRun(name, about, outage::happen);
  }

  @Override
  protected int run() throws SQLException, InterruptedException {
    if (names.isEmpty()) {
      FAULTS.forEach(fault -> System.out.printf("  %-22s %s%n", fault.name, fault.about));
      System.out.printf(
          "  %-22s %s%n",
          "mixed",
          "faults of all kinds for an hour, with all doors in use, in parts; see its --help");
      return 0;
    }
    boolean passed = true;
    for (FaultRun fault : chosen()) {
      FaultVerdict verdict = new FaultVerdict(fault.name);
      try (FaultContext context =
          new FaultContext(fault.name, options, node, place.folder(), progress)) {
        context.say(fault.about);
        fault.body.happen(context, verdict);
      }
      System.out.println(verdict.headline());
      show(fault.name, verdict.whole());
      passed &= verdict.passed();
    }
    return passed ? 0 : 1;
  }

  private List<FaultRun> chosen() {
    if (names.equals(List.of("all"))) {
      return FAULTS;
    }
    List<String> known = FAULTS.stream().map(FaultRun::name).toList();
    names.forEach(name ->
        require(
            known.contains(name),
            "there is no fault '" + name + "'; there are " + String.join(", ", known)));
    return names.stream().map(name -> FAULTS.get(known.indexOf(name))).toList();
  }
}
