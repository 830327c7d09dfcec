package io.kairos.bench.fault.scene;

import io.kairos.bench.effect.Effect;
import io.kairos.bench.effect.Effect.Kind;
import io.kairos.bench.effect.EffectWorkerMain;
import io.kairos.bench.effect.TaskExecutions;
import io.kairos.bench.effect.TaskExecutions.Execution;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.observe.JsonLines;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.client.TaskRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One node as shipped and workers whose tasks take about four seconds and have effects all the
 * while, for something to happen to the workers.
 */
public final class EffectScene extends TaskScene {
  private static final int EXECUTORS = 8;

  /**
   * Executor processes of a controller, each a JVM. Sixteen that start at once leave the others so
   * little of two cores that heartbeats are late and executors are killed, which start again, and
   * so on.
   */
  private static final int EXECUTOR_PROCESSES = 3;

  private static final double PER_SECOND = 1;
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);

  /** The latest effect of an execution that goes on is not older. */
  private static final Duration FRESH = Duration.ofMillis(500);

  /** Age below which an execution of about four seconds is young. */
  private static final Duration YOUNG = Duration.ofSeconds(2);

  private static final String STALE =
      "select count(*) from finished_task where id = ? and fence < ?";

  private final Path effects;
  private final JsonLines.Tail<Effect> tail;
  private final TaskExecutions executions = new TaskExecutions();
  private final List<Long> ended = new ArrayList<>();
  private final List<BenchProcess> workers = new ArrayList<>();
  private @Nullable Duration executionTimeout;

  private EffectScene(FaultContext context, BenchRig rig) throws SQLException {
    super(context, rig);
    effects = context.resolve("effects");
    tail = new JsonLines.Tail<>(effects, Effect.class);
  }

  /** A node is ready; nothing is scheduled yet. */
  public static EffectScene begin(FaultContext context) throws SQLException {
    return new EffectScene(context, context.startNodes(1));
  }

  /** On a rig whose nodes are ready. */
  public static EffectScene on(FaultContext context, BenchRig rig) throws SQLException {
    return new EffectScene(context, rig);
  }

  /** Bounds each attempt of the tasks that are scheduled from now on. */
  public void bound(Duration attempt) {
    executionTimeout = attempt;
  }

  public void startLoad() {
    startLoad(PER_SECOND, 1, 1);
  }

  @Override
  protected TaskRequest.Builder request(long sequence) {
    TaskRequest.Builder task = TaskRequest.to(EffectWorkerMain.HANDLER).retryPolicy(SOON);
    return executionTimeout == null ? task : task.executionTimeout(executionTimeout);
  }

  /** A worker of several threads. */
  public BenchProcess startWorker(boolean stubborn, @Nullable String jdbcUrl) {
    return keep(EffectWorkerMain.start(settings(EXECUTORS, stubborn, jdbcUrl), nextLog()));
  }

  /** A controller with several executors. */
  public BenchProcess startController() {
    return keep(
        EffectWorkerMain.startController(settings(EXECUTOR_PROCESSES, true, null), nextLog()));
  }

  private EffectWorkerMain.Settings settings(
      int executors, boolean stubborn, @Nullable String jdbcUrl) {
    return new EffectWorkerMain.Settings(
        effects, executors, stubborn, jdbcUrl, List.of(rig.addresses()));
  }

  private Path nextLog() {
    return context.resolve("effect-worker-" + workers.size() + ".log");
  }

  private BenchProcess keep(BenchProcess worker) {
    workers.add(rig.keep(worker));
    return worker;
  }

  /** Executions according to the effects so far. */
  public TaskExecutions executions() {
    try {
      tail.forEachNew(effect -> {
        executions.saw(effect);
        if (effect.kind() == Kind.END) {
          ended.add(effect.sequence());
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
  public Execution awaitExecution(LongPredicate where) throws SQLException {
    List<Execution> found = new ArrayList<>();
    boolean any =
        BenchWait.until(
            () -> {
              long now = System.nanoTime();
              executions().underWay().stream()
                  .filter(one -> where.test(one.last().pid()))
                  .filter(one -> now - one.last().nanos() < FRESH.toNanos())
                  .filter(one -> now - one.first().nanos() < YOUNG.toNanos())
                  .forEach(found::add);
              return !found.isEmpty();
            },
            READY_WITHIN,
            LOOK_EVERY);
    if (!any) {
      throw new IllegalStateException(
          "no worker began anything within %d s".formatted(READY_WITHIN.toSeconds()));
    }
    return found.getLast();
  }

  @Override
  protected void stop(ArrivalLedger ledger) {
    workers.stream().filter(BenchProcess::isRunning).forEach(BenchProcess::stop);
    executions();
    ended.forEach(sequence -> ledger.arrived(sequence, 0, 0, true));
  }

  /** Tasks that ended by the result of another attempt than the last one that began. */
  public long endedByAStaleResult() throws SQLException {
    long stale = 0;
    for (Map.Entry<UUID, Long> task : executions().fences().entrySet()) {
      stale += BenchSql.number(connection, STALE, task.getKey(), task.getValue());
    }
    return stale;
  }
}
