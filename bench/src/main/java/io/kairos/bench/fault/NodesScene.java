package io.kairos.bench.fault;

import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.task.ExecutionLog.Execution;
import io.kairos.bench.task.KairosTarget;
import io.kairos.bench.task.TaskLoad;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.bench.task.TaskWorkerMain;
import io.kairos.bench.task.TaskWorkers;
import io.kairos.client.KairosClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Four nodes as shipped, two workers that know all of them, and a client that does, with tasks
 * scheduled one in a call, for something to happen to the nodes. Begun and ended by the fault's
 * thread.
 */
final class NodesScene implements AutoCloseable {
  private static final int NODES = 4;
  private static final int WORKERS = 2;
  private static final int EXECUTORS = 4;
  private static final int CALLERS = 64;
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  /** Lease, and the first backoff of a failed attempt. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  private final FaultContext context;
  private final Rig rig;
  private final RouteTopics topics;
  private final TaskWorkers workers;
  private final Connection connection;
  private final TaskStoreCount before;
  private final KairosClient client;
  private final TaskLoad load;

  private NodesScene(FaultContext context) throws SQLException {
    this.context = context;
    rig = Rig.start(context.workplace(), context.server());
    TaskWorkers started = null;
    boolean complete = false;
    try {
      topics = rig.newRoute(context.partitions());
      for (int i = 0; i < NODES; i++) {
        rig.launchNode(topics, context.settings());
      }
      rig.nodes().forEach(node -> node.awaitReady(READY_WITHIN));
      String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
      started = TaskWorkers.start(rig, context.workplace(), "worker", WORKERS, EXECUTORS);
      workers = started;
      connection = rig.connect();
      before = TaskStoreCount.of(connection);
      client = KairosClient.connect(addresses);
      load = load();
      complete = true;
    } finally {
      if (!complete) {
        if (started != null) {
          started.close();
        }
        rig.close();
      }
    }
  }

  private TaskLoad load() {
    long run = new SplittableRandom().nextLong() >>> 1;
    return new TaskLoad(
            KairosTarget.of(client, TaskWorkerMain.HANDLER),
            new TaskLoad.Plan(
                context.load().perSecond(), 1, 0, CALLERS, WallClock.micros(), Long.MAX_VALUE),
            new Payload(run, context.load().valueBytes()),
            DueTimes.after(Duration.ZERO, Duration.ZERO, run),
            () -> 0)
        .start();
  }

  /** All is ready, and tasks come. */
  static NodesScene begin(FaultContext context) throws SQLException {
    return new NodesScene(context);
  }

  /** Those that run, in the order of their start. */
  List<NodeProcess> nodes() {
    return rig.nodes();
  }

  /** SIGTERM, and a new one at the same address. Returns how long it was away. */
  Duration restart(NodeProcess node) {
    long began = System.nanoTime();
    node.stop();
    rig.launchAgain(node, topics, context.settings()).awaitReady(READY_WITHIN);
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /**
   * What is left when a load is over.
   *
   * @param executions by their beginning
   * @param failure of the last call that failed; empty when none did
   */
  record Outcome(TaskAccounts accounts, List<Execution> executions, String failure) {}

  /** Ends the load, waits until all has ended, and counts. */
  Outcome settle() throws SQLException, InterruptedException {
    load.stop();
    load.join();
    Waiting.until(() -> TaskStoreCount.unfinished(connection) == before.unfinished(), QUIET);
    workers.stop();
    Ledger ledger = Ledger.ofEverything(0);
    List<Execution> executions = new ArrayList<>();
    workers.read(executions::add);
    executions.sort((one, other) -> Long.compare(one.beganNanos(), other.beganNanos()));
    executions.forEach(
        one -> ledger.arrived(one.sequence(), one.dueMicros(), one.beganMicros(), true));
    return new Outcome(
        TaskAccounts.of(load, ledger, TaskStoreCount.of(connection).since(before)),
        executions,
        load.failure().map(RuntimeException::toString).orElse(""));
  }

  @Override
  public void close() throws SQLException {
    load.close();
    workers.close();
    client.close();
    connection.close();
    rig.close();
  }
}
