package io.kairos.cli.option;

import static io.kairos.cli.option.Conditions.with;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskFilter;
import io.kairos.client.task.ChangedTasks;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects unfinished tasks to change. */
public final class FilterOptions {
  private static final int MOST_PER_CALL = 1_000;

  @Option(names = "--handler", description = "Tasks of this handler.", defaultValue = "")
  String handler = "";

  @Option(names = "--collection", description = "Tasks of this collection.", defaultValue = "")
  String collection = "";

  @Option(
      names = "--key",
      description = "Tasks with this ordering key; needs --handler.",
      defaultValue = "")
  String key = "";

  @Option(
      names = "--state",
      split = ",",
      description = "Tasks in these states; all unfinished ones when left out.")
  List<TaskState> states = List.of();

  @Option(names = "--from", description = "Tasks due at or after this time.")
  @Nullable Instant from;

  @Option(names = "--to", description = "Tasks due before this time.")
  @Nullable Instant to;

  @Option(
      names = "--min-attempts",
      description = "Tasks with at least so many attempts.",
      defaultValue = "0")
  int minAttempts;

  @Option(
      names = "--error-class",
      description = "Tasks whose latest failure has this class.",
      defaultValue = "")
  String errorClass = "";

  @Option(
      names = "--fingerprint",
      description = "Tasks whose latest failure has this fingerprint.",
      defaultValue = "")
  String fingerprint = "";

  /** True when at least one option is given. */
  public boolean isGiven() {
    return !filter().equals(TaskFilter.none());
  }

  private TaskFilter filter() {
    TaskFilter filter =
        TaskFilter.none().states(states.toArray(TaskState[]::new)).minAttempts(minAttempts);
    filter = with(filter, handler, TaskFilter::handler);
    filter = with(filter, collection, TaskFilter::collection);
    filter = with(filter, key, TaskFilter::key);
    filter = with(filter, from, TaskFilter::dueFrom);
    filter = with(filter, to, TaskFilter::dueBefore);
    filter = with(filter, errorClass, TaskFilter::errorClass);
    return with(filter, fingerprint, TaskFilter::errorFingerprint);
  }

  /** Counts the tasks that a cancel would cancel, call by call. */
  public ChangedTasks count(KairosClient client) {
    return all(filter(), client::countToCancel);
  }

  /** Cancels the tasks that were there at a time; returns how many. */
  public long cancel(KairosClient client, Instant acceptedUntil) {
    return all(filter().acceptedUntil(acceptedUntil), which -> client.cancel(which, MOST_PER_CALL))
        .count();
  }

  private static ChangedTasks all(TaskFilter first, Function<TaskFilter, ChangedTasks> call) {
    ChangedTasks answer = call.apply(first);
    Instant at = answer.at();
    long count = answer.count();
    for (TaskId next = answer.next(); next != null; next = answer.next()) {
      answer = call.apply(first.after(next));
      count += answer.count();
    }
    return new ChangedTasks(count, null, at);
  }
}
