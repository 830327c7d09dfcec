package io.kairos.simulator.task;

import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.model.node.ModelLivenessStore;
import io.kairos.model.task.ModelTaskStore;
import io.kairos.simulator.kernel.PortCall;
import io.kairos.simulator.kernel.SimulatedCluster;
import io.kairos.simulator.kernel.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A cluster for tasks: one store, three nodes, the workers that ask them, and callers. */
public class TaskCluster extends SimulatedCluster<TaskNodeRun, TaskHistory> {

  final TaskWiring wiring;

  /** Settings of the nodes for tasks. */
  final TaskScenario tasks;

  public final TaskStoreRules storeRules;
  final LivenessStore liveness;

  /** The store for the runs of schedules. */
  public final ModelTaskStore model;

  final TaskStore store;
  final WorkerNetwork wire;
  final List<WorkerHost> workers = new ArrayList<>();
  final TaskWorkload workload;

  public TaskCluster(long seed, TaskWiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  public TaskCluster(SplittableRandom random, TaskWiring wiring, boolean keepsLines) {
    this(random, wiring, new Span(TaskScenario.HEAL_AT, TaskScenario.END_AT), keepsLines);
  }

  TaskCluster(SplittableRandom random, TaskWiring wiring, Span span, boolean keepsLines) {
    super(random, span, kernel -> new TaskHistory(kernel, keepsLines));
    this.wiring = wiring;
    this.tasks = TaskScenario.draw(random.split());
    this.storeRules = new TaskStoreRules(ledger, this);
    this.liveness = wiring.liveness(new ModelLivenessStore(storeClock));
    this.model = new ModelTaskStore(storeClock, storeRules, mostReadyAtOnce());
    this.store = wiring.tasks(model);
    this.wire = new WorkerNetwork(this);
    SplittableRandom ids = random.split();
    this.workload = new TaskWorkload(this, random.split());
    addNodes(ids, faults(random.split()), this::process);
    addWorkers(random.split());
  }

  /** Calls, beside those of tasks, at which nodes crash, stand still and fail. */
  public List<String> moreCalls() {
    return List.of();
  }

  TaskFaults faults(SplittableRandom random) {
    return new TaskFaults(this, random, moreCalls());
  }

  /** Successors that one transaction of the store readies at most. */
  int mostReadyAtOnce() {
    return TaskStore.MOST_READY_AT_ONCE;
  }

  /** A node is started. */
  public TaskNodeRun process(String run, VirtualClock clock) {
    return new TaskNodeRun(this, run, clock);
  }

  private void addWorkers(SplittableRandom random) {
    addWorker("quick-1", random.nextInt(2, 4), random, TaskScenario.QUICK);
    addWorker("quick-2", random.nextInt(2, 4), random, TaskScenario.QUICK);
    addWorker("slow-1", random.nextInt(1, 4), random, TaskScenario.SLOW);
    addWorker("slow-2", random.nextInt(3, 5), random, TaskScenario.SLOW, TaskScenario.STUCK);
  }

  private void addWorker(
      String name, int executors, SplittableRandom random, TaskHandler... handlers) {
    workers.add(new WorkerHost(this, name, Set.of(handlers), executors, random.split()));
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
    SplittableRandom random = new SplittableRandom(nextNodeBits());
    addWorker("late-1", 4, random, TaskScenario.LATE);
    addWorker("flooded-1", 3, random, TaskScenario.FLOODED, TaskScenario.ASIDE);
    workers.forEach(WorkerHost::heal);
  }

  @Override
  public void judge() {
    new TaskFinalRules(ledger, tasks, span()).check();
  }

  @Override
  public <T> T carryOut(PortCall operation, Supplier<T> effect) {
    return storeRules.during(operation, effect);
  }
}
