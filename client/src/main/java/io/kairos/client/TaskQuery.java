package io.kairos.client;

import io.kairos.client.batch.BatchId;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects tasks to list, newest first, a page at a time.
 *
 * @param handler only tasks of this handler; all when empty
 * @param collection only tasks of this collection; all when empty
 * @param key only tasks with this ordering key, which needs a handler too; all when empty
 * @param states only tasks in these states; all when empty
 * @param from only tasks whose due time is then or later; null for no bound
 * @param to only tasks whose due time is before then; null for no bound
 * @param pageSize maximum number of tasks on a page, 1 to 1,000
 * @param pageToken token from the previous page; empty for the first page
 * @param search further conditions
 */
public record TaskQuery(
    String handler,
    String collection,
    String key,
    Set<TaskState> states,
    @Nullable Instant from,
    @Nullable Instant to,
    int pageSize,
    String pageToken,
    Search search) {
  public TaskQuery {
    states = Set.copyOf(states);
  }

  /** Makes a query without further conditions. */
  public TaskQuery(
      String handler,
      String collection,
      String key,
      Set<TaskState> states,
      @Nullable Instant from,
      @Nullable Instant to,
      int pageSize,
      String pageToken) {
    this(handler, collection, key, states, from, to, pageSize, pageToken, Search.NONE);
  }

  /**
   * Further conditions.
   *
   * @param idPrefix only tasks whose id begins with these 8 or more hexadecimal digits; all when
   *     empty
   * @param minAttempts only tasks with at least so many attempts; 0 for all
   * @param errorClass only tasks whose latest failure has this class; all when empty
   * @param errorFingerprint only tasks whose latest failure has this fingerprint; all when empty
   * @param endedFrom only tasks that ended then or later; null for no bound
   * @param endedTo only tasks that ended before then; null for no bound
   * @param text only tasks whose id, keys, collection, result or latest error has this text,
   *     without regard to case; needs a time of at most 31 days within which tasks are due or
   *     ended; all when empty
   * @param priority only tasks with this priority; null for all
   * @param schedule only runs of this schedule; all tasks when empty
   * @param batch only tasks of this batch, without a schedule; null for all
   */
  public record Search(
      String idPrefix,
      int minAttempts,
      String errorClass,
      String errorFingerprint,
      @Nullable Instant endedFrom,
      @Nullable Instant endedTo,
      String text,
      @Nullable Integer priority,
      String schedule,
      @Nullable BatchId batch) {
    /** Matches all tasks. */
    public static final Search NONE = new Search("", 0, "", "", null, null, "", null, "", null);
  }

  public static TaskQuery all() {
    return new TaskQuery("", "", "", EnumSet.noneOf(TaskState.class), null, null, 100, "");
  }

  public TaskQuery handler(String name) {
    return new TaskQuery(name, collection, key, states, from, to, pageSize, pageToken, search);
  }

  public TaskQuery collection(String name) {
    return new TaskQuery(handler, name, key, states, from, to, pageSize, pageToken, search);
  }

  /** Selects only tasks with this ordering key; the handler must be given too. */
  public TaskQuery key(String orderingKey) {
    return new TaskQuery(
        handler, collection, orderingKey, states, from, to, pageSize, pageToken, search);
  }

  public TaskQuery states(TaskState... wanted) {
    Set<TaskState> all = Set.copyOf(List.of(wanted));
    return new TaskQuery(handler, collection, key, all, from, to, pageSize, pageToken, search);
  }

  /**
   * Selects only tasks that are due within a time.
   *
   * @param first the earliest due time; null for no bound
   * @param end later than the latest due time; null for no bound
   */
  public TaskQuery due(@Nullable Instant first, @Nullable Instant end) {
    return new TaskQuery(handler, collection, key, states, first, end, pageSize, pageToken, search);
  }

  /** Selects only tasks that match further conditions. */
  public TaskQuery search(Search conditions) {
    return new TaskQuery(
        handler, collection, key, states, from, to, pageSize, pageToken, conditions);
  }

  public TaskQuery pageSize(int size) {
    return new TaskQuery(handler, collection, key, states, from, to, size, pageToken, search);
  }

  public TaskQuery after(TaskPage former) {
    return new TaskQuery(
        handler, collection, key, states, from, to, pageSize, former.nextPageToken(), search);
  }
}
