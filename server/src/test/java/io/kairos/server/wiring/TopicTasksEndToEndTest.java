package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.header;
import static io.kairos.server.wiring.Application.keyed;
import static io.kairos.server.wiring.Application.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.Idempotency;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskRequest;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.embedded.EmbeddedKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tasks whose destination is a topic, on real Postgres and Kafka. */
class TopicTasksEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String OUT = RUN + ".out";
  private static final String OTHER_OUT = RUN + ".other-out";
  private static final byte[] BINARY = {(byte) 0xc3, 0x28, 0, (byte) 0xff};
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final Duration LATE_BY_AT_MOST = Duration.ofMinutes(1);
  private static final Duration EARLY_BY_AT_MOST = Duration.ofMillis(60);

  @AutoClose
  private static final RunningNode node =
      Configured.started(Configured.route(RUN, "relay-id=true", "allowed-outputs=" + OTHER_OUT));

  @AutoClose
  private static final Application application =
      new Application(EmbeddedKafka.shared().bootstrapServers());

  @AutoClose
  private static final KairosClient client = KairosClient.connect(Configured.address(node));

  @Test
  void ch07_ch09_it_is_published_once_on_time_and_byte_for_byte() {
    Instant due = Instant.now().plusMillis(1_500);

    TaskId id =
        client.schedule(
            TaskRequest.toTopic(OTHER_OUT)
                .payload(BINARY)
                .messageKey("k1".getBytes(UTF_8))
                .messageHeader("a", new byte[] {(byte) 0xfe, 0})
                .traceparent(TRACE)
                .runAt(due)
                .build());

    ConsumerRecord<byte[], byte[]> record =
        application.receive(OTHER_OUT, 1, keyed("k1")).getFirst();
    assertThat(record.value()).isEqualTo(BINARY);
    assertThat(record.headers().lastHeader("a").value()).isEqualTo(new byte[] {(byte) 0xfe, 0});
    assertThat(header(record, "traceparent")).isEqualTo(TRACE);
    assertThat(header(record, "kairos-id")).isEqualTo(id.toString());
    assertThat(Instant.ofEpochMilli(record.timestamp()))
        .isBetween(due.minus(EARLY_BY_AT_MOST), due.plus(LATE_BY_AT_MOST));
    // Whoever has received it may come before the node has let go of it.
    Replicas.await(
        "it is gone",
        () -> {
          try {
            assertThat(client.cancel(id)).isEqualTo(CancelOutcome.TOO_LATE);
            return false;
          } catch (TaskNotFoundException gone) {
            return true;
          }
        });
  }

  @Test
  void one_that_is_due_now_is_published_without_waiting_for_a_poll() {
    client.schedule(
        TaskRequest.toTopic(OUT).payload("now").messageKey("now".getBytes(UTF_8)).build());

    assertThat(value(application.receive(OUT, 1, keyed("now")).getFirst())).isEqualTo("now");
  }

  @Test
  void a_batch_arrives_as_a_whole() {
    List<TaskRequest> requests = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      requests.add(
          TaskRequest.toTopic(i % 2 == 0 ? OUT : OTHER_OUT)
              .payload("p" + i)
              .messageKey("batch".getBytes(UTF_8))
              .build());
    }

    List<TaskId> ids = client.schedule(requests);

    assertThat(ids).doesNotHaveDuplicates().hasSize(200);
    assertThat(application.receive(OUT, 100, keyed("batch"))).hasSize(100);
    assertThat(application.receive(OTHER_OUT, 100, keyed("batch"))).hasSize(100);
  }

  @Test
  void asked_for_again_under_its_idempotency_key_while_it_waits_it_is_the_same() {
    TaskRequest request =
        TaskRequest.toTopic(OUT)
            .payload("x")
            .messageKey("again".getBytes(UTF_8))
            .runAt(Instant.now().plusSeconds(8))
            .idempotency(Idempotency.key("asked often"))
            .build();

    TaskId first = client.schedule(request);
    List<TaskId> again = client.schedule(List.of(request, far("beside it")));

    assertThat(again).hasSize(2).startsWith(first);
    assertThat(application.receive(OUT, 1, keyed("again"))).hasSize(1);
    assertThat(client.cancel(again.getLast())).isEqualTo(CancelOutcome.CANCELLED);
  }

  @Test
  void one_idempotency_key_for_two_topics_is_two_messages() {
    Instant due = Instant.now().plusSeconds(2);
    for (String topic : List.of(OUT, OTHER_OUT)) {
      client.schedule(
          TaskRequest.toTopic(topic)
              .payload(topic)
              .messageKey("both".getBytes(UTF_8))
              .runAt(due)
              .idempotency(Idempotency.key("for both"))
              .build());
    }

    for (String topic : List.of(OUT, OTHER_OUT)) {
      assertThat(value(application.receive(topic, 1, keyed("both")).getFirst())).isEqualTo(topic);
    }
  }

  @Test
  void by_its_id_it_is_cancelled_and_rescheduled() {
    TaskId cancelled = client.schedule(far("cancelled"));
    TaskId moved = client.schedule(far("moved"));

    assertThat(client.cancel(cancelled)).isEqualTo(CancelOutcome.CANCELLED);
    Task task = client.reschedule(moved, Duration.ofMillis(200));

    assertThat(task.state()).isEqualTo(TaskState.NEW);
    assertThat(application.receive(OUT, 1, keyed("moved"))).hasSize(1);
    assertThat(application.receive(OUT, 0, keyed("cancelled"))).isEmpty();
    assertThat(catchThrowableOfType(TaskNotFoundException.class, () -> client.cancel(cancelled)))
        .isNotNull();
  }

  private static TaskRequest far(String key) {
    return TaskRequest.toTopic(OUT)
        .payload("x")
        .messageKey(key.getBytes(UTF_8))
        .delay(Duration.ofSeconds(20))
        .build();
  }

  @Test
  void a_topic_that_no_route_allows_is_refused() {
    InvalidRequestException refused =
        catchThrowableOfType(
            InvalidRequestException.class,
            () -> client.schedule(TaskRequest.toTopic(RUN + ".in").payload("x").build()));

    assertThat(refused.field()).isEqualTo("topic.name");
  }
}
