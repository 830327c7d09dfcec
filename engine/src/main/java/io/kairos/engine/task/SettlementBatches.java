package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.engine.trace.SpanPeriod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts as their workers report. A batch costs one statement, a second one if it has
 * retryable failures, to read their attempts and retry policies, and one each for the reports that
 * are refused and for attempts that several workers report, to read who holds them. The next task
 * of an ordering key and successors that are ready come into memory at once if a worker of this
 * node asks for them.
 *
 * @param mayHaveEnded receives the tasks whose attempts have ended
 * @param mayBegin receives queues in which tasks may begin now that could not before
 * @param successorsLeft runs when not all successors of the ended tasks have been told
 */
record SettlementBatches(
    TaskConfig config,
    TaskPorts ports,
    TaskQueues queues,
    Consumer<AttemptEnd> ended,
    Consumer<Set<FencedTask>> mayHaveEnded,
    Consumer<Set<QueueId>> mayBegin,
    Runnable successorsLeft) {
  /**
   * Settles each report independently; the results are in order. Of several reports of one attempt
   * the first from the worker that holds it counts.
   */
  List<ReportResult> settle(List<AttemptReport> reports) {
    Map<FencedTask, AttemptReport> chosen = chosen(reports);
    Set<FencedTask> settled = settle(chosen, decide(chosen));
    if (settled.size() == reports.size()) { // nearly always
      return Collections.nCopies(reports.size(), new ReportResult.Accepted());
    }
    Predicate<AttemptReport> counts =
        report -> settled.contains(report.task()) && report.equals(chosen.get(report.task()));
    Map<TaskId, ReportResult> reasons = reasons(reports.stream().filter(counts.negate()).toList());
    return reports.stream()
        .<ReportResult>map(report ->
            counts.test(report)
                ? new ReportResult.Accepted()
                : reasons.getOrDefault(report.task().id(), new ReportResult.NotHeld()))
        .toList();
  }

  /**
   * The report of each attempt that may count: the first. Where several report one attempt, one
   * statement for all finds who holds it; the others of them are refused.
   */
  private Map<FencedTask, AttemptReport> chosen(List<AttemptReport> reports) {
    Map<FencedTask, AttemptReport> chosen = LinkedHashMap.newLinkedHashMap(reports.size());
    Set<FencedTask> disputed = new HashSet<>();
    for (AttemptReport report : reports) {
      AttemptReport first = chosen.putIfAbsent(report.task(), report);
      if (first != null && !first.by().equals(report.by())) {
        disputed.add(report.task());
      }
    }
    if (!disputed.isEmpty()) {
      chosen.keySet().removeAll(disputed);
      Map<TaskId, TaskHolder> holders =
          ports.tasks().holders(disputed.stream().map(FencedTask::id).collect(Collectors.toSet()));
      for (AttemptReport report : reports) {
        TaskHolder holder = holders.get(report.task().id());
        if (disputed.contains(report.task())
            && holder != null
            && report.by().mayHold(holder.name(), holder.performer())) {
          chosen.putIfAbsent(report.task(), report);
        }
      }
    }
    return chosen;
  }

  private Set<FencedTask> settle(
      Map<FencedTask, AttemptReport> chosen, Map<FencedTask, AttemptEnd> decisions) {
    if (decisions.isEmpty()) {
      return Set.of();
    }
    List<Settlement> settlements = new ArrayList<>(decisions.size());
    decisions.forEach((task, decision) -> {
      ReportedBy by = requireNonNull(chosen.get(task)).by();
      settlements.add(Settlement.of(task, decision, by));
    });
    long sinceMicros = ports.spans().isOn() ? EpochMicros.of(ports.clock().instant()) : 0;
    SettlementResult answer = apply(settlements);
    answer.tasks().forEach(task -> ended.accept(requireNonNull(decisions.get(task))));
    mayHaveEnded.accept(answer.tasks());
    for (SettlementResult.Execution execution : answer.executions()) {
      QueueName queue = queues.name(execution.queue());
      if (queue != null) {
        boolean isFailed = requireNonNull(decisions.get(execution.task())).isFailure();
        ports.events().performed(queue, execution.micros(), isFailed);
      }
    }
    mayBegin.accept(answer.roomIn());
    if (answer.successorsLeft()) {
      successorsLeft.run();
    }
    if (ports.spans().isOn() && !answer.traceparents().isEmpty()) {
      trace(answer.traceparents(), decisions, sinceMicros);
    }
    return answer.tasks();
  }

  private void trace(
      Map<FencedTask, String> traceparents,
      Map<FencedTask, AttemptEnd> decisions,
      long sinceMicros) {
    SpanPeriod during = new SpanPeriod(sinceMicros, EpochMicros.of(ports.clock().instant()));
    traceparents.forEach((task, traceparent) ->
        TraceContext.recorded(traceparent)
            .ifPresent(caller ->
                ports.spans().settled(task, caller, requireNonNull(decisions.get(task)), during)));
  }

  /** Settles, and takes tasks into memory that may begin by that. */
  private SettlementResult apply(List<Settlement> settlements) {
    long believedMicros = ports.believedMicros(config.lease());
    SettlementResult answer =
        queues.doubting(() -> ports.tasks().settle(settlements, next(), believedMicros));
    queues.offerNext(answer.enqueued());
    return answer;
  }

  /** The room for tasks that may begin because others end; null while this node may hold none. */
  @Nullable EnqueueRequest next() {
    Optional<NodeId> life = ports.life().get();
    if (life.isEmpty()) {
      return null;
    }
    queues.liveAs(life.get());
    TaskQueues.NextRoom room = queues.roomForNext();
    return new EnqueueRequest(
        life.get(), room.queues(), room.bytes(), config.horizon(), config.enqueueTimeout());
  }

  /**
   * The end that each outcome means for its attempt; absent for a failed attempt that is no longer
   * held.
   */
  private Map<FencedTask, AttemptEnd> decide(Map<FencedTask, AttemptReport> reports) {
    Map<FencedTask, AttemptEnd> decisions = HashMap.newHashMap(reports.size());
    Map<FencedTask, AttemptOutcome.Again> failed = new HashMap<>();
    reports.forEach((task, report) -> {
      switch (report.outcome()) {
        case AttemptOutcome.End end -> decisions.put(task, AttemptEnd.of(end));
        case AttemptOutcome.Again again -> failed.put(task, again);
        case AttemptOutcome.NotBegun() -> decisions.put(task, new AttemptEnd.GiveBack());
        case AttemptOutcome.Snoozed(Duration delay) ->
            decisions.put(task, new AttemptEnd.PutOff(delay));
      }
    });
    if (!failed.isEmpty()) {
      for (HeldAttempt attempt : ports.tasks().attempts(failed.keySet())) {
        decisions.put(
            attempt.task(),
            AttemptEnd.of(
                requireNonNull(failed.get(attempt.task())),
                attempt.number(),
                attempt.retryPolicy(),
                ports.chance().getAsDouble()));
      }
    }
    return decisions;
  }

  /**
   * Finds who holds the refused tasks. One statement for all, because a worker that was cut off may
   * report thousands at once.
   */
  private Map<TaskId, ReportResult> reasons(List<AttemptReport> refused) {
    if (refused.isEmpty()) {
      return Map.of();
    }
    refused.forEach(_ -> ports.events().refused());
    Set<TaskId> ids =
        refused.stream().map(report -> report.task().id()).collect(Collectors.toSet());
    Map<TaskId, ReportResult> reasons = new HashMap<>();
    ports
        .tasks()
        .holders(ids)
        .forEach((id, holder) -> reasons.put(id, new ReportResult.HeldBy(holder)));
    return reasons;
  }
}
