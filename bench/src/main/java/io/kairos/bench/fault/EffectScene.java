package io.kairos.bench.fault;

import io.kairos.bench.effect.EffectLog;
import io.kairos.bench.effect.EffectLog.Kind;
import io.kairos.bench.effect.EffectWorkerMain;
import io.kairos.bench.effect.Executions;
import io.kairos.bench.effect.Executions.Execution;
import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.WorkerProcess;
import io.kairos.bench.task.KairosTarget;
import io.kairos.bench.task.TaskLoad;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.client.KairosClient;
import io.kairos.client.RetryPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongPredicate;

/**
 * One node as shipped and workers whose tasks take about four seconds and have effects all the
 * while, for something to happen to the workers. Begun and ended by the fault's thread.
 */
final class EffectScene implements AutoCloseable {
  static final int EXECUTORS = 8;

  /**
   * Of a controller: each is a JVM. Sixteen that start at once leave the others so little of two
   * cores that heartbeats are late and executors are killed, which start again, and so on.
   */
  private static final int EXECUTOR_PROCESSES = 3;

  private static final double PER_SECOND = 1;
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);

  /** Lease, some backoffs, and the work itself. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  /** The latest effect of an execution that goes on is not older. */
  private static final Duration FRESH = Duration.ofMillis(500);

  /** Of about four seconds. */
  private static final Duration YOUNG = Duration.ofSeconds(2);

  private static final RetryPolicy SOON =
      RetryPolicy.attempts(100).backoff(Duration.ofMillis(100), 1, Duration.ofMillis(100));

  private static final String FINISHED = "select fence from finished_task where id = ?";

  private final FaultContext context;
  private final Rig rig;
  private final Path effects;
  private final EffectLog.Tail tail;
  private final Executions executions = new Executions();
  private final Ledger done = Ledger.ofEverything(0);
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final Connection connection;
  private final TaskStoreCount before;
  private final KairosClient client;
  private final TaskLoad load;

  private EffectScene(FaultContext context) throws SQLException {
    this.context = context;
    this.rig = Rig.start(context.workplace(), context.server());
    boolean complete = false;
    try {
      effects = context.workplace().resolve("effects");
      tail = new EffectLog.Tail(effects);
      rig.startNode(rig.newRoute(context.partitions()), context.settings());
      connection = rig.connect();
      before = TaskStoreCount.of(connection);
      client = KairosClient.connect(addresses());
      load = load();
      complete = true;
    } finally {
      if (!complete) {
        rig.close();
      }
    }
  }

  /** A node is ready; nothing is scheduled yet. */
  static EffectScene begin(FaultContext context) throws SQLException {
    return new EffectScene(context);
  }

  private String[] addresses() {
    return rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
  }

  private TaskLoad load() {
    long run = new SplittableRandom().nextLong() >>> 1;
    return new TaskLoad(
        KairosTarget.of(client, EffectWorkerMain.HANDLER)
            .with((_, request) -> request.retryPolicy(SOON)),
        new TaskLoad.Plan(PER_SECOND, 1, 0, 1, WallClock.micros(), Long.MAX_VALUE),
        new Payload(run, context.load().valueBytes()),
        DueTimes.after(Duration.ZERO, Duration.ZERO, run),
        () -> 0);
  }

  /** Tasks begin to come. */
  void startLoad() {
    load.start();
  }

  Connection connection() {
    return connection;
  }

  Rig rig() {
    return rig;
  }

  /** A worker of several threads. */
  WorkerProcess startWorker(boolean stubborn, String jdbcUrl) {
    return keep(EffectWorkerMain.start(settings(EXECUTORS, stubborn, jdbcUrl), nextLog()));
  }

  /** A controller with several executors. */
  WorkerProcess startController() {
    return keep(
        EffectWorkerMain.startController(settings(EXECUTOR_PROCESSES, true, ""), nextLog()));
  }

  private EffectWorkerMain.Settings settings(int executors, boolean stubborn, String jdbcUrl) {
    return new EffectWorkerMain.Settings(
        effects, executors, stubborn, jdbcUrl, List.of(addresses()));
  }

  private Path nextLog() {
    return context.workplace().resolve("worker-" + workers.size() + ".log");
  }

  private WorkerProcess keep(WorkerProcess worker) {
    workers.add(worker);
    return worker;
  }

  /** What the effects so far say. */
  Executions executions() {
    try {
      tail.forEachNew(effect -> {
        executions.saw(effect);
        if (effect.kind() == Kind.END) {
          done.arrived(effect.sequence(), 0, 0, true);
        }
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return executions;
  }

  /**
   * Waits for an execution that has begun and has most of its effects before it.
   *
   * @param where in which processes
   */
  Execution awaitExecution(LongPredicate where) throws SQLException {
    List<Execution> found = new ArrayList<>();
    boolean any =
        Waiting.until(
            () -> {
              long now = System.nanoTime();
              executions().underWay().stream()
                  .filter(one -> where.test(one.last().pid()))
                  .filter(one -> now - one.last().nanos() < FRESH.toNanos())
                  .filter(one -> now - one.first().nanos() < YOUNG.toNanos())
                  .forEach(found::add);
              return !found.isEmpty();
            },
            READY_WITHIN);
    if (!any) {
      throw new IllegalStateException(
          "no worker began anything within %d s".formatted(READY_WITHIN.toSeconds()));
    }
    return found.getLast();
  }

  /** Ends the load, waits until all has ended, and counts. */
  TaskAccounts settle() throws SQLException, InterruptedException {
    load.stop();
    load.join();
    Waiting.until(() -> TaskStoreCount.unfinished(connection) == before.unfinished(), QUIET);
    workers.stream().filter(WorkerProcess::isRunning).forEach(WorkerProcess::stop);
    executions();
    return TaskAccounts.of(load, done, TaskStoreCount.of(connection).since(before));
  }

  /** Tasks that ended by the result of another attempt than the last one that began. */
  long endedByAStaleResult() throws SQLException {
    long stale = 0;
    try (PreparedStatement statement = connection.prepareStatement(FINISHED)) {
      for (Map.Entry<UUID, Long> task : executions().fences().entrySet()) {
        statement.setObject(1, task.getKey());
        try (ResultSet row = statement.executeQuery()) {
          if (row.next() && row.getLong(1) < task.getValue()) {
            stale++;
          }
        }
      }
    }
    return stale;
  }

  /** Of the nodes that run. */
  double metric(String name) {
    double sum = 0;
    for (NodeProcess node : rig.nodes()) {
      try {
        sum += node.metrics().sum(name);
      } catch (IOException e) {
        throw new UncheckedIOException(node.name() + " does not tell its metrics", e);
      }
    }
    return sum;
  }

  @Override
  public void close() throws SQLException {
    load.close();
    workers.forEach(WorkerProcess::close);
    client.close();
    connection.close();
    rig.close();
  }
}
