package io.kairos.bench.fault.scene;

import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.ExecutionLog.Execution;
import io.kairos.bench.task.TaskWorkerMain;
import io.kairos.bench.task.TaskWorkers;
import io.kairos.client.TaskRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes as shipped, two workers that know all of them, and a client that does, with tasks scheduled
 * one in a call, for something to happen to the nodes.
 */
public final class NodesScene extends TaskScene {
  private static final int WORKERS = 2;
  private static final int EXECUTORS = 4;
  private static final int CALLERS = 64;

  private final TaskWorkers workers;
  private final List<Execution> executions = new ArrayList<>();

  private NodesScene(FaultContext context, BenchRig rig) throws SQLException {
    super(context, rig);
    workers = TaskWorkers.start(rig, WORKERS, EXECUTORS);
  }

  /** All is ready; nothing is scheduled yet. */
  public static NodesScene begin(FaultContext context, int nodes) throws SQLException {
    return new NodesScene(context, context.startNodes(nodes));
  }

  /** On a rig whose nodes are ready. */
  public static NodesScene on(FaultContext context, BenchRig rig) throws SQLException {
    return new NodesScene(context, rig);
  }

  public void startLoad() {
    startLoad(context.options.rate, 1, CALLERS);
  }

  @Override
  protected TaskRequest.Builder request(long sequence) {
    return TaskRequest.to(TaskWorkerMain.HANDLER);
  }

  /** SIGTERM, and a new one at the same address. Returns how long the stop took. */
  public Duration restart(BenchNodeProcess node) {
    Duration stop = node.stop();
    rig.replaceNode(node);
    return stop;
  }

  /** Ends the workers; {@link #executions} says what they have performed. */
  public void stopWorkers() {
    workers.stop(executions::add);
    executions.sort((one, other) -> Long.compare(one.beganNanos(), other.beganNanos()));
  }

  @Override
  protected void stop(ArrivalLedger ledger) {
    stopWorkers();
    // Workers also perform runs of schedules, which are no tasks of this load.
    executions.stream().filter(one -> one.run() == payload.run()).forEach(one -> one.into(ledger));
  }

  /** Executions by their beginning; only after the scene is settled. */
  public List<Execution> executions() {
    return executions;
  }
}
