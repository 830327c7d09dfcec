package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.LivenessStore.Departed;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.engine.trace.SpanPeriod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Returns tasks to their queues when a worker's lease has lapsed, when the enqueue timeout has
 * passed, or when the node that had them in memory has departed. Ends tasks that have not begun by
 * their start deadline. Safe to run on every node at once, because each write compares the fence
 * and the trigger that were read. The holder is suspected, not known, to have failed. Judges by the
 * time that the node believes, so that no step of the store's clock ends a lease or a task early.
 */
final class ReapStep {
  private static final Duration EVERY = Duration.ofMillis(250);
  private static final Duration SHORTEN_EVERY = Duration.ofMinutes(1);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Consumer<AttemptEnd> ended;
  private final Consumer<Set<QueueId>> room;
  private final Runnable returned;

  /** Departed nodes that were found to hold nothing. */
  private final Set<NodeId> done = new HashSet<>();

  /** Monotonic time from which long leases are looked for again. */
  private long shortenAtNanos;

  /** Number of tasks that this round has taken from holders or ended. */
  private int reaped;

  /**
   * @param ended receives the end of each attempt that was settled
   * @param room receives queues in which tasks may begin now that could not before
   * @param returned runs when tasks were returned to their queues
   */
  ReapStep(
      TaskConfig config,
      TaskPorts ports,
      Consumer<AttemptEnd> ended,
      Consumer<Set<QueueId>> room,
      Runnable returned) {
    this.config = config;
    this.ports = ports;
    this.ended = ended;
    this.room = room;
    this.returned = returned;
    this.shortenAtNanos = ports.monotonic().nanos();
  }

  NextRound runOnce() {
    if (ports.life().get().isEmpty()) {
      return NextRound.after(EVERY);
    }
    reaped = 0;
    OptionalLong believed = ports.leaseClock().micros(config.lease());
    boolean more = false;
    if (believed.isPresent()) {
      more = reapLapsed(believed.getAsLong());
      more |= expire(believed.getAsLong());
    }
    more |= shorten();
    more |= releaseDeparted();
    return (more ? NextRound.AT_ONCE : NextRound.after(EVERY)).having(reaped);
  }

  private boolean reapLapsed(long believedMicros) {
    List<HeldAttempt> lapsed = ports.tasks().lapsed(believedMicros, config.maxBatch());
    if (lapsed.isEmpty()) {
      return false;
    }
    List<Settlement> settlements = new ArrayList<>(lapsed.size());
    for (HeldAttempt attempt : lapsed) {
      settlements.add(
          attempt.state() == TaskState.ENQUEUED
              ? new Settlement.Requeue(attempt.task())
              : Settlement.of(attempt.task(), decision(attempt), ReportedBy.ANY));
    }
    long sinceMicros = ports.spans().isOn() ? EpochMicros.of(ports.clock().instant()) : 0;
    SettlementResult answer = ports.tasks().reap(settlements, believedMicros);
    room.accept(answer.roomIn());
    Set<FencedTask> settled = answer.tasks();
    List<HeldAttempt> taken =
        lapsed.stream().filter(attempt -> settled.contains(attempt.task())).toList();
    reaped += taken.size();
    if (!taken.isEmpty()) {
      ports.events().lapsed(taken);
      returned.run();
    }
    taken.stream()
        .filter(attempt -> attempt.state() == TaskState.PROCESSING)
        .forEach(attempt -> ended.accept(decision(attempt)));
    if (ports.spans().isOn() && !answer.traceparents().isEmpty()) {
      trace(taken, answer.traceparents(), sinceMicros);
    }
    return lapsed.size() == config.maxBatch();
  }

  private void trace(
      List<HeldAttempt> taken, Map<FencedTask, String> traceparents, long sinceMicros) {
    SpanPeriod during = new SpanPeriod(sinceMicros, EpochMicros.of(ports.clock().instant()));
    for (HeldAttempt attempt : taken) {
      String traceparent = traceparents.get(attempt.task());
      if (traceparent != null && attempt.state() == TaskState.PROCESSING) {
        TraceContext.recorded(traceparent)
            .ifPresent(
                caller -> ports.spans().lapsed(attempt.task(), caller, decision(attempt), during));
      }
    }
  }

  /**
   * Shortens leases that a clock which was set back has made long. They are looked for beyond every
   * trigger of an enqueued task, of which the index has many.
   */
  private boolean shorten() {
    long nowNanos = ports.monotonic().nanos();
    if (nowNanos - shortenAtNanos < 0) {
      return false;
    }
    Duration beyond = config.horizon().plus(config.enqueueTimeout()).plus(config.lease());
    int shortened = ports.tasks().shortenLeases(beyond, config.lease(), config.maxBatch());
    if (shortened < config.maxBatch()) {
      shortenAtNanos = nowNanos + SHORTEN_EVERY.toNanos();
    }
    return shortened == config.maxBatch();
  }

  /** Ends tasks that have not begun by their start deadline. */
  private boolean expire(long believedMicros) {
    int expired = ports.tasks().expire(believedMicros, config.maxBatch());
    reaped += expired;
    for (int i = 0; i < expired; i++) {
      ended.accept(new AttemptEnd.Finish(TaskState.FAILED, "not started by its start deadline"));
    }
    return expired == config.maxBatch();
  }

  private AttemptEnd decision(HeldAttempt attempt) {
    return attempt.isOverTime()
        ? AttemptEnd.ofTimeout(
            attempt.number(), attempt.retryPolicy(), ports.chance().getAsDouble())
        : AttemptEnd.ofLapse(attempt.number(), attempt.retryPolicy());
  }

  /**
   * Returns the tasks of departed nodes. The search reads all held tasks, so it runs only while a
   * departed node may hold some.
   */
  private boolean releaseDeparted() {
    Set<NodeId> departed = new HashSet<>();
    for (Departed node : ports.liveness().departed()) {
      departed.add(node.node());
    }
    done.retainAll(departed);
    departed.removeAll(done);
    if (departed.isEmpty()) {
      return false;
    }
    int released =
        ports.tasks().releaseHeldBy(departed, config.enqueueTimeout(), config.maxBatch());
    reaped += released;
    if (released == 0) {
      done.addAll(departed);
      return false;
    }
    returned.run();
    return true;
  }
}
