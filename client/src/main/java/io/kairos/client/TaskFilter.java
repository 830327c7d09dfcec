package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.client.task.ChangedTasks;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Selects unfinished tasks to change: those that meet all conditions, of which at least one is
 * needed. Immutable.
 */
public final class TaskFilter {
  private final io.kairos.api.v1.TaskFilter wire;

  private TaskFilter(io.kairos.api.v1.TaskFilter wire) {
    this.wire = wire;
  }

  /** Makes a filter without conditions. */
  public static TaskFilter none() {
    return new TaskFilter(io.kairos.api.v1.TaskFilter.getDefaultInstance());
  }

  /** Selects only tasks of this handler. */
  public TaskFilter handler(String name) {
    return with(wire -> wire.setHandler(Conditions.text("handler", name)));
  }

  /** Selects only tasks in one of these states. */
  public TaskFilter states(TaskState... wanted) {
    return with(wire -> {
      wire.clearStates();
      for (TaskState state : wanted) {
        wire.addStates(TaskProtos.state(state));
      }
      return wire;
    });
  }

  /** Selects only tasks of this collection. */
  public TaskFilter collection(String name) {
    return with(wire -> wire.setCollection(Conditions.text("collection", name)));
  }

  /** Selects only tasks with this ordering key; the handler must be given too. */
  public TaskFilter key(String orderingKey) {
    return with(wire -> wire.setKey(Conditions.text("key", orderingKey)));
  }

  /** Selects only tasks that are due then or later. */
  public TaskFilter dueFrom(Instant first) {
    return with(wire -> wire.setNotBefore(ProtoTime.of(first)));
  }

  /** Selects only tasks that are due before then. */
  public TaskFilter dueBefore(Instant end) {
    return with(wire -> wire.setBefore(ProtoTime.of(end)));
  }

  /** Selects only tasks with at least so many attempts. */
  public TaskFilter minAttempts(int least) {
    return with(wire -> wire.setMinAttempts(least));
  }

  /** Selects only tasks whose latest failure has this class. */
  public TaskFilter errorClass(String name) {
    return with(wire -> wire.setErrorClass(Conditions.text("error_class", name)));
  }

  /** Selects only tasks whose latest failure has this fingerprint. */
  public TaskFilter errorFingerprint(String fingerprint) {
    return with(
        wire -> wire.setErrorFingerprint(Conditions.text("error_fingerprint", fingerprint)));
  }

  /** Selects only tasks that were there at a time: {@link ChangedTasks#at} of a count. */
  public TaskFilter acceptedUntil(Instant time) {
    return with(wire -> wire.setAcceptedUntil(ProtoTime.of(time)));
  }

  /** Selects only tasks with a greater id: {@link ChangedTasks#next} of the previous call. */
  public TaskFilter after(TaskId id) {
    return with(wire -> wire.setAfter(id.toString()));
  }

  private TaskFilter with(UnaryOperator<io.kairos.api.v1.TaskFilter.Builder> change) {
    return new TaskFilter(change.apply(wire.toBuilder()).build());
  }

  io.kairos.api.v1.TaskFilter wire() {
    return wire;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TaskFilter filter && filter.wire.equals(wire);
  }

  @Override
  public int hashCode() {
    return wire.hashCode();
  }
}
