package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.node.LivenessStore.Departed;
import io.kairos.engine.task.port.Attempt;
import io.kairos.engine.task.port.Settled;
import io.kairos.engine.task.port.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Returns tasks whose holder has not been heard of to their queues (DA-17 b, c, d; DA-21): leases
 * of workers that lapsed, and what a departed node had in memory, without waiting for the enqueue
 * timeout. Ends what has not begun by its start deadline. Safe to run on every node at once: each
 * write compares the fence that was read, and the trigger. The holder is suspected, not known, to
 * have failed.
 */
final class ReapStep implements Step {
  private static final Duration EVERY = Duration.ofMillis(250);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Consumer<AttemptEnd> ended;
  private final Consumer<Set<QueueId>> room;
  private final Runnable returned;

  /** Departed nodes that were found to hold nothing. */
  private final Set<NodeId> done = new HashSet<>();

  /** How many tasks this round has taken from holders or ended. */
  private int reaped;

  /**
   * @param ended told of each lapsed attempt that was settled
   * @param room told of queues in which tasks may begin now that could not before
   * @param returned told when tasks wait again that were held
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
  }

  @Override
  public String name() {
    return "reap-tasks";
  }

  @Override
  public Next runOnce() {
    if (ports.life().get().isEmpty()) {
      return Next.after(EVERY);
    }
    reaped = 0;
    boolean more = reapLapsed();
    more |= expire();
    more |= releaseDeparted();
    return (more ? Next.AT_ONCE : Next.after(EVERY)).having(reaped);
  }

  private boolean reapLapsed() {
    List<Attempt> lapsed = ports.tasks().lapsed(config.maxBatch());
    if (lapsed.isEmpty()) {
      return false;
    }
    List<Settlement> settlements = new ArrayList<>(lapsed.size());
    for (Attempt attempt : lapsed) {
      settlements.add(
          attempt.state() == TaskState.ENQUEUED
              ? new Settlement.Requeue(attempt.task())
              : settlement(attempt, decision(attempt)));
    }
    Settled answer = ports.tasks().settle(settlements);
    room.accept(answer.roomIn());
    Set<FencedTask> settled = answer.tasks();
    List<Attempt> taken =
        lapsed.stream().filter(attempt -> settled.contains(attempt.task())).toList();
    reaped += taken.size();
    if (!taken.isEmpty()) {
      ports.events().lapsed(taken);
      returned.run();
    }
    taken.stream()
        .filter(attempt -> attempt.state() == TaskState.PROCESSING)
        .forEach(attempt -> ended.accept(decision(attempt)));
    return lapsed.size() == config.maxBatch();
  }

  /** What has not begun by its start deadline. */
  private boolean expire() {
    int expired = ports.tasks().expire(config.maxBatch());
    reaped += expired;
    for (int i = 0; i < expired; i++) {
      ended.accept(new AttemptEnd.Finish(TaskState.FAILED, "not started by its start deadline"));
    }
    return expired == config.maxBatch();
  }

  private static AttemptEnd decision(Attempt attempt) {
    return AttemptEnd.ofLapse(attempt.number(), attempt.retryPolicy());
  }

  private static Settlement settlement(Attempt attempt, AttemptEnd decision) {
    return switch (decision) {
      case AttemptEnd.Finish(TaskState state, String error) ->
          new Settlement.Finish(attempt.task(), state, error, true);
      case AttemptEnd.Retry(Duration delay, String error) ->
          new Settlement.Retry(attempt.task(), delay, error, true);
      case AttemptEnd.GiveBack() ->
          throw new IllegalStateException("whether a lapsed attempt was begun is not known");
    };
  }

  /** Looks through all held tasks, so only while there is a departed node that may hold some. */
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
