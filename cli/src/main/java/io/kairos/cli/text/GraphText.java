package io.kairos.cli.text;

import static java.util.stream.Collectors.joining;

import io.kairos.client.task.TaskGraph;
import io.kairos.client.task.TaskId;

/** Formats graphs of tasks as text. */
public final class GraphText {
  private GraphText() {}

  /** A line for each task, with the tasks that it waits for or has waited for. */
  public static String describe(TaskGraph graph) {
    String tasks =
        graph.tasks().stream()
            .map(task ->
                "%s  %s  %s%s"
                    .formatted(
                        task.id(),
                        AnswerText.of(task.state()),
                        task.handler(),
                        after(graph, task.id())))
            .collect(joining("\n"));
    return graph.more() ? tasks + "\nand more" : tasks;
  }

  private static String after(TaskGraph graph, TaskId successor) {
    String predecessors =
        graph.edges().stream()
            .filter(edge -> edge.successor().equals(successor))
            .map(edge -> edge.predecessor() + (edge.open() ? " (open)" : ""))
            .collect(joining(", "));
    return predecessors.isEmpty() ? "" : "  after " + predecessors;
  }
}
