package io.kairos.simulator.task;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.TaskIds;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.task.TaskInlet;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.setup.TaskEvents;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.model.task.TaskStoreCalls;
import io.kairos.simulator.kernel.Kernel;
import io.kairos.simulator.kernel.NodeRun;
import io.kairos.simulator.kernel.VirtualClock;
import io.kairos.simulator.kernel.VirtualWakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One run of a node of tasks, with its edge: production's {@link TaskNode}, kept alive by
 * production's {@link NodeLife}.
 */
public class TaskNodeRun extends NodeRun<TaskCluster> {
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(8);

  private static final Duration STANDS_STILL_AT_MOST = Duration.ofSeconds(20);

  private final NodeLife life;
  final TaskStore store;
  private final TaskNode tasks;
  final List<WorkerNetwork.Call<?>> open = new ArrayList<>();

  /** When a worker of this node last waited for work of a handler, virtual nanoseconds. */
  private final Map<TaskHandler, Long> askedForAtNanos = new HashMap<>();

  private final Map<TaskHandler, Integer> waiting = new HashMap<>();

  /** Calls whose results this node was not told. */
  final Set<TaskCall> failed = Collections.newSetFromMap(new IdentityHashMap<>());

  private long stoodStillAtNanos = Long.MIN_VALUE;

  public TaskNodeRun(TaskCluster world, String name, VirtualClock clock) {
    super(world, name, clock);
    Kernel kernel = world.kernel;
    this.life = life(world.scenario.config().liveness(), world.liveness);
    this.store = TaskStoreCalls.through(TaskStore.class, this::pass, world.store);
    TaskPorts ports =
        new TaskPorts(
            store,
            life.store(),
            life::actingAs,
            life,
            clock,
            VirtualClock.monotonic(kernel),
            () -> new VirtualWakeup(kernel),
            new TaskIds(clock, world::nextNodeBits)::next,
            () -> world.weather.random.nextDouble(),
            TaskEvents.NONE,
            DueNotifier.NONE);
    this.tasks = new TaskNode(world.tasks.config(), world.wiring.around(ports));
    life.activities().forEach(this::drive);
    tasks.activities().forEach(this::drive);
  }

  /** Every call of the store takes virtual time and may fail. */
  private Object pass(String name, Object argument, Supplier<Object> effect) {
    TaskCall call = new TaskCall(this, name, argument);
    boolean answered = false;
    try {
      Object answer = call(call, effect);
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        failed.add(call);
      }
    }
  }

  final TaskEdge tasks() {
    return tasks;
  }

  /** The way in for code that makes tasks beside the edge. */
  public final TaskInlet inlet() {
    return tasks.inlet();
  }

  @Override
  public void stop() {
    tasks.stop(STOPS_WITHIN);
    life.end();
  }

  @Override
  public void dies() {
    List.copyOf(open).forEach(WorkerNetwork.Call::nodeDied);
  }

  @Override
  public void standsStill() {
    stoodStillAtNanos = world.kernel.nowNanos();
  }

  /** It was paused: what it has decided on may be old. */
  boolean hasStoodStill() {
    return stoodStillAtNanos != Long.MIN_VALUE
        && world.kernel.nowNanos() - stoodStillAtNanos < STANDS_STILL_AT_MOST.toNanos();
  }

  // The edge

  /** True when a worker waits here for work of the handler, or did within that time. */
  boolean isAskedFor(TaskHandler handler, long withinNanos) {
    Long at = askedForAtNanos.get(handler);
    return waiting.getOrDefault(handler, 0) > 0
        || (at != null && world.kernel.nowNanos() - at <= withinNanos);
  }

  /**
   * A long poll, as the server has it: ends with work, when the wait is over, or when nobody waits.
   */
  void nextWork(WorkRequest request, long waitNanos, WorkerNetwork.Call<List<ClaimedTask>> call) {
    request.handlers().forEach(handler -> waits(handler, 1));
    TaskEdge.Waiting wait =
        tasks.nextWork(
            request,
            new AnswerCallback<>() {
              @Override
              public void answered(List<ClaimedTask> work) {
                request.handlers().forEach(handler -> waits(handler, -1));
                if (call.isAbandoned()) {
                  work.forEach(
                      one -> world.ledger.concluded(one.task(), new AttemptOutcome.NotBegun()));
                  tasks.giveBack(work);
                } else {
                  world.ledger.handedOut(request.worker(), work);
                  call.answered(work);
                }
              }

              @Override
              public void failed(RuntimeException cause) {
                request.handlers().forEach(handler -> waits(handler, -1));
                call.failed(cause);
              }
            });
    call.whenAbandoned(wait::end);
    world.kernel.deliver(process, waitNanos, wait::end);
  }

  private void waits(TaskHandler handler, int change) {
    waiting.merge(handler, change, Integer::sum);
    askedForAtNanos.put(handler, world.kernel.nowNanos());
  }
}
