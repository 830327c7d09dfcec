package io.kairos.simulator.task;

import static io.kairos.simulator.kernel.RareState.HANDLER_ABANDONED;
import static io.kairos.simulator.kernel.RareState.WORKER_DRAINED;
import static io.kairos.simulator.kernel.RareState.WORKER_HALTED;
import static io.kairos.simulator.kernel.RareState.WORKER_PAUSED_BEYOND_ITS_LEASE;
import static io.kairos.simulator.kernel.RareState.WORKER_STOPPED_ITSELF;
import static java.util.Objects.requireNonNull;

import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.client.worker.WorkerListener;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.simulator.kernel.Fiber;
import io.kairos.simulator.kernel.FiberGroup;
import io.kairos.simulator.kernel.Kernel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One run of a worker's program: the production {@link Worker} with its executors as fibers, its
 * timers on the virtual clock, and its connections on the simulated {@link WorkerNetwork}; with
 * handlers that the workload controls, and the worker's faults.
 */
final class WorkerRun {
  private static final long STARTS_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

  private final TaskCluster world;
  private final Kernel kernel;
  private final WorkerHost host;
  private final String name;
  final FiberGroup process;
  private final Worker worker;
  private final List<Fiber> executors = new ArrayList<>();
  private final Set<TaskTrack.Execution> executing = new LinkedHashSet<>();

  /** Executions whose handlers ignore that they are to stop. */
  private final Map<TaskTrack.Execution, TaskContext> stubborn = new HashMap<>();

  private long excusedUntilNanos = Long.MIN_VALUE;

  WorkerRun(TaskCluster world, WorkerHost host, String name) {
    this.world = world;
    this.kernel = world.kernel;
    this.host = host;
    this.name = name;
    this.process = new FiberGroup(name);
    Map<String, WorkerEdge> wires = new LinkedHashMap<>();
    world.nodes.forEach(node -> wires.put(node.toString(), new WorkerEdge(world, process, node)));
    Worker.Builder builder =
        Worker.builder(wires.keySet().toArray(String[]::new))
            .name(name)
            .transport(node -> SimulatedChannel.builder(this, requireNonNull(wires.get(node))))
            .concurrency(host.executors)
            .executor(this::execute)
            .time(new WorkerTime(this, kernel, world.trueTime))
            .stopTime(Duration.ofNanos(world.tasks.graceNanos() * 2))
            .haltBy(_ -> halt())
            .listener(
                new WorkerListener() {
                  @Override
                  public void abandoned(String handler) {
                    // The client goes on after the halt, which does not return in truth.
                    world.ledger.reached(HANDLER_ABANDONED, !process.isDead());
                  }
                });
    this.worker = (world.wiring.workersAreStrict() ? builder.strictPriority() : builder).build();
    for (TaskHandler handler : host.handlers) {
      worker.handle(
          handler.wireName(),
          PayloadCodec.bytes(),
          (_, context) -> perform(context),
          host.halts && world.wiring.workersStopThemselves() && world.wiring.workersHalt()
              ? HandlerOptions.HALT_JVM
              : HandlerOptions.DEFAULT);
    }
  }

  void start() {
    world.ledger.note(120, () -> name + " starts");
    worker.start();
  }

  private void execute(Runnable loop) {
    if (!process.isDead()) {
      executors.add(kernel.spawn(name + "/executor", process, loop));
    }
  }

  /** Runs an event from outside or from a timer of the worker. */
  void later(long nanos, Runnable action) {
    kernel.tell(
        process,
        nanos,
        () -> {
          action.run();
          wakeInterrupted();
        });
  }

  /** Called after code that may have interrupted a handler. */
  void wakeInterrupted() {
    for (Fiber executor : executors) {
      if (executor.isInterrupted()) {
        kernel.wake(executor);
      }
    }
  }

  // Performing

  /** A handler, on an executor. */
  private void perform(TaskContext context) throws InterruptedException {
    FencedTask task = new FencedTask(new TaskId(context.taskId().value()), context.fence());
    TaskTrack.Execution execution = world.ledger.began(task, this);
    executing.add(execution);
    try {
      TaskWorkload.Performance performance =
          world.workload.performance(execution.task(), context.attempt());
      if (performance.isStubborn()) {
        stubborn.put(execution, context);
      }
      if (performance.isStubborn() || !world.wiring.workersStopThemselves()) {
        goOn(performance.nanos());
      } else {
        obey(performance.nanos(), context);
      }
      if (performance.killsWorker()) {
        crash();
        kernel.sleep(0);
      }
      world.ledger.performed(task, performance.outcome());
      end(performance.outcome(), context);
    } finally {
      stubborn.remove(execution);
      if (executing.remove(execution)) {
        world.ledger.ended(execution);
      }
    }
  }

