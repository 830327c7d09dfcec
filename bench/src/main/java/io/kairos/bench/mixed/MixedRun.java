package io.kairos.bench.mixed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import io.kairos.api.push.PushHeaders;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.mixed.MixedEvent.Kind;
import io.kairos.bench.mixed.MixedPlan.Fault;
import io.kairos.bench.mixed.MixedPlan.Step;
import io.kairos.bench.observe.OutputObserver;
import io.kairos.bench.push.PushLoadReceiver;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.rig.BenchNodeOptions;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.SteppedClock;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.client.HandlerChange;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.ScheduleSpec;
import io.kairos.embedded.PostgresOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * One part, on a rig of its own: all doors in use, one fault after the other, and the end when all
 * that was accepted has come. Used by one thread.
 */
final class MixedRun {
  private static final int WORKERS = 2;
  private static final int EXECUTORS = 48;
  private static final int ENDPOINTS = 2;
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Duration SETTLED_WITHIN = Duration.ofMinutes(3);
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final Duration WARM_UP = Duration.ofSeconds(15);

  /**
   * Schedules are stored before their first fire time, also on a machine that builds beside the
   * run.
   */
  private static final Duration SCHEDULES_WITHIN = Duration.ofSeconds(40);

  /** Time to wait for second copies, as after other faults. */
  private static final Duration LINGER = Duration.ofSeconds(10);

  /** What is overdue by more is not punctual. */
  private static final long PUNCTUAL_MICROS = 5_000_000;

  private static final String CRON_HANDLER = "cron-handler";
  private static final String CRON_TOPIC = "cron-topic";
  private static final String CRON_POOL = "cron-pool";

  private final MixedHistory history;
  private final Path file;
  private final WorkFolder folder;
  private final BenchRig rig;
  private final Optional<SteppedClock> clock;
  private final MixedOptions options;
  private final ProgressLog progress;
  private final List<BenchNodeProcess> nodes;
  private final List<String> addresses;
  private final List<BenchProcess> workers = new ArrayList<>();
  private int started;

  private MixedRun(
      MixedHistory history,
      Path file,
      WorkFolder folder,
      BenchRig rig,
      Optional<SteppedClock> clock,
      MixedOptions options,
      ProgressLog progress) {
    this.history = history;
    this.file = file;
    this.folder = folder;
    this.rig = rig;
    this.clock = clock;
    this.options = options;
    this.progress = progress;
    rig.startNodes(options.nodes);
    nodes = new ArrayList<>(rig.nodes());
    addresses = List.of(rig.addresses());
  }

  /** Runs a part and writes its history. */
  static void run(
      MixedPlan plan,
      long seed,
      Path file,
      MixedOptions options,
      BenchNodeOptions node,
      PlaceOptions place,
      ProgressLog progress)
      throws IOException, InterruptedException {
    node.set("delay.routes.bench.allowed-handlers", MixedWorkerMain.HANDLER);
    try (WorkFolder folder = place.folder();
        MixedHistory history = new MixedHistory(file)) {
      Optional<SteppedClock> clock = SteppedClock.in(folder.folder());
      Map<String, String> environment = clock.map(SteppedClock::environment).orElse(Map.of());
      PostgresOptions postgres =
          PostgresOptions.in(folder.resolve("postgres")).withEnvironment(environment);
      try (BenchRig rig = new BenchRig(folder, node, postgres)) {
        history.write(MixedEvent.of(Kind.PART, Long.toString(seed)));
        new MixedRun(history, file, folder, rig, clock, options, progress).run(plan);
        history.write(MixedEvent.of(Kind.COMPLETE, ""));
      }
    }
  }

