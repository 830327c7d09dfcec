package io.kairos.simulator;

import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskIds;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.Inlet;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.TaskEvents;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.TaskPorts;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.WorkRequest;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.testkit.task.TaskStoreCalls;
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
class TaskProcess extends NodeProcess {
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(8);

  private static final Duration STANDS_STILL_AT_MOST = Duration.ofSeconds(20);

  private final TaskWorld world;
  private final NodeLife life;
  private final TaskStore store;
  private final TaskNode tasks;
  private final List<Wire.Call<?>> open = new ArrayList<>();

  /** When a worker of this node last waited for work of a handler, virtual nanoseconds. */
  private final Map<TaskHandler, Long> askedForAtNanos = new HashMap<>();

  private final Map<TaskHandler, Integer> waiting = new HashMap<>();
  private final Set<TaskCall> failed = Collections.newSetFromMap(new IdentityHashMap<>());
  private long stoodStillAtNanos = Long.MIN_VALUE;

  TaskProcess(TaskWorld world, String name, SimClock clock) {
    super(world, name, clock);
    this.world = world;
    Kernel kernel = world.kernel();
    this.life = life(world.scenario().config().liveness(), world.liveness());
    this.store = TaskStoreCalls.through(this::pass, world.store());
    TaskPorts ports =
        new TaskPorts(
            store,
            life.store(),
            life::actingAs,
            clock,
            SimClock.monotonic(kernel),
            () -> new SimWakeup(kernel),
            new TaskIds(clock, world::nextNodeBits)::next,
            () -> world.weather().random().nextDouble(),
            TaskEvents.NONE);
    this.tasks = new TaskNode(world.tasks().config(), world.wiring().around(ports));
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

  boolean hasFailed(TaskCall call) {
    return failed.contains(call);
  }

  TaskStore store() {
    return store;
  }

  final TaskEdge tasks() {
    return tasks;
  }

  /** For what makes tasks beside the edge. */
  final Inlet inlet() {
    return tasks.inlet();
  }

  @Override
  TaskWorld world() {
    return world;
  }

  @Override
  void stop() {
    tasks.stop(STOPS_WITHIN);
    life.end();
  }

  @Override
  void dies() {
    open().forEach(Wire.Call::nodeDied);
  }

  @Override
  void standsStill() {
    stoodStillAtNanos = world.kernel().nowNanos();
  }

  /** It was paused: what it has decided on may be old. */
  boolean hasStoodStill() {
    return stoodStillAtNanos != Long.MIN_VALUE
        && world.kernel().nowNanos() - stoodStillAtNanos < STANDS_STILL_AT_MOST.toNanos();
  }

  // The edge

  void opened(Wire.Call<?> call) {
    open.add(call);
  }

  void closed(Wire.Call<?> call) {
    open.remove(call);
  }

  List<Wire.Call<?>> open() {
    return List.copyOf(open);
  }

  /** Whether a worker waits here for work of the handler, or did within so long. */
  boolean isAskedFor(TaskHandler handler, long withinNanos) {
    Long at = askedForAtNanos.get(handler);
    return waiting.getOrDefault(handler, 0) > 0
        || (at != null && world.kernel().nowNanos() - at <= withinNanos);
  }

  /**
   * A long poll, as the server has it: ends with work, when the wait is over, or when nobody waits.
   */
  void nextWork(WorkRequest request, long waitNanos, Wire.Call<List<Work>> call) {
    request.handlers().forEach(handler -> waits(handler, 1));
    TaskEdge.Waiting wait =
        tasks.nextWork(
            request,
            new Answer<>() {
              @Override
              public void answered(List<Work> work) {
                request.handlers().forEach(handler -> waits(handler, -1));
                if (call.isAbandoned()) {
                  work.forEach(one -> world.ledger().concluded(one.task(), new Outcome.NotBegun()));
                  tasks.giveBack(work);
                } else {
                  world.ledger().handedOut(request.worker(), work);
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
    world.kernel().deliver(process(), waitNanos, wait::end);
  }

  private void waits(TaskHandler handler, int change) {
    waiting.merge(handler, change, Integer::sum);
    askedForAtNanos.put(handler, world.kernel().nowNanos());
  }
}
