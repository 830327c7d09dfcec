package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.Transitions;
import io.kairos.domain.task.Transitions.Decision;
import io.kairos.engine.task.port.Attempt;
import io.kairos.engine.task.port.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Ends attempts as their workers say (DA-17 e, f, g). One statement for a batch of successes; what
 * failed for now costs another, which asks how often it may be tried.
 */
final class Settling {
  private final TaskPorts ports;
  private final Consumer<Decision> ended;

  Settling(TaskPorts ports, Consumer<Decision> ended) {
    this.ports = ports;
    this.ended = ended;
  }

  List<ReportResult> settle(List<Report> reports) {
    ReportResult[] results = new ReportResult[reports.size()];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      open.add(i);
    }
    while (!open.isEmpty()) {
      open = round(reports, open, results);
    }
    return Arrays.asList(results);
  }

  /**
   * Settles at most one report of each task: of two about the same task at most one has its fence.
   *
   * @return what is left for another round
   */
  private List<Integer> round(List<Report> reports, List<Integer> open, ReportResult[] results) {
    List<Integer> now = new ArrayList<>();
    List<Integer> later = new ArrayList<>();
    Set<TaskId> seen = new HashSet<>();
    for (int i : open) {
      (seen.add(reports.get(i).task().id()) ? now : later).add(i);
    }
    Map<TaskId, Decision> decisions = decide(now.stream().map(reports::get).toList());
    Set<FencedTask> settled =
        decisions.isEmpty()
            ? Set.of()
            : ports
                .tasks()
                .settle(
                    now.stream()
                        .map(reports::get)
                        .filter(report -> decisions.containsKey(report.task().id()))
                        .map(report ->
                            settlement(
                                report.task(), requireNonNull(decisions.get(report.task().id()))))
                        .toList());
    for (int i : now) {
      TaskId id = reports.get(i).task().id();
      if (settled.contains(reports.get(i).task())) {
        ended.accept(requireNonNull(decisions.get(id)));
        results[i] = new ReportResult.Accepted();
      } else {
        ports.events().refused();
        results[i] = whoHolds(id);
      }
    }
    return later;
  }

  /** What each report means; none for a failed attempt that is not under way. */
  private Map<TaskId, Decision> decide(List<Report> reports) {
    Map<TaskId, Decision> decisions = HashMap.newHashMap(reports.size());
    Map<FencedTask, Outcome.Again> failed = new HashMap<>();
    for (Report report : reports) {
      switch (report.outcome()) {
        case Outcome.End end -> decisions.put(report.task().id(), Transitions.after(end));
        case Outcome.Again again -> failed.put(report.task(), again);
      }
    }
    if (!failed.isEmpty()) {
      for (Attempt attempt : ports.tasks().attempts(failed.keySet())) {
        decisions.put(
            attempt.task().id(),
            Transitions.after(
                requireNonNull(failed.get(attempt.task())),
                attempt.number(),
                attempt.retryPolicy(),
                ports.chance().getAsDouble()));
      }
    }
    return decisions;
  }

  private ReportResult whoHolds(TaskId id) {
    return ports
        .tasks()
        .holder(id)
        .<ReportResult>map(ReportResult.HeldBy::new)
        .orElseGet(ReportResult.NotHeld::new);
  }

  private static Settlement settlement(FencedTask task, Decision decision) {
    return switch (decision) {
      case Decision.Finish(TaskState state, String error) ->
          new Settlement.Finish(task, state, error, false);
      case Decision.Retry(Duration delay, String error) ->
          new Settlement.Retry(task, delay, error, false);
    };
  }
}
