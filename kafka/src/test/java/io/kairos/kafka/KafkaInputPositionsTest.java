package io.kairos.kafka;

import static io.kairos.kafka.KafkaInputs.SOON;
import static io.kairos.kafka.KafkaInputs.WAIT;
import static io.kairos.kafka.KafkaInputs.awaitCommitted;
import static io.kairos.kafka.KafkaInputs.committed;
import static io.kairos.kafka.KafkaInputs.poll;
import static io.kairos.kafka.KafkaInputs.position;
import static io.kairos.kafka.KafkaInputs.read;
import static io.kairos.kafka.KafkaInputs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.domain.delay.InputRecord;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaInputPositionsTest {
  private final KafkaFixture broker = KafkaFixture.shared();
  private final KafkaInputs inputs = new KafkaInputs();

  @AfterEach
  void close_what_was_opened() {
    inputs.close();
  }

  @Test // PD-22
  void what_is_stored_is_shown_to_lag_tools_and_begins_a_reading_that_has_no_position() {
    String topic = broker.newTopic(1);
    fill(topic, 5);
    KafkaInput first = inputs.open(topic);
    assertThat(texts(read(first, OptionalLong.empty(), 5))).contains("v0", "v4");
    first.stored(Map.of(0, 3L));

    awaitCommitted(first, topic, 3);
    first.stored(Map.of(0, 4L));
    first.close();
    // Told once and for as long as a leaving node waits; a broker that is slower misses it.
    Eventually.within(SOON, "a source that is closed tells its last", () -> tellsLast(topic, 4));

    assertThat(texts(read(inputs.open(topic), OptionalLong.empty(), 1))).containsExactly("v4");
  }

  private boolean tellsLast(String topic, long position) {
    if (committed(topic) == position) {
      return true;
    }
    KafkaInput again = inputs.open(topic);
    position(again, OptionalLong.of(position));
    again.stored(Map.of(0, position));
    again.close();
    return committed(topic) == position;
  }

  @Test // CH-24, CH-B7
  void a_stored_position_wins_over_the_committed_offset() {
    String topic = broker.newTopic(1);
    fill(topic, 5);
    KafkaInput first = inputs.open(topic);
    read(first, OptionalLong.empty(), 5);
    first.stored(Map.of(0, 5L));
    first.close();

    assertThat(texts(read(inputs.open(topic), OptionalLong.of(3), 2))).containsExactly("v3", "v4");
  }

  @Test
  void records_that_retention_took_before_they_were_read_are_an_error_that_counts_them() {
    String topic = broker.newTopic(1);
    fill(topic, 10);
    broker.deleteBefore(topic, 0, 7);

    try (LogLines log = new LogLines(GroupMembership.class)) {
      assertThat(texts(read(inputs.open(topic), OptionalLong.of(2), 3)))
          .containsExactly("v7", "v8", "v9");
      assertThat(log.at(Level.ERROR))
          .singleElement()
          .asString()
          .contains("they are lost")
          .contains("topic=" + topic + " partition=0 wanted=2 start=7 lost=5");
    }
  }

  @Test
  void a_topic_that_is_made_anew_while_it_is_read_has_to_be_positioned_anew() {
    String topic = broker.newTopic(1);
    fill(topic, 10);
    KafkaInput source = inputs.open(topic);
    read(source, OptionalLong.empty(), 10);
    TopicId before = source.topic();
    source.stored(Map.of(0, 10L));

    broker.recreate(topic, 1);
    fill(topic, 2);

    assertThat(texts(read(source, OptionalLong.empty(), 2))).containsExactly("v0", "v1");
    assertThat(source.topic()).isNotEqualTo(before);
  }

  @Test
  void a_topic_made_anew_and_longer_than_what_was_read_is_noticed_after_a_pause() {
    madeAnewAndLonger(Duration.ofSeconds(3));
  }

  @Test
  void a_topic_made_anew_and_longer_than_what_was_read_is_noticed_in_the_end() {
    madeAnewAndLonger(Duration.ZERO);
  }

  /** Nothing is polled meanwhile, so that the group does not notice. */
  private void madeAnewAndLonger(Duration pause) {
    AtomicLong ahead = new AtomicLong();
    String topic = broker.newTopic(1);
    fill(topic, 3);
    KafkaInput source =
        inputs.open(topic, KafkaConfig.Input.DEFAULT, () -> System.nanoTime() + ahead.get());
    read(source, OptionalLong.empty(), 3);
    TopicId before = source.topic();

    broker.recreate(topic, 1);
    fill(topic, 5);
    ahead.addAndGet(pause.toNanos());

    Eventually.within(
        SOON,
        "a partition to position anew",
        () -> {
          boolean found = source.poll(WAIT).unpositioned().contains(0);
          ahead.addAndGet(Duration.ofSeconds(1).toNanos());
          return found;
        });
    assertThat(source.topic()).isNotEqualTo(before);
    assertThat(texts(read(source, OptionalLong.empty(), 5))).startsWith("v0", "v1");
  }

  @Test
  void a_partition_that_has_lost_its_end_is_read_from_its_beginning() {
    String topic = broker.newTopic(1);
    fill(topic, 2);

    try (LogLines log = new LogLines(GroupMembership.class)) {
      assertThat(texts(read(inputs.open(topic), OptionalLong.of(10), 2)))
          .containsExactly("v0", "v1");
      assertThat(log.at(Level.WARN))
          .singleElement()
          .asString()
          .contains("ends before the stored position")
          .contains("wanted=10 start=0");
    }
  }

  @Test
  void an_offset_that_was_committed_for_a_topic_of_the_same_name_is_not_begun_at() {
    String topic = broker.newTopic(1);
    fill(topic, 5);
    broker.commit(
        "kairos-" + topic,
        new TopicPartition(topic, 0),
        new OffsetAndMetadata(3, new UUID(1, 1).toString()));

    assertThat(texts(read(inputs.open(topic), OptionalLong.empty(), 5))).startsWith("v0");
  }

  @Test
  void an_offset_that_an_operator_has_set_is_begun_at() {
    String topic = broker.newTopic(1);
    fill(topic, 5);
    broker.commit("kairos-" + topic, new TopicPartition(topic, 0), new OffsetAndMetadata(3));

    assertThat(texts(read(inputs.open(topic), OptionalLong.empty(), 2)))
        .containsExactly("v3", "v4");
  }

  @Test
  void one_record_is_taken_however_large_and_the_bound_holds_otherwise() {
    String topic = broker.newTopic(1);
    broker.produce(topic, 0, 1L, null, new byte[50_000], List.of());
    for (int i = 0; i < 30; i++) {
      broker.produce(topic, 0, 1L, null, new byte[900], List.of());
    }
    KafkaInput source =
        inputs.open(
            topic,
            new KafkaConfig.Input("kairos-", 1_000, 4_000, SOON, Duration.ofMinutes(1)),
            System::nanoTime);

    List<Integer> sizes = new ArrayList<>();
    position(source, OptionalLong.empty());
    Eventually.within(
        SOON,
        "all are read",
        () -> {
          int size = source.poll(WAIT).records().size();
          if (size > 0) {
            sizes.add(size);
          }
          return sizes.stream().mapToInt(Integer::intValue).sum() == 31;
        });

    assertThat(sizes.getFirst()).isEqualTo(1);
    assertThat(sizes).allMatch(size -> size <= 4);
  }

  @Test
  void what_was_carried_over_is_dropped_when_the_partition_is_positioned_or_held() {
    String topic = broker.newTopic(1);
    for (int i = 0; i < 8; i++) {
      broker.produce(topic, 0, 1L, null, new byte[900], List.of());
    }
    KafkaInput source =
        inputs.open(
            topic,
            new KafkaConfig.Input("kairos-", 1_000, 2_000, SOON, Duration.ofMinutes(1)),
            System::nanoTime);
    position(source, OptionalLong.empty());
    List<InputRecord> first = poll(source, 1);
    assertThat(first).extracting(InputRecord::offset).containsExactly(0L, 1L);

    source.position(0, OptionalLong.of(1));
    assertThat(poll(source, 1)).extracting(InputRecord::offset).containsExactly(1L, 2L);

    source.hold(0);
    assertThat(source.poll(WAIT).records()).isEmpty();
    source.position(0, OptionalLong.of(6));
    assertThat(poll(source, 1)).extracting(InputRecord::offset).containsExactly(6L, 7L);
  }

  @Test
  void closing_from_another_thread_cuts_a_poll_short() throws InterruptedException {
    KafkaInput source = inputs.open(broker.newTopic(1));
    position(source, OptionalLong.empty());
    CountDownLatch polled = new CountDownLatch(1);
    Thread poller =
        Thread.ofPlatform()
            .start(() -> {
              source.poll(Duration.ofMinutes(5));
              polled.countDown();
            });
    Eventually.within(
        SOON, "the poll waits", () -> poller.getState() != Thread.State.NEW && isInPoll(poller));

    source.close();

    assertThat(polled.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(source.poll(Duration.ofMinutes(5))).isEqualTo(InputSource.Batch.EMPTY);
    poller.join();
  }

  @Test
  void an_interrupted_poll_returns_and_leaves_the_thread_interrupted() {
    KafkaInput source = inputs.open(broker.newTopic(1));
    position(source, OptionalLong.empty());

    Thread.currentThread().interrupt();
    InputSource.Batch batch = source.poll(Duration.ofMinutes(5));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(batch.records()).isEmpty();
    assertThat(source.poll(WAIT).unpositioned()).isEmpty();
  }

  private static boolean isInPoll(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("select")) {
        return true;
      }
    }
    return false;
  }

  private void fill(String topic, int count) {
    for (int i = 0; i < count; i++) {
      byte[] value = ("v" + i).getBytes(StandardCharsets.UTF_8);
      broker.produce(topic, 0, System.currentTimeMillis(), null, value, List.of());
    }
  }
}
