package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.RedriveRequest;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects failed tasks to put back, and the rate at which they become due. Immutable. */
public final class Redrive {
  private final RedriveRequest request;

  private Redrive(RedriveRequest request) {
    this.request = request;
  }

  /** Selects these tasks, at most 1,000. */
  public static Redrive of(List<TaskId> ids) {
    RedriveRequest.Builder request = RedriveRequest.newBuilder();
    ids.forEach(id -> request.addIds(id.toString()));
    return new Redrive(request.build());
  }

  /** Selects all failed tasks, the oldest first. */
  public static Redrive all() {
    return new Redrive(
        RedriveRequest.newBuilder().setFilter(RedriveRequest.Filter.getDefaultInstance()).build());
  }

  /** Selects only tasks of this handler. */
  public Redrive handler(String handler) {
    return with(request.toBuilder().setFilter(filter().setHandler(handler)));
  }

  /** Selects only tasks in this state, {@link TaskState#FAILED} or {@link TaskState#DEAD}. */
  public Redrive state(TaskState state) {
    return with(
        request.toBuilder().setFilter(filter().clearStates().addStates(TaskProtos.state(state))));
  }

  /** Selects only tasks that ended before this time. */
  public Redrive endedBefore(Instant time) {
    return with(request.toBuilder().setFilter(filter().setEndedBefore(ProtoTime.of(time))));
  }

  /** Selects only tasks whose last error contains this text. */
  public Redrive error(String text) {
    return with(request.toBuilder().setFilter(filter().setError(text)));
  }

  /** Selects only tasks that ended at or after this time. */
  public Redrive endedFrom(Instant time) {
    return with(request.toBuilder().setFilter(filter().setEndedNotBefore(ProtoTime.of(time))));
  }

  /** Selects only tasks whose last failure has this class. */
  public Redrive errorClass(String name) {
    return with(request.toBuilder().setFilter(filter().setErrorClass(name)));
  }

  /** Selects only tasks whose last failure has this fingerprint. */
  public Redrive errorFingerprint(String fingerprint) {
    return with(request.toBuilder().setFilter(filter().setErrorFingerprint(fingerprint)));
  }

  /** Selects only tasks of this collection. */
  public Redrive collection(String name) {
    return with(request.toBuilder().setFilter(filter().setCollection(name)));
  }

  /** Counts the tasks, up to 100,000, and puts none back. */
  public Redrive dryRun() {
    return with(request.toBuilder().setDryRun(true));
  }

  /** Selects only tasks with a greater id: {@link Result#next} of the previous call. */
  public Redrive after(TaskId id) {
    return with(request.toBuilder().setFilter(filter().setAfter(id.toString())));
  }

  /** Sets the maximum number of tasks, up to 10,000; 1,000 by default. */
  public Redrive limit(int most) {
    return with(request.toBuilder().setLimit(most));
  }

  /** Sets the rate at which the tasks become due, per second, and when the first is due. */
  public Redrive perSecond(double rate, Instant start) {
    return with(request.toBuilder().setPerSecond(rate).setStart(ProtoTime.of(start)));
  }

  private RedriveRequest.Filter.Builder filter() {
    return request.getFilter().toBuilder();
  }

  private static Redrive with(RedriveRequest.Builder changed) {
    return new Redrive(changed.build());
  }

  RedriveRequest wire() {
    return request;
  }

  /**
   * The result of a redrive.
   *
   * @param ids ids of the tasks put back, in the order of their new due times; may be empty
   *     although more tasks match
   * @param count number of tasks put back; in a dry run, that would be
   * @param next id for {@link Redrive#after} of the next call; null when no more tasks match
   * @param at the time of the answer: as {@link Redrive#endedBefore} it keeps a later call to the
   *     tasks that a dry run has counted; null when an earlier version has answered
   */
  public record Result(List<TaskId> ids, long count, @Nullable TaskId next, @Nullable Instant at) {
    /** Copies the list. */
    public Result {
      ids = List.copyOf(ids);
    }
  }
}
