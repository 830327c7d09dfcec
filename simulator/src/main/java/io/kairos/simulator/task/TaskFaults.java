package io.kairos.simulator.task;

import io.kairos.simulator.kernel.ClusterFaults;
import io.kairos.simulator.kernel.PortCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Faults of a cluster for tasks: of nodes, of workers, and of the network between them. */
final class TaskFaults extends ClusterFaults<TaskCluster> {
  private static final int KINDS = 25;
  private static final int FEWEST_OF_GRAPHS = 8;
  private static final List<String> OF_TASKS =
      List.of("insert", "enqueue", "claim", "heartbeat", "settle", "lapsed", "reap", "release");

  /**
   * @param more names of calls at which nodes crash, stand still and fail, beside those of tasks;
   *     with them the store's clock does not jump, because it is not theirs
   */
  TaskFaults(TaskCluster world, SplittableRandom random, List<String> more) {
    super(world, random, more.isEmpty() ? KINDS : KINDS - 1, calls(more));
  }

  private TaskFaults(TaskCluster world, SplittableRandom random, int fewest, List<String> more) {
    super(world, random, fewest, KINDS, calls(more));
  }

  /** Fewer of all kinds, for a short simulation, also at the calls that follow ends of tasks. */
  static TaskFaults ofGraphs(TaskCluster world, SplittableRandom random) {
    return new TaskFaults(
        world, random, FEWEST_OF_GRAPHS, List.of("followEnds", "followEnds", "sweepEdges"));
  }

  private static List<Predicate<PortCall>> calls(List<String> more) {
    List<String> names = new ArrayList<>(OF_TASKS);
    names.addAll(more);
    List<Predicate<PortCall>> calls = new ArrayList<>();
    for (String name : names) {
      calls.add(operation -> operation instanceof TaskCall call && call.isNamed(name));
    }
    calls.add(PortCall.Renew.class::isInstance);
    calls.add(_ -> true);
    return calls;
  }

  @Override
  public void strike(int kind) {
    switch (kind) {
      case 0 -> crash(anyNode());
      case 1, 2, 3 -> crashAtCall(anyNode());
      case 4 -> freeze(anyNode());
      case 5, 6 -> freezeAtCall(anyNode());
      case 7 -> stop(anyNode());
      case 8, 9 -> failAtCalls(anyNode());
      case 10 -> storeAway();
      case 11 -> storeAwayFor(anyNode());
      case 12 -> storeSlow();
      case 13 -> clockWithinBound(anyNode());
      case 14 -> clockBeyondBound(anyNode());
      case 15 -> netSlow();
      case 16, 17 -> strikeWorker(WorkerRun::crash);
      case 18, 19, 20 ->
          strikeWorker(worker -> worker.freeze(Math.max(1, lasting(Duration.ofSeconds(12)))));
      case 21 -> strikeWorker(this::cutOff);
      case 22 -> strikeWorker(this::drain);
      case 23 -> netLosesMuch();
      case 24 -> storeClockJumps(random.nextBoolean());
      default -> throw new IllegalStateException("no such fault: " + kind);
    }
  }

  private void netSlow() {
    world.ledger.note(70, () -> "the net is slow");
    struck();
    world.weather.brokerSlowness = random.nextInt(5, 300);
    until(lasting(Duration.ofSeconds(10)), () -> world.weather.brokerSlowness = 1);
  }

  private void netLosesMuch() {
    world.ledger.note(71, () -> "the net loses much");
    struck();
    world.weather.lostAcksPerMille = random.nextInt(50, 400);
    until(lasting(Duration.ofSeconds(12)), () -> world.weather.lostAcksPerMille = 4);
  }

  private void strikeWorker(Consumer<WorkerRun> fault) {
    WorkerRun worker = world.workers.get(random.nextInt(world.workers.size())).worker();
    if (worker != null) {
      struck();
      fault.accept(worker);
    }
  }

  private void cutOff(WorkerRun worker) {
    world.ledger.note(72, () -> worker + " is cut off");
    world.wire.cut(worker.process);
    until(lasting(Duration.ofSeconds(10)), () -> world.wire.mend(worker.process));
  }

  private void drain(WorkerRun worker) {
    world.ledger.note(73, () -> worker + " drains");
    worker.drain(random.nextBoolean() ? 0 : random.nextLong(1_500_000_000L));
  }
}
