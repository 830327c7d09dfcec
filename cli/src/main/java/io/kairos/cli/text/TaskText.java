package io.kairos.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.Task;
import io.kairos.client.TaskOutcome;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadEnvelope;
import io.kairos.client.queue.FailureGroup;
import io.kairos.client.task.TaskResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats tasks as text. */
public final class TaskText {
  /** Bytes of a result that are shown with its task. */
  private static final int MOST_SHOWN = 2_000;

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
            .add("batch     ", task.batch())
            .add("fairness  ", fairness(task))
            .add("limits    ", String.join(", ", task.limits()))
            .add("start by  ", task.startDeadline())
            .add("holder    ", task.holder())
            .add("next      ", task.nextTrigger())
            .add("started   ", task.attemptStartedAt())
            .add("heartbeat ", task.heartbeatAt())
            .add("progress  ", progress(task.progress()))
            .add("finished  ", task.finishedAt());
    task.failures().forEach(failure -> lines.add("failed    ", failed(failure)));
    return lines.add("result    ", result(task.resultValue())).toString();
  }

  private static @Nullable String progress(Task.@Nullable Progress progress) {
    return progress == null
        ? null
        : progress.percent()
            + " %"
            + (progress.note().isEmpty() ? "" : ", " + progress.note())
            + " at "
            + progress.at();
  }

  /** The value as text, or what it is when it is none or long. */
  private static @Nullable String result(@Nullable TaskResult result) {
    if (result == null) {
      return null;
    }
    String type = result.contentType().isEmpty() ? "" : " of " + result.contentType();
    return isText(result.text()) && result.bytes() <= MOST_SHOWN
        ? result.text()
        : "%,d bytes%s; task await ID --save FILE writes them".formatted(result.bytes(), type);
  }

  /** The replacement character stands for bytes that are no UTF-8. */
  private static boolean isText(String text) {
    return text.chars()
        .noneMatch(c -> c == '\uFFFD' || (Character.isISOControl(c) && !Character.isWhitespace(c)));
  }

  /** How an awaited task has ended, with its result or its last error. */
  public static String outcome(TaskOutcome outcome) {
    if (outcome instanceof TaskOutcome.Succeeded succeeded) {
      return succeeded.result().map(value -> "succeeded: " + result(value)).orElse("succeeded");
    }
    if (outcome instanceof TaskOutcome.Failed failed) {
      return "failed" + failed.failure().map(last -> ": " + last.error()).orElse("");
    }
    if (outcome instanceof TaskOutcome.Dead dead) {
      return "dead" + dead.failure().map(last -> ": " + last.error()).orElse("");
    }
    return outcome instanceof TaskOutcome.Cancelled ? "cancelled" : "has not ended";
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
        + failure.error()
        + (failure.stack().isEmpty() ? "" : "\n" + failure.stack().stripTrailing().indent(4))
            .stripTrailing();
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