  /** Works, whatever it is told. */
  private void goOn(long nanos) {
    long until = kernel.nowNanos() + nanos;
    while (kernel.nowNanos() < until) {
      kernel.sleep(until - kernel.nowNanos());
    }
  }

  /** Works until it is told to stop, and stops within the time that it has. */
  private void obey(long nanos, TaskContext context) throws InterruptedException {
    try {
      kernel.sleepInterruptibly(nanos);
    } catch (InterruptedException e) {
      goOn(host.random.nextLong(world.tasks.graceNanos() * 3 / 4));
      world.ledger.reached(
          WORKER_STOPPED_ITSELF,
          context.cancelReason().filter(CancelReason.LEASE_LOST::equals).isPresent());
      throw e;
    }
  }

  private static void end(AttemptOutcome outcome, TaskContext context) {
    switch (outcome) {
      case AttemptOutcome.Succeeded(var value) -> {
        if (!value.isNone()) {
          context.result(io.kairos.client.task.TaskResult.of(value.value(), value.contentType()));
        }
      }
      case AttemptOutcome.RetryLater(String error, _, _) -> throw new RetryLater(error);
      case AttemptOutcome.RetryAfter(String error, _, _, Duration delay) ->
          throw new RetryLater(error, delay);
      case AttemptOutcome.Failed(String error, _, _) -> throw new FatalFailure(error);
      case AttemptOutcome.NotBegun _ -> throw new NotBegun("not begun");
      case AttemptOutcome.Snoozed(Duration delay) -> throw new Snooze(delay);
      case AttemptOutcome.Cancelled _ ->
          throw new IllegalArgumentException("no handler cancels itself");
    }
  }

  // Its end, and what befalls it

  /** Asks for no more work; what is here is performed, for so long. */
  void drain(long withinNanos) {
    later(
        0,
        () -> {
          var _ = worker.drain(Duration.ofNanos(withinNanos)).thenRun(this::exit);
        });
  }

  private void exit() {
    if (!process.isDead()) {
      world.ledger.reached(WORKER_DRAINED);
      crash();
    }
  }

  private void halt() {
    if (!process.isDead()) {
      world.ledger.reached(WORKER_HALTED);
      crash();
    }
  }

  /** Dies here and now; its machine starts another a little later. */
  void crash() {
    if (process.isDead()) {
      return;
    }
    world.ledger.note(121, () -> name + " ends");
    process.die();
    executing.forEach(world.ledger::ended);
    executing.clear();
    world.wire.died(process);
    executors.forEach(kernel::kill);
    host.startAfter(STARTS_AGAIN_NANOS);
  }

  /** Stands still; what it was performing goes on afterwards, until it notices. */
  void freeze(long nanos) {
    world.ledger.note(122, () -> name + " is frozen for " + nanos / 1_000_000 + " ms");
    long until = kernel.nowNanos() + nanos;
    process.freezeUntil(until);
    excusedUntilNanos =
        Math.max(
            excusedUntilNanos,
            until + world.tasks.tickNanos() + world.tasks.graceNanos() + 50_000_000);
    world.ledger.reached(
        WORKER_PAUSED_BEYOND_ITS_LEASE, nanos > world.tasks.leaseNanos() && !executing.isEmpty());
  }

  /**
   * True when the handler was told that its lease is lost, ignores that, and the worker was not
   * asked to halt for it: then the task may begin anew beside it.
   */
  boolean hasAbandoned(TaskTrack.Execution execution) {
    TaskContext context = stubborn.get(execution);
    return !host.halts
        && context != null
        && context.cancelReason().filter(CancelReason.LEASE_LOST::equals).isPresent();
  }

  /** It stands still, or has just come back: its executions may be somebody else's by now. */
  boolean isExcused() {
    return kernel.nowNanos() <= excusedUntilNanos;
  }

  @Override
  public String toString() {
    return name;
  }
}
