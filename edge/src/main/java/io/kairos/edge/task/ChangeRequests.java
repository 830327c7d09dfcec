package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.handlerOrAny;
import static io.kairos.edge.task.RequestFields.instant;
import static io.kairos.edge.task.RequestFields.micros;
import static io.kairos.edge.task.RequestFields.orderingKey;

import com.google.protobuf.util.Durations;
import io.kairos.api.v1.CancelTasksRequest;
import io.kairos.api.v1.RescheduleTasksRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskFilter;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.task.port.operator.ChangeRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads changes of many tasks. Throws {@link InvalidField}. */
final class ChangeRequests {
  private static final int DEFAULT_LIMIT = 1_000;
  private static final int MOST_CHANGED = 10_000;
  private static final int MOST_IN_DRY_RUN = 100_000;

  /** At this rate the last task of a call is due within months. */
  private static final double LEAST_PER_SECOND = 0.001;

  private static final double NANOS_PER_SECOND = 1_000_000_000;

  private ChangeRequests() {}

  static ChangeRequest cancel(CancelTasksRequest request) {
    return new ChangeRequest(
        filter(request.getFilter()),
        new ChangeRequest.Cancel(),
        limit(request.getLimit(), request.getDryRun()),
        request.getDryRun());
  }

  static ChangeRequest reschedule(RescheduleTasksRequest request, Instant now) {
    int limit = limit(request.getLimit(), false);
    Duration apart = apart(request.getPerSecond());
    requireEnd(request.hasStart() ? instant("start", request.getStart()) : now, apart, limit);
    return new ChangeRequest(
        filter(request.getFilter()),
        new ChangeRequest.Reschedule(
            request.hasStart() ? (Long) micros("start", request.getStart()) : null, apart),
        request.getDryRun() ? MOST_IN_DRY_RUN : limit,
        request.getDryRun());
  }

  /** The most tasks of a call; a dry run counts more. */
  static int limit(int given, boolean isDryRun) {
    int limit = given == 0 ? DEFAULT_LIMIT : given;
    require(limit >= 1 && limit <= MOST_CHANGED, "limit", "must be 1 to 10,000");
    return isDryRun ? MOST_IN_DRY_RUN : limit;
  }

  /** How much later each task is due than the one before. */
  static Duration apart(double perSecond) {
    require(
        perSecond == 0
            || (perSecond >= LEAST_PER_SECOND && perSecond <= RequestFields.MOST_PER_SECOND),
        "per_second",
        "must be 0 or from 0.001 to 1,000,000");
    return perSecond == 0 ? Duration.ZERO : Duration.ofNanos((long) (NANOS_PER_SECOND / perSecond));
  }

  /** Checks that the last task is due at a time that can be written. */
  static void requireEnd(Instant start, Duration apart, int limit) {
    RequestFields.after(start, "start", Durations.fromNanos(apart.multipliedBy(limit).toNanos()));
  }

  private static ChangeRequest.Filter filter(TaskFilter given) {
    require(
        !given.toBuilder()
            .clearAfter()
            .clearAcceptedUntil()
            .build()
            .equals(TaskFilter.getDefaultInstance()),
        "filter",
        "must have a field besides after and accepted_until");
    TaskHandler handler = handlerOrAny("filter.handler", given.getHandler());
    OrderingKey key = orderingKey("filter.key", given.getKey());
    require(key == null || handler != null, "filter.key", "must be given together with handler");
    Long from =
        given.hasNotBefore() ? (Long) micros("filter.not_before", given.getNotBefore()) : null;
    Long to = given.hasBefore() ? (Long) micros("filter.before", given.getBefore()) : null;
    require(from == null || to == null || from < to, "filter.before", "must be after not_before");
    require(given.getMinAttempts() >= 0, "filter.min_attempts", "must not be negative");
    return new ChangeRequest.Filter(
        handler,
        states(given.getStatesList()),
        RequestFields.collection("filter.collection", given.getCollection()),
        key,
        from,
        to,
        given.getMinAttempts(),
        SearchRequests.errorClass("filter.error_class", given.getErrorClass()),
        SearchRequests.fingerprint("filter.error_fingerprint", given.getErrorFingerprint()),
        given.hasAcceptedUntil()
            ? (Long) micros("filter.accepted_until", given.getAcceptedUntil())
            : null,
        given.getAfter().isEmpty() ? null : RequestFields.id("filter.after", given.getAfter()));
  }

  private static Set<TaskState> states(List<Task.State> given) {
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    for (int i = 0; i < given.size(); i++) {
      TaskState state = TaskAnswers.STATES.find(given.get(i));
      if (state == null || state.isFinished()) {
        throw new InvalidField("filter.states[" + i + "]", "must be of a task that has not ended");
      }
      states.add(state);
    }
    return states.isEmpty() ? ChangeRequest.UNFINISHED : states;
  }
}
