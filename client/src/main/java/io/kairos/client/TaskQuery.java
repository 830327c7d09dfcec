package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.client.batch.BatchId;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Selects tasks to list, newest first, a page at a time: those that meet all conditions. Immutable.
 */
public final class TaskQuery {
  private static final int PAGE_SIZE = 100;

  private final ListTasksRequest wire;

  private TaskQuery(ListTasksRequest wire) {
    this.wire = wire;
  }

  /** Selects all tasks, a hundred on a page. */
  public static TaskQuery all() {
    return new TaskQuery(ListTasksRequest.newBuilder().setPageSize(PAGE_SIZE).build());
  }

  /** Selects only tasks of this handler. */
  public TaskQuery handler(String name) {
    return with(wire -> wire.setHandler(Conditions.text("handler", name)));
  }

  /** Selects only tasks of this collection. */
  public TaskQuery collection(String name) {
    return with(wire -> wire.setCollection(Conditions.text("collection", name)));
  }

  /** Selects only tasks with this ordering key; the handler must be given too. */
  public TaskQuery key(String orderingKey) {
    return with(wire -> wire.setKey(Conditions.text("key", orderingKey)));
  }

  /** Selects only tasks in one of these states. */
  public TaskQuery states(TaskState... wanted) {
    return with(wire -> {
      wire.clearStates();
      for (TaskState state : wanted) {
        wire.addStates(TaskProtos.state(state));
      }
      return wire;
    });
  }

  /** Selects only tasks that are due then or later. */
  public TaskQuery dueFrom(Instant first) {
    return with(wire -> wire.setNotBefore(ProtoTime.of(first)));
  }

  /** Selects only tasks that are due before then. */
  public TaskQuery dueBefore(Instant end) {
    return with(wire -> wire.setBefore(ProtoTime.of(end)));
  }

  /** Selects only tasks whose id begins with these 8 or more hexadecimal digits. */
  public TaskQuery idPrefix(String digits) {
    return with(wire -> wire.setIdPrefix(Conditions.text("id_prefix", digits)));
  }

  /** Selects only tasks with at least so many attempts. */
  public TaskQuery minAttempts(int least) {
    return with(wire -> wire.setMinAttempts(least));
  }

  /** Selects only tasks whose latest failure has this class. */
  public TaskQuery errorClass(String name) {
    return with(wire -> wire.setErrorClass(Conditions.text("error_class", name)));
  }

  /** Selects only tasks whose latest failure has this fingerprint. */
  public TaskQuery errorFingerprint(String fingerprint) {
    return with(
        wire -> wire.setErrorFingerprint(Conditions.text("error_fingerprint", fingerprint)));
  }

  /** Selects only tasks that ended then or later. */
  public TaskQuery endedFrom(Instant first) {
    return with(wire -> wire.setEndedNotBefore(ProtoTime.of(first)));
  }

  /** Selects only tasks that ended before then. */
  public TaskQuery endedBefore(Instant end) {
    return with(wire -> wire.setEndedBefore(ProtoTime.of(end)));
  }

  /**
   * Selects only tasks whose id, keys, collection, result or latest error has this text, without
   * regard to case. Needs a time of at most 31 days within which tasks are due or ended.
   */
  public TaskQuery text(String part) {
    return with(wire -> wire.setText(Conditions.text("text", part)));
  }

  /** Selects only tasks with this priority. */
  public TaskQuery priority(int priority) {
    return with(wire -> wire.setPriority(priority));
  }

  /** Selects only runs of this schedule. */
  public TaskQuery schedule(String name) {
    return with(wire -> wire.setSchedule(Conditions.text("schedule", name)));
  }

  /** Selects only tasks of this batch; not together with a schedule. */
  public TaskQuery batch(BatchId id) {
    return with(wire -> wire.setBatch(id.toString()));
  }

  /** Sets the maximum number of tasks on a page, 1 to 1,000. */
  public TaskQuery pageSize(int size) {
    return with(wire -> wire.setPageSize(size));
  }

  /** Continues after a page of this query. */
  public TaskQuery after(TaskPage former) {
    return with(wire -> wire.setPageToken(former.nextPageToken()));
  }

  private TaskQuery with(UnaryOperator<ListTasksRequest.Builder> change) {
    return new TaskQuery(change.apply(wire.toBuilder()).build());
  }

  ListTasksRequest wire() {
    return wire;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TaskQuery query && query.wire.equals(wire);
  }

  @Override
  public int hashCode() {
    return wire.hashCode();
  }
}
