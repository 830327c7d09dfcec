package io.kairos.cli;

import io.kairos.cli.text.Table;
import io.kairos.client.Task;
import java.util.ArrayList;
import java.util.List;

/** Tasks as people read them. */
final class TaskText {
  private TaskText() {}

  static String describe(Task task) {
    List<String> lines = new ArrayList<>();
    lines.add("id        " + task.id());
    lines.add("handler   " + task.handler() + ", priority " + task.priority());
    lines.add(
        "state     "
            + Words.of(task.state())
            + (task.cancelRequested() ? ", cancel requested" : ""));
    lines.add("due       " + task.runAt());
    lines.add("created   " + task.createdAt());
    lines.add("attempts  " + task.attempt());
    if (!task.key().isEmpty()) {
      lines.add("key       " + task.key());
    }
    if (!task.collection().isEmpty()) {
      lines.add("collection " + task.collection());
    }
    if (task.startDeadline() != null) {
      lines.add("start by  " + task.startDeadline());
    }
    if (!task.holder().isEmpty()) {
      lines.add("holder    " + task.holder());
    }
    if (task.nextTrigger() != null) {
      lines.add("next      " + task.nextTrigger());
    }
    if (task.finishedAt() != null) {
      lines.add("finished  " + task.finishedAt());
    }
    for (Task.Failure failure : task.failures()) {
      lines.add(
          "failed    attempt %d at %s: %s"
              .formatted(failure.attempt(), failure.at(), failure.error()));
    }
    if (!task.result().isEmpty()) {
      lines.add("result    " + task.result());
    }
    return String.join(System.lineSeparator(), lines);
  }

  static Table list(List<Task> tasks) {
    Table table = new Table("ID", "STATE", "HANDLER", "DUE");
    tasks.forEach(
        task -> table.row(task.id(), Words.of(task.state()), task.handler(), task.runAt()));
    return table;
  }

  /** Those that have failed for good, and why. */
  static Table failed(List<Task> tasks) {
    Table table = new Table("ID", "STATE", "HANDLER", "FINISHED", "ATTEMPTS", "ERROR");
    for (Task task : tasks) {
      String error = task.failures().isEmpty() ? "" : task.failures().getLast().error();
      table.row(
          task.id(),
          Words.of(task.state()),
          task.handler(),
          task.finishedAt(),
          task.attempt(),
          Words.firstLine(error));
    }
    return table;
  }
}
