package io.kairos.client;

import io.kairos.api.v1.RedriveRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which failed tasks are to be tried again, and how fast. Built step by step; not changed. */
public final class Redrive {
  private final RedriveRequest request;

  private Redrive(RedriveRequest request) {
    this.request = request;
  }

  /** These tasks, at most 1,000. */
  public static Redrive of(List<TaskId> ids) {
    RedriveRequest.Builder request = RedriveRequest.newBuilder();
    ids.forEach(id -> request.addIds(id.toString()));
    return new Redrive(request.build());
  }

  /** All that have failed, the oldest first. */
  public static Redrive all() {
    return new Redrive(
        RedriveRequest.newBuilder().setFilter(RedriveRequest.Filter.getDefaultInstance()).build());
  }

  /** Only those of this handler. */
  public Redrive handler(String handler) {
    return with(request.toBuilder().setFilter(filter().setHandler(handler)));
  }

  /** Only those in this state, {@link TaskState#FAILED} or {@link TaskState#DEAD}. */
  public Redrive state(TaskState state) {
    return with(
        request.toBuilder().setFilter(filter().clearStates().addStates(Protos.state(state))));
  }

  /** Only those that ended before. */
  public Redrive endedBefore(Instant time) {
    return with(request.toBuilder().setFilter(filter().setEndedBefore(Protos.timestamp(time))));
  }

  /** Only those whose last failure has this text in it. */
  public Redrive error(String text) {
    return with(request.toBuilder().setFilter(filter().setError(text)));
  }

  /** Only those whose id is greater. */
  public Redrive after(TaskId id) {
    return with(request.toBuilder().setFilter(filter().setAfter(id.toString())));
  }

  /** At most this many, up to 10,000; 1,000 when not said. */
  public Redrive limit(int most) {
    return with(request.toBuilder().setLimit(most));
  }

  /** So many become due in a second, the first at this time. */
  public Redrive perSecond(double rate, Instant start) {
    return with(request.toBuilder().setPerSecond(rate).setStart(Protos.timestamp(start)));
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
   * What a redrive did.
   *
   * @param ids put back, in the order in which they are due; may be none although there are more
   * @param next after which to go on, as more may match the filter; null when none do
   */
  public record Result(List<TaskId> ids, @Nullable TaskId next) {
    /** Copies the list. */
    public Result {
      ids = List.copyOf(ids);
    }
  }
}