  private void run(MixedPlan plan) throws InterruptedException {
    KairosClient client = rig.keep(KairosClient.connect(addresses.toArray(String[]::new)));
    receive(client);
    for (int i = 0; i < WORKERS; i++) {
      workers.add(startWorker());
    }
    Instant end = Instant.now().plus(WARM_UP).plus(options.part).truncatedTo(ChronoUnit.SECONDS);
    planSchedules(client, end);
    MixedLoad load = rig.keep(new MixedLoad(rig, addresses, client, history, options.rate));
    BenchWait.pass(WARM_UP);
    settle("the start");
    while (Instant.now().isBefore(end)) {
      happen(plan.next());
    }
    load.stop();
    history.write(MixedEvent.of(Kind.IDLE, ""));
    BenchWait.pass(LINGER); // the last is due by then
    settle("the end");
    BenchWait.pass(LINGER);
    for (BenchProcess worker : workers) {
      var _ = worker.stop();
      gone(worker, "");
    }
  }

  /** What comes out is written from now on. */
  private void receive(KairosClient client) {
    client
        .handlers()
        .change(
            HandlerChange.of(MixedWorkerMain.HANDLER)
                .maxAttempts(100)
                .initialBackoff(MixedLoad.BACKOFF)
                .backoffFactor(1.0)
                .maxBackoff(MixedLoad.BACKOFF));
    PushLoadReceiver receiver =
        rig.keep(new PushLoadReceiver(ENDPOINTS, this::pushed, Duration.ZERO));
    client.pools().create(PoolDefinition.of(MixedLoad.POOL).listed(receiver.urls()));
    rig.keep(OutputObserver.start(rig.bootstrapServers(), rig.output(), this::published));
  }

  private void pushed(AggregatedHttpRequest request, long atMicros) {
    history.write(
        MixedEvent.arrived(
            atMicros, request.contentUtf8(), request.headers().get(PushHeaders.EXECUTION_ID)));
  }

  private void published(ConsumerRecord<byte[], byte[]> message, long atMicros) {
    Header execution = message.headers().lastHeader(PushHeaders.EXECUTION_ID);
    history.write(
        MixedEvent.arrived(
            atMicros,
            new String(message.value(), UTF_8),
            execution == null ? null : new String(execution.value(), UTF_8)));
  }

  /** Schedules that fire at every second, whatever happens, up to the end of the part. */
  private void planSchedules(KairosClient client, Instant end) {
    Instant first = Instant.now().plus(SCHEDULES_WITHIN).truncatedTo(ChronoUnit.SECONDS);
    for (String name : List.of(CRON_HANDLER, CRON_TOPIC, CRON_POOL)) {
      ScheduleSpec.Builder schedule =
          ScheduleSpec.named(name)
              .cron("* * * * * *")
              .startAt(first)
              .endAt(end)
              .payload(name.getBytes(UTF_8))
              .overlap(ScheduleSpec.Overlap.ALLOW_ALL)
              .catchUp(ScheduleSpec.CatchUp.ALL);
      switch (name) {
        case CRON_TOPIC -> schedule.topic(rig.output());
        case CRON_POOL -> schedule.pool(MixedLoad.POOL, "POST", "/").retryPolicy(MixedLoad.SOON);
        default -> schedule.handler(MixedWorkerMain.HANDLER);
      }
      client.schedules().create(schedule.build());
      for (long at = first.toEpochMilli(); at < end.toEpochMilli(); at += 1_000) {
        history.write(MixedEvent.asked(Kind.PLANNED, MixedEvent.fire(name, at), at * 1_000, null));
      }
    }
  }

  private BenchProcess startWorker() {
    started++;
    return rig.keep(
        BenchProcess.worker(
            MixedWorkerMain.class,
            new MixedWorkerMain.Settings(file.toAbsolutePath(), EXECUTORS, addresses),
            folder.resolve("worker-" + started + ".log")));
  }

