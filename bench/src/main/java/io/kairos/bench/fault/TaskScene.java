package io.kairos.bench.fault;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskFlow;
import io.kairos.bench.task.TaskPerformers;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.client.KairosClient;
import io.kairos.client.task.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that run and a load of tasks, for something to happen to nodes or workers. It ends with its
 * rig. Used by the fault's thread.
 */
abstract class TaskScene implements TaskPerformers {
  /** Retries attempts soon that a kill has cut off. */
  static final RetryPolicy SOON =
      RetryPolicy.attempts(100).backoff(Duration.ofMillis(100), 1, Duration.ofMillis(100));

  /** How finely a scene looks at what it waits for. */
  static final Duration LOOK_EVERY = Duration.ofMillis(200);

  /** Lease, some backoffs, and the work itself. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  final FaultContext context;
  final BenchRig rig;
  final Connection connection;
  final KairosClient client;
  final LoadPayload payload;
  private final TaskStoreCount before;
  private @Nullable TaskFlow flow;

  /** On a rig whose nodes are ready. */
  TaskScene(FaultContext context, BenchRig rig) throws SQLException {
    this.context = context;
    this.rig = rig;
    connection = rig.connect();
    before = TaskStoreCount.of(connection);
    client = rig.keep(KairosClient.connect(rig.addresses()));
    payload = LoadPayload.ofNewRun(context.node.valueBytes);
  }

  /** Tasks begin to come. */
  final void startLoad(double perSecond, int batch, int callers) {
    flow = TaskFlow.steady(rig, this, perSecond, batch, callers, payload);
  }

  private TaskFlow flow() {
    return requireNonNull(flow, "no load was started");
  }

  @Override
  public final long unfinished() throws SQLException {
    return TaskStoreCount.unfinished(connection) - before.unfinished();
  }

  @Override
  public final long otherwise() throws SQLException {
    return sinceBegin().otherwise();
  }

  /** The store's counts of the scene's tasks. */
  final TaskStoreCount sinceBegin() throws SQLException {
    return TaskStoreCount.of(connection).since(before);
  }

  /** Ends the load, waits until all has ended, and counts. */
  final LoadAccounts settle() throws SQLException, InterruptedException {
    flow().load().stop();
    return flow().settle(QUIET);
  }

  /** Error of the last call that failed; a dash when none did. */
  final String failure() {
    return flow().load().failure().map(RuntimeException::toString).orElse("-");
  }
}
