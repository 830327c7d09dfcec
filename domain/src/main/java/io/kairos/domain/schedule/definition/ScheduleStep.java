package io.kairos.domain.schedule.definition;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.task.graph.TaskGraph.Flaw;
import java.util.ArrayList;
import java.util.List;

/**
 * A further task of each fire of a schedule, beside that of the schedule's own target. Immutable.
 *
 * @param target the task
 * @param after what it waits for, at least one
 */
public record ScheduleStep(ScheduleTarget.Handler target, List<After> after) {
  /** Most steps of a schedule. */
  public static final int MOST = 100;

  /** Most bytes of payloads of all steps of a schedule, which are read and written with it. */
  public static final int MOST_BYTES = 3 << 20;

  public ScheduleStep {
    after = List.copyOf(after);
  }

  /**
   * A task of the same fire for which a step waits.
   *
   * @param index 0 for the schedule's own task, and the number of a step, counted from 1
   */
  public record After(int index, OnFailure onFailure) {}

  /** True if it never begins unless some task before it in its run has succeeded. */
  boolean needsSuccess() {
    return after.stream().anyMatch(one -> one.onFailure() != OnFailure.CONTINUE);
  }

  ScheduleStep withoutPayload() {
    return new ScheduleStep(target.withoutPayload(), after);
  }

  /** The tasks of a fire with their edges: member 0 is the schedule's own task. */
  static TaskGraph graph(List<ScheduleStep> steps) {
    List<TaskGraph.Edge> edges = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      for (After after : steps.get(i).after()) {
        edges.add(
            new TaskGraph.Edge(
                new TaskGraph.Predecessor.Member(after.index()), i + 1, after.onFailure()));
      }
    }
    return new TaskGraph(steps.size() + 1, edges);
  }

  /** Throws {@link IllegalArgumentException} whose first word is the field that does not fit. */
  static void check(List<ScheduleStep> steps) {
    require(steps.size() <= MOST, "steps must be at most 100");
    long bytes = 0;
    for (int i = 0; i < steps.size(); i++) {
      require(
          !steps.get(i).after().isEmpty(),
          "steps["
              + i
              + "].after must name what the step waits for: index 0 is the schedule's own task");
      bytes += steps.get(i).target().bytes();
    }
    require(bytes <= MOST_BYTES, "steps must have at most 3,145,728 bytes of payloads together");
    graph(steps)
        .flaw()
        .ifPresent(flaw -> {
          throw new IllegalArgumentException(refusal(flaw, steps));
        });
  }

  private static String refusal(Flaw flaw, List<ScheduleStep> steps) {
    return switch (flaw) {
      case Flaw.TooManyEdges _ -> "steps must have fewer predecessors";
      case Flaw.NoSuchTask(int edge, _) ->
          field(steps, edge)
              + ".index must be 0 for the schedule's own task, or the number of a step, 1 to "
              + steps.size();
      case Flaw.Repeated(int edge, int earlier) ->
          field(steps, edge) + ".index must not name the same task as " + field(steps, earlier);
      case Flaw.Cycle(int edge, List<Integer> members) ->
          field(steps, edge)
              + (members.size() == 1
                  ? ".index must not name the step itself"
                  : ".index must not close a cycle: tasks "
                      + String.join(", ", members.stream().map(String::valueOf).toList())
                      + " wait for each other");
    };
  }

  /** The field of an edge, which is the nth of all. */
  private static String field(List<ScheduleStep> steps, int edge) {
    int left = edge;
    int step = 0;
    while (left >= steps.get(step).after().size()) {
      left -= steps.get(step).after().size();
      step++;
    }
    return "steps[" + step + "].after[" + left + "]";
  }
}
