package io.kairos.simulator;

import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.testkit.node.ModelLivenessStore;
import io.kairos.testkit.task.ModelTaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A cluster for tasks: one store, three nodes, the workers that ask them, and callers. */
class TaskWorld extends World {
  private static final Span SPAN =
      new Span(TaskScenario.HEAL_AT.toNanos(), TaskScenario.END_AT.toNanos());

  private final TaskWiring wiring;
  private final TaskScenario tasks;
  private final TaskLedger ledger;
  private final TaskStoreRules storeRules;
  private final LivenessStore liveness;
  private final ModelTaskStore model;
  private final TaskStore store;
  private final Wire wire;
  private final List<SimNode<TaskProcess>> nodes = new ArrayList<>();
  private final List<WorkerHost> workers = new ArrayList<>();
  private final SplittableRandom ids;
  private final TaskWorkload workload;
  private final Faults faults;

  TaskWorld(long seed, TaskWiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  TaskWorld(SplittableRandom random, TaskWiring wiring, boolean keepsLines) {
    super(random);
    this.wiring = wiring;
    this.tasks = TaskScenario.draw(random.split());
    this.ledger = new TaskLedger(kernel(), keepsLines);
    this.storeRules = new TaskStoreRules(ledger, this);
    this.liveness = wiring.liveness(new ModelLivenessStore(trueTime()));
    this.model = new ModelTaskStore(trueTime(), storeRules);
    this.store = wiring.tasks(model);
    this.wire = new Wire(this);
    this.ids = random.split();
    this.workload = new TaskWorkload(this, random.split());
    this.faults = new TaskFaults(this, random.split(), moreCalls());
    for (int i = 0; i < TaskScenario.NODES; i++) {
      nodes.add(new SimNode<TaskProcess>(this, "node-" + (i + 1), this::process));
    }
    addWorkers(random.split());
  }

  /** At which nodes crash, stand still and fail, beside the calls of tasks. */
  List<String> moreCalls() {
    return List.of();
  }

  /** A node is started. */
  TaskProcess process(String run, SimClock clock) {
    return new TaskProcess(this, run, clock);
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
  Span span() {
    return SPAN;
  }

  @Override
  void scheduleWork() {
    startWorkers();
    workload.schedule();
  }

  final void startWorkers() {
    workers.forEach(host -> host.startAfter(weather().random().nextLong(3_000_000_000L)));
  }

  @Override
  void healed() {
    wire.heal();
    WorkerHost late =
        new WorkerHost(
            this, "late-1", Set.of(TaskScenario.LATE), 4, new SplittableRandom(ids.nextLong()));
    workers.add(late);
    workers.forEach(WorkerHost::heal);
  }

  @Override
  void judge() {
    new TaskFinalRules(ledger, tasks).check();
  }

  @Override
  <T> T carryOut(Operation operation, Supplier<T> effect) {
    return storeRules.during(operation, effect);
  }

  TaskWiring wiring() {
    return wiring;
  }

  /** How the nodes deal with tasks. */
  TaskScenario tasks() {
    return tasks;
  }

  @Override
  TaskLedger ledger() {
    return ledger;
  }

  LivenessStore liveness() {
    return liveness;
  }

  final TaskStore store() {
    return store;
  }

  /** What schedules store their runs in. */
  final ModelTaskStore model() {
    return model;
  }

  TaskStoreRules storeRules() {
    return storeRules;
  }

  Wire wire() {
    return wire;
  }

  TaskWorkload workload() {
    return workload;
  }

  @Override
  Faults faults() {
    return faults;
  }

  @Override
  List<SimNode<TaskProcess>> nodes() {
    return nodes;
  }

  List<WorkerHost> workers() {
    return workers;
  }

  @Override
  long nextNodeBits() {
    return ids.nextLong();
  }
}
