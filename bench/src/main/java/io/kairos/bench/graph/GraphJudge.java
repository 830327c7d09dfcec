package io.kairos.bench.graph;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.graph.GraphEvent.Kind;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.graph.OnFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Judges what became of graphs, by what the store says of each task at the end and what workers
 * noted of each attempt: no successor is missing, began early, was readied twice, or ended without
 * an attempt and without a reason. Built up by one thread.
 */
public final class GraphJudge {
  private final Map<UUID, Stored> tasks = new HashMap<>();
  private final Map<UUID, List<Edge>> before = new HashMap<>();
  private final Map<UUID, List<GraphEvent>> events = new HashMap<>();

  /** The tasks that were to be cancelled; true with all that wait for them. */
  private final Map<UUID, Boolean> cancels = new HashMap<>();

  /** Whether a cancel with all that wait reaches a task, by what is known so far. */
  private final Map<UUID, Boolean> reached = new HashMap<>();

  /** Tasks that may go on waiting, by what is known so far. */
  private final Map<UUID, Boolean> excused = new HashMap<>();

  private final List<String> missing = new ArrayList<>();
  private final List<String> early = new ArrayList<>();
  private final List<String> twice = new ArrayList<>();

  /** One task waits for another. */
  public record Edge(UUID predecessor, UUID successor, OnFailure onFailure) {}

  /**
   * A task as it is in the store.
   *
   * @param endedMicros when it ended, by the store's clock; 0 when it has not
   * @param fence of its last attempt
   * @param failed the numbers of the attempts that failed or lapsed
   */
  public record Stored(TaskState state, long endedMicros, long fence, Set<Integer> failed) {}

  public void stored(UUID id, Stored task) {
    tasks.put(id, task);
  }

  public void saw(GraphEvent event) {
    events.computeIfAbsent(event.task(), _ -> new ArrayList<>()).add(event);
  }

  /** A call that cancels a task was begun, answered or not. */
  public void cancelled(UUID id, boolean withSuccessors) {
    cancels.merge(id, withSuccessors, Boolean::logicalOr);
  }

  /** Judges the tasks of accepted graphs, when all else is told. */
  public void judge(List<UUID> accepted, List<Edge> edges) {
    edges.forEach(
        edge -> before.computeIfAbsent(edge.successor(), _ -> new ArrayList<>()).add(edge));
    accepted.forEach(this::judge);
  }

  private void judge(UUID id) {
    Stored task = tasks.get(id);
    if (task == null) {
      missing.add(id + " is not in the store");
      return;
    }
    if (!task.state().isFinished() && !mayWait(id)) {
      missing.add(id + " is still " + task.state() + " after " + ends(id));
    }
    List<GraphEvent> own = events.getOrDefault(id, List.of());
    if (task.state() == TaskState.SUCCEEDED
        && own.stream().noneMatch(event -> event.kind() == Kind.ENDED)) {
      missing.add(id + " has succeeded, and nobody has performed it");
    }
    OptionalLong began =
        own.stream()
            .filter(event -> event.kind() == Kind.BEGAN)
            .mapToLong(GraphEvent::micros)
            .min();
    if (began.isPresent()) {
      judgeBegin(id, began.getAsLong());
    } else if (task.state().isFinished()
        && task.state() != TaskState.SUCCEEDED
        && !hasReason(id, task.state())) {
      missing.add(id + " is " + task.state() + ", which nobody has performed, after " + ends(id));
    }
    judgeAttempts(id, task, own);
  }

  /** True when a predecessor or a cancel ends a task that has not begun so. */
  private boolean hasReason(UUID id, TaskState end) {
    if (end == TaskState.CANCELLED && (cancels.containsKey(id) || isReached(id))) {
      return true;
    }
    EdgeEffect reason = end == TaskState.CANCELLED ? EdgeEffect.CANCELS : EdgeEffect.FAILS;
    return ends(id).contains(reason);
  }

  /** True when the task, or one for which it waits, was cancelled with all that wait. */
  private boolean isReached(UUID id) {
    Boolean known = reached.get(id);
    if (known != null) {
      return known;
    }
    boolean is =
        cancels.getOrDefault(id, false)
            || before.getOrDefault(id, List.of()).stream()
                .anyMatch(edge -> isReached(edge.predecessor()));
    reached.put(id, is);
    return is;
  }

  /** True when a predecessor holds it up, as its edge says, or is held up itself. */
  private boolean mayWait(UUID id) {
    Boolean known = excused.get(id);
    if (known != null) {
      return known;
    }
    boolean holds = false;
    for (Edge edge : before.getOrDefault(id, List.of())) {
      EdgeEffect effect = effect(edge);
      if (effect == EdgeEffect.FAILS || effect == EdgeEffect.CANCELS) {
        holds = false;
        break;
      }
      holds |= effect == EdgeEffect.STAYS_OPEN || (effect == null && mayWait(edge.predecessor()));
    }
    excused.put(id, holds);
    return holds;
  }

  /** Null when the predecessor has not ended. */
  private @Nullable EdgeEffect effect(Edge edge) {
    Stored predecessor = tasks.get(edge.predecessor());
    return predecessor == null || !predecessor.state().isFinished()
        ? null
        : EdgeEffect.of(edge.onFailure(), predecessor.state());
  }

  private List<@Nullable EdgeEffect> ends(UUID id) {
    List<@Nullable EdgeEffect> ends = new ArrayList<>();
    before.getOrDefault(id, List.of()).forEach(edge -> ends.add(effect(edge)));
    return ends;
  }

  private void judgeBegin(UUID id, long beganMicros) {
    for (Edge edge : before.getOrDefault(id, List.of())) {
      if (effect(edge) != EdgeEffect.SATISFIED) {
        early.add(id + " began although of its edges one is " + ends(id));
        return;
      }
      Stored predecessor = requireNonNull(tasks.get(edge.predecessor()));
      long noted =
          events.getOrDefault(edge.predecessor(), List.of()).stream()
              .filter(event -> event.kind() == Kind.ENDED && event.fence() == predecessor.fence())
              .mapToLong(GraphEvent::micros)
              .max()
              .orElse(0);
      long ended = Math.max(noted, predecessor.endedMicros());
      if (beganMicros < ended) {
        early.add(
            "%s began %d us before %s had ended"
                .formatted(id, ended - beganMicros, edge.predecessor()));
        return;
      }
    }
  }

  /** Each attempt begins once, and is followed by another only when it has failed or lapsed. */
  private void judgeAttempts(UUID id, Stored task, List<GraphEvent> own) {
    Set<Integer> begun = new HashSet<>();
    int last = 0;
    for (GraphEvent event : own) {
      if (event.kind() == Kind.BEGAN) {
        if (!begun.add(event.attempt())) {
          twice.add(id + " began attempt " + event.attempt() + " twice");
          return;
        }
        last = Math.max(last, event.attempt());
      }
    }
    for (int attempt : begun) {
      if (attempt < last && !task.failed().contains(attempt)) {
        twice.add(
            "%s began attempt %d although attempt %d had not failed or lapsed"
                .formatted(id, last, attempt));
        return;
      }
    }
  }

  /** Tasks that never came to their end, or to one that is not theirs, one line each. */
  public List<String> missing() {
    return List.copyOf(missing);
  }

  /** Tasks that began before they might. */
  public List<String> early() {
    return List.copyOf(early);
  }

  /** Tasks that were performed once more than they should. */
  public List<String> twice() {
    return List.copyOf(twice);
  }
}
