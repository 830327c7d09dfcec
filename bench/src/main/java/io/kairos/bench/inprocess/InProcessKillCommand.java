package io.kairos.bench.inprocess;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.effect.Effect;
import io.kairos.bench.effect.EffectApplicationMain;
import io.kairos.bench.effect.EffectWorkerMain;
import io.kairos.bench.effect.TaskExecutions;
import io.kairos.bench.effect.TaskExecutions.Execution;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.JsonLines;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.trial.TrialReport;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.PostgresOptions;
import io.kairos.inprocess.Kairos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench inprocess-kill}: SIGKILL for one of two applications, again and again. */
@Command(
    name = "inprocess-kill",
    mixinStandardHelpOptions = true,
    description = {
      "Kills one of two applications with Kairos inside by kill -9 while it performs tasks, and starts another one, again and again.",
      "Exit code 0: no task is lost, none is performed by two at a time, and each begins elsewhere within 10 s; 1: not;",
      "3: void, nothing was performed when an application was killed."
    })
public final class InProcessKillCommand extends BenchCommand {
  private static final int EXECUTORS = 4;
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final Duration BETWEEN = Duration.ofSeconds(1);
  private static final Duration ELSEWHERE_WITHIN = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Option(names = "--rounds", defaultValue = "50", description = "Kills.")
  int rounds;

  private final TaskExecutions executions = new TaskExecutions();
  private final Map<Long, BenchProcess> applications = new HashMap<>();
  private final DoubleSummaryStatistics elsewhere = new DoubleSummaryStatistics();
  private long held;
  private long late;

  @Override
  protected int run() throws IOException, InterruptedException {
    require(rounds >= 1, "--rounds must be at least 1");
    Path folder = Files.createTempDirectory("kairos-inprocess");
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(PostgresOptions.in(folder.resolve("postgres")))) {
      EffectApplicationMain.Settings settings =
          new EffectApplicationMain.Settings(
              folder.resolve("effects"),
              EXECUTORS,
              postgres.newDatabase(),
              postgres.user(),
              postgres.password());
      Files.createFile(settings.effects());
      try (Kairos kairos = Kairos.inProcess(settings.source()).start()) {
        return show("result", killed(settings, kairos.client(), folder));
      } finally {
        applications.values().forEach(BenchProcess::close);
      }
    }
  }

  private TrialReport killed(
      EffectApplicationMain.Settings settings, KairosClient client, Path folder)
      throws IOException, InterruptedException {
    JsonLines.Tail<Effect> tail = new JsonLines.Tail<>(settings.effects(), Effect.class);
    LoadPayload payload = LoadPayload.ofNewRun(LoadPayload.MIN_BYTES);
    List<TaskId> tasks = new ArrayList<>();
    start(settings, folder);
    start(settings, folder);
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < EXECUTORS; i++) {
        byte[] value = payload.value(tasks.size(), 0);
        tasks.add(client.schedule(TaskRequest.to(EffectWorkerMain.HANDLER).payload(value).build()));
      }
      BenchWait.until(() -> !performed(tail).isEmpty(), PATIENCE, LOOK_EVERY);
      long pid = performed(tail).getFirst().last().pid();
      long killedAt = System.nanoTime();
      requireNonNull(applications.remove(pid)).kill();
      List<Execution> cutOff =
          underWay(tail).stream().filter(one -> one.last().pid() == pid).toList();
      held += cutOff.size();
      start(settings, folder);
      BenchWait.until(
          () -> successors(tail, cutOff).size() == cutOff.size(), ELSEWHERE_WITHIN, LOOK_EVERY);
      List<Execution> successors = successors(tail, cutOff);
      late += cutOff.size() - successors.size();
      successors.forEach(next -> elsewhere.accept((next.first().nanos() - killedAt) / 1e9));
      progress.say("%d: it performed %d tasks".formatted(round, cutOff.size()));
      BenchWait.pass(BETWEEN);
    }
    long lost =
        tasks.stream()
            .filter(task -> !(client.await(task, PATIENCE) instanceof TaskOutcome.Succeeded))
            .count();
    underWay(tail);
    FigureList figures =
        new FigureList()
            .row("tasks")
            .count("tasks", "scheduled", tasks.size())
            .count("cutOff", "cut off", held)
            .count("lost", "lost", lost)
            .count("overlapping", "executions that overlapped", executions.overlapping())
            .row("to running elsewhere")
            .add("meanSeconds", "mean", Unit.SECONDS, elsewhere.getAverage())
            .add("maxSeconds", "max", Unit.SECONDS, elsewhere.getMax());
    RunVerdict verdict =
        new RunVerdict()
            .demand(held > 0, "nothing was performed when an application was killed")
            .expect(lost == 0, "tasks are lost")
            .expect(executions.overlapping() == 0, "executions of a task overlapped")
            .expect(late == 0, "a task did not begin elsewhere within 10 s");
    return new TrialReport(figures, verdict);
  }

  private void start(EffectApplicationMain.Settings settings, Path folder) {
    BenchProcess application =
        EffectApplicationMain.start(settings, folder.resolve("application.log"));
    applications.put(application.pid(), application);
  }

  private List<Execution> underWay(JsonLines.Tail<Effect> tail) throws IOException {
    tail.forEachNew(executions::saw);
    return executions.underWay();
  }

  /** What applications that run perform. */
  private List<Execution> performed(JsonLines.Tail<Effect> tail) throws IOException {
    return underWay(tail).stream()
        .filter(one -> applications.containsKey(one.last().pid()))
        .toList();
  }

  private List<Execution> successors(JsonLines.Tail<Effect> tail, List<Execution> cutOff)
      throws IOException {
    tail.forEachNew(executions::saw);
    return cutOff.stream().flatMap(one -> executions.after(one).stream()).toList();
  }
}
