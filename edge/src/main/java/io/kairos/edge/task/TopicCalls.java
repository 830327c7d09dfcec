package io.kairos.edge.task;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.Task;
import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.NewMessage;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.task.port.operator.CancelResult;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Serves calls for tasks whose destination is a topic; they go to the delay queue. Blocks. */
final class TopicCalls {
  private final ReadyNode node;
  private final TopicRequests requests;
  private final InstantSource clock;

  TopicCalls(ReadyNode node, InstantSource clock, int maxPayloadBytes) {
    this.node = node;
    this.requests = new TopicRequests(maxPayloadBytes);
    this.clock = clock;
  }

  /** Posts the message and returns its id. */
  String one(ScheduleTaskRequest request) {
    NewMessage message = requests.message(request, clock.instant());
    return post(List.of(message), "topic.name").getFirst();
  }

  /** True for a batch for topics, false for one for handlers; a mixed batch is refused. */
  static boolean isFor(List<ScheduleTaskRequest> batch) {
    long topics = batch.stream().filter(ScheduleTaskRequest::hasTopic).count();
    InvalidField.require(
        topics == 0 || topics == batch.size(), "tasks", "must all have a handler, or all a topic");
    return topics > 0;
  }

  /** Checks all messages, posts them, and returns their ids. */
  List<String> all(List<ScheduleTaskRequest> batch) {
    RequestFields.batch("tasks", batch.size());
    var now = clock.instant();
    List<NewMessage> messages =
        InvalidField.readingAll("tasks", batch, one -> requests.message(one, now));
    return post(messages, "tasks");
  }

  private List<String> post(List<NewMessage> messages, String field) {
    MessageEdge edge = node.getMessages(field);
    Set<TopicName> topics = messages.stream().map(NewMessage::topic).collect(Collectors.toSet());
    RouteId route = TopicRequests.route(edge, topics, field);
    return edge.post(route, messages).stream().map(PostedId::toString).toList();
  }

  /** Cancels a message; UNKNOWN also for an id that is not a message's. */
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

  /**
   * Gives a message another due time and returns the known part of it; refuses if it is too late.
   */
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

  /** Shows a record of an input topic that was kept whole: its value is the payload. */
  Task letter(TaskId id) {
    if (!PresentCaller.scope().isWhole()) {
      throw Refusals.unknownTask(); // its topics are not kept with it
    }
    KeptLetter letter =
        node.messages()
            .flatMap(messages -> messages.letter(id.value()))
            .orElseThrow(Refusals::unknownTask);
    byte[] key = letter.key();
    byte[] value = letter.value();
    return Task.newBuilder()
        .setId(id.toString())
        .setState(Task.State.DEAD)
        .setKey(key == null ? "" : ByteString.copyFrom(key).toStringUtf8())
        .setPayload(value == null ? ByteString.EMPTY : ByteString.copyFrom(value))
        .addFailures(Failure.newBuilder().setError(letter.reason()))
        .build();
  }

  private AmendmentOutcome amend(TaskId id, Amendment amendment) {
    MessageEdge messages = node.getMessages("id");
    PostedId posted = new PostedId(id.value());
    if (!PresentCaller.scope().isWhole()) {
      // The message is for one of these.
      messages
          .topics(posted.route())
          .forEach(topic -> PresentCaller.requireFound(Kind.TOPIC, topic.value(), "id"));
    }
    return messages.amend(posted, amendment).orElseThrow(Refusals::undecided);
  }
}
