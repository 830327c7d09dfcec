package io.kairos.server.edge.task;

import com.google.protobuf.Timestamp;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.Task;
import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.NewMessage;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.refusal.Refusals;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Calls for tasks whose destination is a topic: the delay queue does them. What it returns is to be
 * asked where waiting for the store is allowed.
 */
final class TopicCalls {
  private final ReadyNode node;
  private final TopicRequests requests;
  private final InstantSource clock;

  TopicCalls(ReadyNode node, InstantSource clock, int maxPayloadBytes) {
    this.node = node;
    this.requests = new TopicRequests(maxPayloadBytes);
    this.clock = clock;
  }

  /** Checks at once. */
  Supplier<String> one(ScheduleRequest request) {
    NewMessage message = requests.message(request, clock.instant());
    Supplier<List<String>> posted = post(List.of(message), "topic.name");
    return () -> posted.get().getFirst();
  }

  /** Whether a batch is for topics; one that is for both is refused. */
  static boolean isFor(List<ScheduleRequest> batch) {
    long topics = batch.stream().filter(ScheduleRequest::hasTopic).count();
    InvalidField.require(
        topics == 0 || topics == batch.size(), "tasks", "must all have a handler, or all a topic");
    return topics > 0;
  }

  /** Checks at once. */
  Supplier<List<String>> all(List<ScheduleRequest> batch) {
    Fields.batch("tasks", batch.size());
    var now = clock.instant();
    List<NewMessage> messages = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      try {
        messages.add(requests.message(batch.get(i), now));
      } catch (InvalidField e) {
        throw e.in("tasks[" + i + "]");
      }
    }
    return post(messages, "tasks");
  }

  private Supplier<List<String>> post(List<NewMessage> messages, String field) {
    MessageEdge edge = node.getMessages();
    Set<TopicName> topics = messages.stream().map(NewMessage::topic).collect(Collectors.toSet());
    RouteId route = TopicRequests.route(edge, topics, field);
    return () -> edge.post(route, messages).stream().map(PostedId::toString).toList();
  }

  /** Unknown too when the id is none of a message's. */
  CancelResult cancel(TaskId id) {
    if (!PostedId.isOne(id.value())) {
      return CancelResult.UNKNOWN;
    }
    return switch (amend(id, new Amendment.Cancel())) {
      case APPLIED -> CancelResult.CANCELLED;
      case TOO_LATE -> CancelResult.TOO_LATE;
      case UNKNOWN_ID -> CancelResult.UNKNOWN;
    };
  }

  /** Gives a message another due time, and says what is known of it. Refuses when it cannot. */
  Task reschedule(TaskId id, long dueMicros, Timestamp due) {
    if (!PostedId.isOne(id.value())) {
      throw Refusals.unknownTask();
    }
    return switch (amend(id, new Amendment.Reschedule(dueMicros))) {
      case APPLIED ->
          Task.newBuilder()
              .setId(id.toString())
              .setState(Task.State.NEW)
              .setRunAt(due)
              .setNextTrigger(due)
              .build();
      case TOO_LATE -> throw Refusals.notInState("id: it is being published");
      case UNKNOWN_ID -> throw Refusals.unknownTask();
    };
  }

  private AmendmentOutcome amend(TaskId id, Amendment amendment) {
    return node.getMessages()
        .amend(new PostedId(id.value()), amendment)
        .orElseThrow(Refusals::undecided);
  }
}
