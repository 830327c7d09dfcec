package io.kairos.simulator.task;

import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.model.node.ModelLivenessStore;
import io.kairos.model.task.ModelTaskStore;
import io.kairos.simulator.kernel.ClusterFaults;
import io.kairos.simulator.kernel.NodeHost;
import io.kairos.simulator.kernel.PortCall;
import io.kairos.simulator.kernel.SimulatedCluster;
import io.kairos.simulator.kernel.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A cluster for tasks: one store, three nodes, the workers that ask them, and callers. */
public class TaskCluster extends SimulatedCluster {

  final TaskWiring wiring;

  /** How the nodes deal with tasks. */
  final TaskScenario tasks;

  private final TaskHistory ledger;
  public final TaskStoreRules storeRules;
  final LivenessStore liveness;

  /** The store for the runs of schedules. */
  public final ModelTaskStore model;

  final TaskStore store;
  final WorkerNetwork wire;
  private final List<NodeHost<TaskNodeRun>> nodes = new ArrayList<>();
  final List<WorkerHost> workers = new ArrayList<>();
  private final SplittableRandom ids;
  final TaskWorkload workload;
  private final ClusterFaults faults;

  public TaskCluster(long seed, TaskWiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  public TaskCluster(SplittableRandom random, TaskWiring wiring, boolean keepsLines) {
    super(random, new Span(TaskScenario.HEAL_AT, TaskScenario.END_AT));
    this.wiring = wiring;
    this.tasks = TaskScenario.draw(random.split());
    this.ledger = new TaskHistory(kernel, keepsLines);
    this.storeRules = new TaskStoreRules(ledger, this);
    this.liveness = wiring.liveness(new ModelLivenessStore(trueTime));
    this.model = new ModelTaskStore(trueTime, storeRules);
    this.store = wiring.tasks(model);
    this.wire = new WorkerNetwork(this);
    this.ids = random.split();
    this.workload = new TaskWorkload(this, random.split());
    this.faults = new TaskFaults(this, random.split(), moreCalls());
    for (int i = 0; i < TaskScenario.NODES; i++) {
      nodes.add(new NodeHost<TaskNodeRun>(this, "node-" + (i + 1), this::process));
    }
    addWorkers(random.split());
  }

  /** At which nodes crash, stand still and fail, beside the calls of tasks. */
  public List<String> moreCalls() {
    return List.of();
  }

  /** A node is started. */
  public TaskNodeRun process(String run, VirtualClock clock) {
    return new TaskNodeRun(this, run, clock);
  }

  private void addWorkers(SplittableRandom random) {
    for (int i = 1; i <= 2; i++) {
      workers.add(
          new WorkerHost(
              this,
              "quick-" + i,
              Set.of(TaskScenario.QUICK),
              random.nextInt(2, 4),
              random.split()));
    }
    workers.add(
        new WorkerHost(
            this, "slow-1", Set.of(TaskScenario.SLOW), random.nextInt(1, 4), random.split()));
    workers.add(
        new WorkerHost(
            this,
            "slow-2",
            Set.of(TaskScenario.SLOW, TaskScenario.STUCK),
            random.nextInt(3, 5),
            random.split()));
  }

  @Override
  public void scheduleWork() {
    startWorkers();
    workload.schedule();
  }

  public final void startWorkers() {
    workers.forEach(host -> host.startAfter(weather.random.nextLong(3_000_000_000L)));
  }

  @Override
  public void healed() {
    wire.heal();
    WorkerHost late =
        new WorkerHost(
            this, "late-1", Set.of(TaskScenario.LATE), 4, new SplittableRandom(ids.nextLong()));
    workers.add(late);
    workers.forEach(WorkerHost::heal);
  }

  @Override
  public void judge() {
    new TaskFinalRules(ledger, tasks).check();
  }

  @Override
  public <T> T carryOut(PortCall operation, Supplier<T> effect) {
    return storeRules.during(operation, effect);
  }

  @Override
  public TaskHistory ledger() {
    return ledger;
  }

  @Override
  public ClusterFaults faults() {
    return faults;
  }

  @Override
  public List<NodeHost<TaskNodeRun>> nodes() {
    return nodes;
  }

  @Override
  public long nextNodeBits() {
    return ids.nextLong();
  }
}
