package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.handlerOrAny;
import static io.kairos.edge.task.RequestFields.instant;
import static io.kairos.edge.task.RequestFields.micros;
import static io.kairos.edge.task.RequestFields.note;

import io.kairos.api.v1.ListFailureGroupsRequest;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.SetPauseRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskPause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Checks operators' requests and translates them for the engine. Throws {@link InvalidField}. */
final class QueueRequests {
  private static final String BURST = "burst";

  private QueueRequests() {}

  static QueueName queue(UpdateQueueRequest request) {
    Queue queue = request.getQueue();
    int priority =
        RequestFields.priority("queue.priority", queue.hasPriority(), queue.getPriority());
    return new QueueName(RequestFields.handler("queue.handler", queue.getHandler()), priority);
  }

  /** The change from the queue's present limit to the wanted one. */
  static UnaryOperator<TaskQueueLimit> change(UpdateQueueRequest request) {
    Queue given = request.getQueue();
    FieldUpdate update =
        FieldUpdate.of(
            "queue",
            given,
            request.hasUpdateMask() ? request.getUpdateMask() : null,
            List.of("max_running", "per_second", BURST),
            "must be of max_running, per_second and burst",
            "must name a limit, or the queue must have one");
    require(given.getMaxRunning() >= 0, "queue.max_running", "must not be negative");
    RequestFields.rate(
        "queue", given.hasPerSecond(), given.getPerSecond(), given.hasBurst(), given.getBurst());
    return before -> {
      Queue.Builder after = update.into(QueueAnswers.limit(before));
      require(
          after.hasPerSecond() || !after.hasBurst() || !update.names(BURST),
          "queue.burst",
          "needs per_second");
      return new TaskQueueLimit(
          after.hasMaxRunning() ? (Integer) after.getMaxRunning() : null,
          after.hasPerSecond() ? (Double) after.getPerSecond() : null,
          after.hasPerSecond() && after.hasBurst() ? (Integer) after.getBurst() : null);
    };
  }

  static TaskPause pause(SetPauseRequest request, Instant now) {
    TaskHandler handler = RequestFields.handler("handler", request.getHandler());
    TaskPause.Mode mode =
        QueueAnswers.PAUSE_MODES.read("mode", request.getMode(), TaskPause.Mode.PAUSE);
    String note = note(request.getNote());
    return new TaskPause(
        handler,
        RequestFields.collection("collection", request.getCollection()),
        mode,
        request.hasUntil() ? until(request, now) : null,
        note);
  }

  private static Instant until(SetPauseRequest request, Instant now) {
    Instant until = instant("until", request.getUntil());
    require(until.isAfter(now), "until", "must be in the future");
    return until;
  }

  static RedriveRequest redrive(io.kairos.api.v1.RedriveRequest request, Instant now) {
    require(
        request.getIdsCount() > 0 != request.hasFilter(),
        "ids",
        "either they or filter must be given");
    int limit = ChangeRequests.limit(request.getLimit(), false);
    Duration apart = ChangeRequests.apart(request.getPerSecond());
    ChangeRequests.requireEnd(
        request.hasStart() ? instant("start", request.getStart()) : now, apart, limit);
    return new RedriveRequest(
        request.hasFilter() ? filter(request.getFilter()) : ids(request.getIdsList()),
        request.hasStart() ? micros("start", request.getStart()) : null,
        apart,
        ChangeRequests.limit(request.getLimit(), request.getDryRun()),
        request.getDryRun());
  }

  static FailureGroup.Query failures(ListFailureGroupsRequest request, int limit) {
    return new FailureGroup.Query(
        handlerOrAny("handler", request.getHandler()),
        request.hasEndedNotBefore()
            ? (Long) micros("ended_not_before", request.getEndedNotBefore())
            : null,
        limit);
  }

  private static RedriveRequest.Ids ids(List<String> given) {
    RequestFields.batch("ids", given.size());
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      ids.add(RequestFields.id("ids[" + i + "]", given.get(i)));
    }
    return new RedriveRequest.Ids(ids);
  }

  private static RedriveRequest.Filter filter(io.kairos.api.v1.RedriveRequest.Filter given) {
    Instant endedBefore =
        given.hasEndedBefore() ? instant("filter.ended_before", given.getEndedBefore()) : null;
    require(given.getError().indexOf('\0') < 0, "filter.error", "must not have U+0000");
    return new RedriveRequest.Filter(
        handlerOrAny("filter.handler", given.getHandler()),
        states(given.getStatesList()),
        endedBefore,
        given.getError(),
        given.getAfter().isEmpty() ? null : RequestFields.id("filter.after", given.getAfter()),
        given.hasEndedNotBefore()
            ? instant("filter.ended_not_before", given.getEndedNotBefore())
            : null,
        SearchRequests.fingerprint("filter.error_fingerprint", given.getErrorFingerprint()),
        SearchRequests.errorClass("filter.error_class", given.getErrorClass()),
        RequestFields.collection("filter.collection", given.getCollection()));
  }

  private static Set<TaskState> states(List<Task.State> given) {
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    for (int i = 0; i < given.size(); i++) {
      TaskState state = TaskAnswers.STATES.find(given.get(i));
      if (state == null || !RedriveRequest.REDRIVABLE.contains(state)) {
        throw new InvalidField("filter.states[" + i + "]", "must be FAILED or DEAD");
      }
      states.add(state);
    }
    return states.isEmpty() ? RedriveRequest.REDRIVABLE : states;
  }
}
