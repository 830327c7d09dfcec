package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.CancelTaskRequest;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.RescheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceBlockingStub;
import io.kairos.api.v1.Topic;
import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.NewMessage;
import io.kairos.engine.task.port.operator.CancelResult;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks whose destination is a topic. */
class TopicCallsTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final long NOW_MICROS = Edge.NOW.getEpochSecond() * 1_000_000;
  private static final String ID = ScriptedMessages.id(0).toString();

  @RegisterExtension static final Edge EDGE = new Edge();
  private final TaskServiceBlockingStub grpc = TaskServiceGrpc.newBlockingStub(EDGE.channel);

  @BeforeEach
  void noTaskIsKnown() {
    EDGE.tasks.cancelResult = CancelResult.UNKNOWN;
    EDGE.tasks.movable = false;
  }

  @Test
  void a_task_for_a_topic_goes_to_the_delay_queue_with_all_that_it_carries() {
    String id =
        grpc.scheduleTask(
                ScheduleTaskRequest.newBuilder()
                    .setTopic(
                        Topic.newBuilder()
                            .setName("orders")
                            .setKey(ByteString.copyFromUtf8("k"))
                            .addHeaders(
                                Topic.Header.newBuilder()
                                    .setName("h")
                                    .setValue(ByteString.copyFromUtf8("v"))))
                    .setPayload(ByteString.copyFromUtf8("body"))
                    .setDelay(Duration.newBuilder().setSeconds(2))
                    .setTraceparent(TRACE)
                    .build())
            .getId();

    assertThat(id).isEqualTo(ID);
    assertThat(EDGE.tasks.scheduled).isEmpty();
    NewMessage message = EDGE.messages.posted.getFirst();
    assertThat(message.topic()).isEqualTo(new TopicName("orders"));
    assertThat(message.dueMicros()).isEqualTo(NOW_MICROS + 2_000_000);
    assertThat(message.key()).isEqualTo("k".getBytes(UTF_8));
    assertThat(message.value()).isEqualTo("body".getBytes(UTF_8));
    assertThat(message.headers())
        .containsExactly(
            new MessageHeader("h", "v".getBytes(UTF_8)),
            new MessageHeader("traceparent", TRACE.getBytes(UTF_8)));
  }

  @Test
  void rest_has_topics_too_and_a_record_without_key_has_none() throws Exception {
    var answer =
        EDGE.post(
            "/v1/tasks:batch",
            "{\"tasks\": [{\"topic\": {\"name\": \"orders\"}}, {\"topic\": {\"name\": \"bills\"}}]}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains(ID, ScriptedMessages.id(1).toString());
    assertThat(EDGE.messages.posted)
        .extracting(NewMessage::topic)
        .containsExactly(new TopicName("orders"), new TopicName("bills"));
    assertThat(EDGE.messages.posted).allSatisfy(message -> assertThat(message.key()).isNull());
  }

  @Test
  void a_batch_is_for_handlers_or_for_topics() {
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                grpc.batchScheduleTasks(
                    BatchScheduleTasksRequest.newBuilder()
                        .addTasks(ScheduleTaskRequest.newBuilder().setHandler("h"))
                        .addTasks(
                            ScheduleTaskRequest.newBuilder()
                                .setTopic(Topic.newBuilder().setName("orders")))
                        .build()));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("all have a handler, or all a topic");
    assertThat(EDGE.messages.posted).isEmpty();
    assertThat(EDGE.tasks.scheduled).isEmpty();
  }

  @Test
  void it_is_cancelled_and_rescheduled_by_its_id_until_it_is_published() {
    CancelTaskRequest cancel = CancelTaskRequest.newBuilder().setId(ID).build();
    RescheduleTaskRequest later =
        RescheduleTaskRequest.newBuilder()
            .setId(ID)
            .setDelay(Duration.newBuilder().setSeconds(5))
            .build();

    assertThat(grpc.cancelTask(cancel).getOutcome())
        .isEqualTo(CancelTaskResponse.Outcome.CANCELLED);
    Task task = grpc.rescheduleTask(later);

    assertThat(task.getState()).isEqualTo(Task.State.NEW);
    assertThat(task.getRunAt().getSeconds()).isEqualTo(Edge.NOW.getEpochSecond() + 5);
    assertThat(EDGE.messages.amendments)
        .containsExactly(new Amendment.Cancel(), new Amendment.Reschedule(NOW_MICROS + 5_000_000));

    EDGE.messages.outcome = Optional.of(AmendmentOutcome.TOO_LATE);
    assertThat(grpc.cancelTask(cancel).getOutcome()).isEqualTo(CancelTaskResponse.Outcome.TOO_LATE);
    assertThat(codeOf(() -> grpc.rescheduleTask(later))).isEqualTo(Status.Code.FAILED_PRECONDITION);

    EDGE.messages.outcome = Optional.of(AmendmentOutcome.UNKNOWN_ID);
    assertThat(codeOf(() -> grpc.cancelTask(cancel))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(codeOf(() -> grpc.rescheduleTask(later))).isEqualTo(Status.Code.NOT_FOUND);

    EDGE.messages.outcome = Optional.empty();
    assertThat(codeOf(() -> grpc.cancelTask(cancel))).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void the_id_of_a_task_for_a_handler_is_never_looked_for_among_messages() {
    CancelTaskRequest cancel =
        CancelTaskRequest.newBuilder().setId(ScriptedTasks.id(1).toString()).build();

    assertThat(codeOf(() -> grpc.cancelTask(cancel))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(EDGE.messages.amendments).isEmpty();
  }

  private static Status.Code codeOf(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus().getCode();
  }
}
