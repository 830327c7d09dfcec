package io.kairos.engine.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.memory.TaskMatch;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.engine.trace.SpanPeriod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gives due tasks to waiting workers: claims the tasks in the store, all with one statement, and
 * then hands them out. Sleeps until the next task is due that a worker waits for.
 */
record ClaimTasksStep(
    TaskConfig config, TaskPorts ports, TaskQueues queues, Consumer<Set<QueueId>> mayBegin) {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  NextRound runOnce() {
    if (ports.life().get().isEmpty()) {
      return NextRound.after(LONGEST_WAIT);
    }
    long now = EpochMicros.of(ports.clock().instant());
    List<TaskMatch> matches = queues.match(now, config.maxBatch());
    if (matches.isEmpty()) {
      return nextTask();
    }
    ClaimResult claims = claim(matches);
    List<TaskMatch> left = queues.handOthers(matches, claims);
    try {
      handWithPredecessors(left, claims);
    } finally {
      if (!claims.roomIn().isEmpty()) {
        mayBegin.accept(claims.roomIn());
      }
      tell(matches, claims, now);
    }
    return NextRound.AT_ONCE;
  }

  private ClaimResult claim(List<TaskMatch> matches) {
    boolean answered = false;
    try {
      ClaimResult claims =
          ports.tasks().claim(matches.stream().map(TaskMatch::claim).toList(), config.lease());
      answered = true;
      return claims;
    } finally {
      if (!answered) {
        // If the claim has taken effect, the next claim is refused for its old fence, and the lease
        // lapses.
        queues.putBack(matches.stream().map(TaskMatch::task).toList());
        queues.hand(matches, ClaimResult.NONE);
      }
    }
  }

  /**
   * Hands over tasks that have waited for others, each with the results of its predecessors as far
   * as there is room. When the store does not answer, the tasks are handed over without: they are
   * claimed, and their workers can ask.
   */
  private void handWithPredecessors(List<TaskMatch> matches, ClaimResult claims) {
    if (matches.isEmpty()) {
      return;
    }
    Map<TaskId, Predecessors> predecessors = Map.of();
    try {
      List<PredecessorQuery> queries = queues.roomForPredecessors(matches, claims);
      predecessors = queries.isEmpty() ? predecessors : ports.tasks().predecessors(queries);
    } finally {
      queues.hand(matches, claims, predecessors);
    }
  }

  private NextRound nextTask() {
    long now = EpochMicros.of(ports.clock().instant());
    return NextRound.after(queues.toNextTask(now, LONGEST_WAIT));
  }

  /**
   * @param sinceMicros start of the round, microseconds since 1970
   */
  private void tell(List<TaskMatch> matches, ClaimResult claims, long sinceMicros) {
    if (!claims.heldBack().isEmpty()) {
      ports.events().heldBack(claims.heldBack().size());
    }
    long now = EpochMicros.of(ports.clock().instant());
    for (TaskMatch match : matches) {
      if (claims.claimed().contains(match.task().task())) {
        ports.events().started(match.queueName(), now - match.task().triggerMicros());
        trace(match, sinceMicros, now);
      }
    }
  }

  private void trace(TaskMatch match, long sinceMicros, long untilMicros) {
    TraceContext caller = match.task().details().traceContext();
    if (ports.spans().isOn() && caller != null && caller.isSampled()) {
      ports
          .spans()
          .handedOut(
              match.work(),
              caller,
              match.claim().worker(),
              match.task().triggerMicros(),
              new SpanPeriod(sinceMicros, untilMicros));
    }
  }
}
