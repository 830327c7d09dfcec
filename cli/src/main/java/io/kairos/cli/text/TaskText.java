package io.kairos.cli.text;

import io.kairos.client.Task;
import java.util.List;

/** Formats tasks as text. */
public final class TaskText {
  private TaskText() {}

  public static String describe(Task task) {
    TextLines lines =
        new TextLines()
            .add("id        ", task.id())
            .add("handler   ", task.handler() + ", priority " + task.priority())
            .add("state     ", state(task))
            .add("due       ", task.runAt())
            .add("created   ", task.createdAt())
            .add("attempts  ", task.attempt())
            .add("key       ", task.key())
            .add("collection ", task.collection())
            .add("start by  ", task.startDeadline())
            .add("holder    ", task.holder())
            .add("next      ", task.nextTrigger())
            .add("finished  ", task.finishedAt());
    for (Task.Failure failure : task.failures()) {
      lines.add(
          "failed    ",
          "attempt %d at %s: %s".formatted(failure.attempt(), failure.at(), failure.error()));
    }
    return lines.add("result    ", task.result()).toString();
  }

  private static String state(Task task) {
    return AnswerText.of(task.state()) + (task.cancelRequested() ? ", cancel requested" : "");
  }

  public static TextTable<Task> list(List<Task> tasks) {
    return TextTable.of(tasks)
        .column("ID", Task::id)
        .column("STATE", task -> AnswerText.of(task.state()))
        .column("HANDLER", Task::handler)
        .column("DUE", Task::runAt);
  }

  /** Returns a table of failed tasks with their last errors. */
  public static TextTable<Task> failed(List<Task> tasks) {
    return TextTable.of(tasks)
        .column("ID", Task::id)
        .column("STATE", task -> AnswerText.of(task.state()))
        .column("HANDLER", Task::handler)
        .column("FINISHED", Task::finishedAt)
        .column("ATTEMPTS", Task::attempt)
        .column("ERROR", TaskText::lastError);
  }

  private static String lastError(Task task) {
    return task.failures().isEmpty() ? "" : AnswerText.firstLine(task.failures().getLast().error());
  }
}