  private void happen(Step step) {
    Fault fault = step.fault();
    String word = fault.word();
    int node = step.target() % nodes.size();
    int worker = step.target() % WORKERS;
    if (clock.isEmpty() && (fault == Fault.CLOCK_AHEAD || fault == Fault.CLOCK_BEHIND)) {
      history.write(MixedEvent.of(Kind.SKIPPED, word));
      return;
    }
    progress.say("mixed: %s for %d ms".formatted(word, step.length().toMillis()));
    Long pid = fault == Fault.WORKER_PAUSE ? workers.get(worker).pid() : null;
    write(Kind.FAULT, word, pid);
    switch (fault) {
      case NODE_KILL -> replace(node, step.length(), nodes.get(node)::kill);
      case NODE_STOP -> replace(node, step.length(), () -> stop(nodes.get(node)));
      case NODE_PAUSE -> between(step, nodes.get(node)::pause, nodes.get(node)::resume);
      case BROKER_KILL -> between(step, rig.broker()::kill, rig.broker()::restart);
      case BROKER_PAUSE -> between(step, rig.broker()::pause, rig.broker()::resume);
      case POSTGRES_KILL -> between(step, rig.postgres()::kill, rig.postgres()::restart);
      case POSTGRES_PAUSE -> between(step, rig.postgres()::pause, rig.postgres()::resume);
      case CLOCK_AHEAD -> between(step, () -> setAhead(STEP), () -> setAhead(Duration.ZERO));
      case CLOCK_BEHIND ->
          between(step, () -> setAhead(STEP.negated()), () -> setAhead(Duration.ZERO));
      case WORKER_KILL -> {
        workers.get(worker).kill();
        gone(workers.get(worker), word);
        BenchWait.pass(step.length());
        workers.set(worker, startWorker());
      }
      case WORKER_PAUSE -> between(step, workers.get(worker)::pause, workers.get(worker)::resume);
    }
    write(Kind.OVER, word, pid);
    replaceTheDead();
    settle(word);
    BenchWait.pass(options.calm);
    replaceTheDead();
  }

  private void setAhead(Duration ahead) {
    clock.ifPresent(stepped -> stepped.setAhead(ahead));
  }

  private void write(Kind kind, String word, @Nullable Long pid) {
    history.write(pid == null ? MixedEvent.of(kind, word) : MixedEvent.ofProcess(kind, word, pid));
  }

  private static void between(Step step, Runnable begin, Runnable end) {
    begin.run();
    BenchWait.pass(step.length());
    end.run();
  }

  private void replace(int node, Duration after, Runnable end) {
    end.run();
    BenchWait.pass(after);
    nodes.set(node, rig.replaceNode(nodes.get(node)));
  }

  private void stop(BenchNodeProcess node) {
    try {
      var _ = node.stop();
    } catch (IllegalStateException e) {
      problem(String.valueOf(e.getMessage()));
    }
  }

  /** Nodes and workers live through every fault but those that end them. */
  private void replaceTheDead() {
    for (int i = 0; i < nodes.size(); i++) {
      if (!nodes.get(i).isRunning()) {
        problem(nodes.get(i).name() + " has ended by itself");
        nodes.set(i, rig.replaceNode(nodes.get(i)));
      }
    }
    for (int i = 0; i < WORKERS; i++) {
      if (!workers.get(i).isRunning()) {
        problem("worker %d has ended by itself".formatted(workers.get(i).pid()));
        gone(workers.get(i), "");
        workers.set(i, startWorker());
      }
    }
  }

  private void gone(BenchProcess worker, String fault) {
    history.write(MixedEvent.gone(worker.endedMicros(), fault, worker.pid()));
  }

  /** Waits until nothing is overdue. */
  private void settle(String after) {
    if (BenchWait.until(() -> history.overdue(PUNCTUAL_MICROS) == 0, SETTLED_WITHIN, LOOK_EVERY)) {
      history.write(MixedEvent.of(Kind.SETTLED, after));
    } else {
      problem(
          "%d overdue three minutes after %s".formatted(history.overdue(PUNCTUAL_MICROS), after));
    }
  }

  private void problem(String what) {
    progress.say("mixed: " + what);
    history.write(MixedEvent.of(Kind.PROBLEM, what));
  }
}
