package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.CancelTaskRequest;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.RescheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.Topic;
import io.kairos.cli.ScriptedNode.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos delay}: which words become which request, and what is printed. */
final class DelayCommandTest {
  private static final String ID = "019b76da-a800-8000-8000-000000000004";

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void a_message_is_a_task_for_a_topic() {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    Said said =
        node.kairos(
            "delay send --topic=orders --message-key=7 --header=a=b --payload=late "
                + "--delay=15m");

    assertThat(said).isEqualTo(new Said(0, ID, ""));
    assertThat(node.request(ScheduleTaskRequest.class))
        .isEqualTo(
            ScheduleTaskRequest.newBuilder()
                .setTopic(
                    Topic.newBuilder()
                        .setName("orders")
                        .setKey(ByteString.copyFromUtf8("7"))
                        .addHeaders(
                            Topic.Header.newBuilder()
                                .setName("a")
                                .setValue(ByteString.copyFromUtf8("b"))))
                .setPayload(ByteString.copyFromUtf8("late"))
                .setDelay(Duration.newBuilder().setSeconds(900))
                .build());
  }

  @Test
  void a_message_is_cancelled_as_long_as_it_waits() {
    node.answers(
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.CANCELLED).build(),
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.TOO_LATE).build());

    assertThat(node.kairos("delay cancel " + ID)).isEqualTo(new Said(0, "cancelled", ""));
    assertThat(node.kairos("delay cancel " + ID)).isEqualTo(new Said(1, "too late", ""));
    assertThat(node.request(CancelTaskRequest.class).getId()).isEqualTo(ID);
  }

  @Test
  void a_message_gets_another_due_time() {
    Timestamp due = Timestamp.newBuilder().setSeconds(60).build();
    node.answers(Task.newBuilder().setId(ID).setState(Task.State.NEW).setRunAt(due).build());

    assertThat(node.kairos("delay reschedule " + ID + " --at=1970-01-01T00:01:00Z"))
        .isEqualTo(new Said(0, ID + ": due 1970-01-01T00:01:00Z", ""));
    assertThat(node.request(RescheduleTaskRequest.class).getRunAt()).isEqualTo(due);
  }
}
