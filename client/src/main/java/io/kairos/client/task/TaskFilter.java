package io.kairos.client.task;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects unfinished tasks to change; at least one condition is needed.
 *
 * @param handler only tasks of this handler; all when empty
 * @param states only tasks in these states; all unfinished ones when empty
 * @param collection only tasks of this collection; all when empty
 * @param key only tasks with this ordering key, which needs a handler too; all when empty
 * @param from only tasks whose due time is then or later; null for no bound
 * @param to only tasks whose due time is before then; null for no bound
 * @param minAttempts only tasks with at least so many attempts; 0 for all
 * @param errorClass only tasks whose latest failure has this class; all when empty
 * @param errorFingerprint only tasks whose latest failure has this fingerprint; all when empty
 * @param acceptedUntil only tasks that were accepted up to this time; null for no bound
 * @param after only tasks with a greater id; null for the first
 */
public record TaskFilter(
    String handler,
    Set<TaskState> states,
    String collection,
    String key,
    @Nullable Instant from,
    @Nullable Instant to,
    int minAttempts,
    String errorClass,
    String errorFingerprint,
    @Nullable Instant acceptedUntil,
    @Nullable TaskId after) {
  public TaskFilter {
    states = Set.copyOf(states);
  }

  /** Makes a filter without conditions; empty texts and null mean all. */
  public static TaskFilter none() {
    return new TaskFilter(
        "", EnumSet.noneOf(TaskState.class), "", "", null, null, 0, "", "", null, null);
  }

  public TaskFilter handler(String name) {
    return new TaskFilter(
        name,
        states,
        collection,
        key,
        from,
        to,
        minAttempts,
        errorClass,
        errorFingerprint,
        acceptedUntil,
        after);
  }

  public TaskFilter states(TaskState... wanted) {
    return new TaskFilter(
        handler,
        Set.copyOf(List.of(wanted)),
        collection,
        key,
        from,
        to,
        minAttempts,
        errorClass,
        errorFingerprint,
        acceptedUntil,
        after);
  }

  public TaskFilter collection(String name) {
    return new TaskFilter(
        handler,
        states,
        name,
        key,
        from,
        to,
        minAttempts,
        errorClass,
        errorFingerprint,
        acceptedUntil,
        after);
  }

  /** Selects only tasks with this ordering key; the handler must be given too. */
  public TaskFilter key(String orderingKey) {
    return new TaskFilter(
        handler,
        states,
        collection,
        orderingKey,
        from,
        to,
        minAttempts,
        errorClass,
        errorFingerprint,
        acceptedUntil,
        after);
  }

  /** Selects only tasks that are due from then on and before then; null for no bound. */
  public TaskFilter due(@Nullable Instant first, @Nullable Instant end) {
    return new TaskFilter(
        handler,
        states,
        collection,
        key,
        first,
        end,
        minAttempts,
        errorClass,
        errorFingerprint,
        acceptedUntil,
        after);
  }

  /** Selects only tasks with at least so many attempts. */
  public TaskFilter minAttempts(int least) {
    return new TaskFilter(
        handler,
        states,
        collection,
        key,
        from,
        to,
        least,
        errorClass,
        errorFingerprint,
        acceptedUntil,
        after);
  }

  /** Selects only tasks whose latest failure is such; empty texts for any. */
  public TaskFilter failed(String className, String fingerprint) {
    return new TaskFilter(
        handler,
        states,
        collection,
        key,
        from,
        to,
        minAttempts,
        className,
        fingerprint,
        acceptedUntil,
        after);
  }

  /** Selects only tasks that were there at a time: {@link ChangedTasks#at} of a count. */
  public TaskFilter acceptedUntil(Instant time) {
    return new TaskFilter(
        handler,
        states,
        collection,
        key,
        from,
        to,
        minAttempts,
        errorClass,
        errorFingerprint,
        time,
        after);
  }

  /** Selects only tasks with a greater id: {@link ChangedTasks#next} of the previous call. */
  public TaskFilter after(TaskId id) {
    return new TaskFilter(
        handler,
        states,
        collection,
        key,
        from,
        to,
        minAttempts,
        errorClass,
        errorFingerprint,
        acceptedUntil,
        id);
  }
}
