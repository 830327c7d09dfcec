package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.Attempt;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.Settled;
import io.kairos.engine.task.port.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
 * Ends attempts as their workers say (DA-17 e, f, g). One statement for a batch of successes; what
 * failed for now costs another, which asks how often it may be tried. What follows in an ordering
 * key comes into memory with it, if a worker of this node asks for it.
 */
final class Settling {
  private final TaskConfig config;
  private final TaskPorts ports;
  private final Queues queues;
  private final Consumer<AttemptEnd> ended;
  private final Consumer<Set<QueueId>> mayBegin;

  /**
   * @param mayBegin told of queues in which tasks may begin now that could not before
   */
  Settling(
      TaskConfig config,
      TaskPorts ports,
      Queues queues,
      Consumer<AttemptEnd> ended,
      Consumer<Set<QueueId>> mayBegin) {
    this.config = config;
    this.ports = ports;
    this.queues = queues;
    this.ended = ended;
    this.mayBegin = mayBegin;
  }

  /**
   * Judges each report by itself; the results are in order. Of those of one attempt the first is
   * what counts.
   */
  List<ReportResult> settle(List<Report> reports) {
    Map<FencedTask, Outcome> outcomes = LinkedHashMap.newLinkedHashMap(reports.size());
    reports.forEach(report -> outcomes.putIfAbsent(report.task(), report.outcome()));
    Set<FencedTask> settled = settle(decide(outcomes));
    Predicate<Report> counts =
        report ->
            settled.contains(report.task()) && report.outcome().equals(outcomes.get(report.task()));
    Map<TaskId, ReportResult> reasons = reasons(reports.stream().filter(counts.negate()).toList());
    return reports.stream()
        .<ReportResult>map(report ->
            counts.test(report)
                ? new ReportResult.Accepted()
                : reasons.getOrDefault(report.task().id(), new ReportResult.NotHeld()))
        .toList();
  }

  private Set<FencedTask> settle(Map<FencedTask, AttemptEnd> decisions) {
    if (decisions.isEmpty()) {
      return Set.of();
    }
    List<Settlement> settlements = new ArrayList<>(decisions.size());
    decisions.forEach((task, decision) -> settlements.add(settlement(task, decision)));
    Settled answer = apply(settlements);
    answer.tasks().forEach(task -> ended.accept(requireNonNull(decisions.get(task))));
    mayBegin.accept(answer.roomIn());
    return answer.tasks();
  }

  /** Takes into memory what follows in ordering keys. */
  private Settled apply(List<Settlement> settlements) {
    Settled answer = queues.doubting(() -> ports.tasks().settle(settlements, next()));
    queues.offerNext(answer.enqueued());
    return answer;
  }

  /** Where the next tasks of keys go; null while this node may hold none. */
  private @Nullable EnqueueRequest next() {
    Optional<NodeId> life = ports.life().get();
    if (life.isEmpty()) {
      return null;
    }
    queues.liveAs(life.get());
    Queues.NextRoom room = queues.roomForNext();
    return new EnqueueRequest(
        life.get(), room.queues(), room.bytes(), config.horizon(), config.enqueueTimeout());
  }

  /** What each outcome means; none for a failed attempt that is not under way. */
  private Map<FencedTask, AttemptEnd> decide(Map<FencedTask, Outcome> outcomes) {
    Map<FencedTask, AttemptEnd> decisions = HashMap.newHashMap(outcomes.size());
    Map<FencedTask, Outcome.Again> failed = new HashMap<>();
    outcomes.forEach((task, outcome) -> {
      switch (outcome) {
        case Outcome.End end -> decisions.put(task, AttemptEnd.of(end));
        case Outcome.Again again -> failed.put(task, again);
        case Outcome.NotBegun() -> decisions.put(task, new AttemptEnd.GiveBack());
      }
    });
    if (!failed.isEmpty()) {
      for (Attempt attempt : ports.tasks().attempts(failed.keySet())) {
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

  /** One statement: a worker that was cut off has thousands at once. */
  private Map<TaskId, ReportResult> reasons(List<Report> refused) {
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

  private static Settlement settlement(FencedTask task, AttemptEnd decision) {
    return switch (decision) {
      case AttemptEnd.Finish(TaskState state, String text) ->
          new Settlement.Finish(task, state, text, false);
      case AttemptEnd.Retry(Duration delay, String error) ->
          new Settlement.Retry(task, delay, error, false);
      case AttemptEnd.GiveBack() -> new Settlement.NotBegun(task);
    };
  }
}
