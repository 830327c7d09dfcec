package io.kairos.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.Task;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadEnvelope;
import io.kairos.client.queue.FailureGroup;
import java.util.List;

/** Formats tasks as text. */
public final class TaskText {
  private TaskText() {}

  /** Describes a task; of an encrypted payload it says so, with the id of the key. */
  public static String describe(Task task) {
    return describe(task, encryption(task));
  }

  /** Describes a task with its payload, which was decrypted. */
  public static String describeDecrypted(Task task) {
    return describe(task, new String(task.payload(), UTF_8));
  }

  private static String encryption(Task task) {
    try {
      return PayloadEnvelope.of(task.payload())
          .map(header ->
              "encrypted with the key %s, name %s".formatted(header.keyId(), header.payloadName()))
          .orElse("");
    } catch (PayloadDecryptionException e) {
      return "encrypted: " + e.getMessage();
    }
  }

  private static String describe(Task task, String payload) {
    TextLines lines =
        new TextLines()
            .add("id        ", task.id())
            .add("handler   ", task.handler() + ", priority " + task.priority())
            .add("state     ", state(task))
            .add("due       ", task.runAt())
            .add("created   ", task.createdAt())
            .add("submitted by ", task.submittedBy())
            .add("performed by ", task.performedBy())
            .add("schedule  ", task.schedule())
            .add("trace     ", task.traceparent())
            .add("payload   ", payload)
            .add("attempts  ", task.attempt())
            .add("key       ", task.key())
            .add("collection ", task.collection())
            .add("fairness  ", fairness(task))
            .add("start by  ", task.startDeadline())
            .add("holder    ", task.holder())
            .add("next      ", task.nextTrigger())
            .add("started   ", task.attemptStartedAt())
            .add("finished  ", task.finishedAt());
    task.failures().forEach(failure -> lines.add("failed    ", failed(failure)));
    return lines.add("result    ", task.result()).toString();
  }

  private static String fairness(Task task) {
    return task.fairnessKey().isEmpty()
        ? ""
        : task.fairnessKey() + ", weight " + task.fairnessWeight();
  }

  private static String failed(Task.Failure failure) {
    return "attempt "
        + failure.attempt()
        + (failure.startedAt() == null ? " at " : " from " + failure.startedAt() + " to ")
        + failure.at()
        + (failure.outcome() == null ? "" : ", " + AnswerText.of(failure.outcome()))
        + (failure.errorClass().isEmpty() ? "" : " (" + failure.errorClass() + ")")
        + ": "
        + failure.error();
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

  /** Returns a table of groups of failed tasks. */
  public static TextTable<FailureGroup> failures(List<FailureGroup> groups) {
    return TextTable.of(groups)
        .column("HANDLER", FailureGroup::handler)
        .column("COUNT", FailureGroup::count)
        .column("LAST", FailureGroup::lastEndedAt)
        .column("FINGERPRINT", group -> group.fingerprint().isEmpty() ? null : group.fingerprint())
        .column("CLASS", group -> group.errorClass().isEmpty() ? null : group.errorClass())
        .column("ERROR", group -> AnswerText.firstLine(group.error()));
  }

  private static String lastError(Task task) {
    return task.failures().isEmpty() ? "" : AnswerText.firstLine(task.failures().getLast().error());
  }
}
