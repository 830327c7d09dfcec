package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.KafkaOptions;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.SendResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CH-48: the broker is away, or hangs, and comes back. */
class KafkaOutageTest {
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(60);

  /** For how long this machine may stand still. */
  private static final Duration STALL = Duration.ofSeconds(20);

  @TempDir private static Path directory;

  private static EmbeddedKafka kafka;
  private static KafkaFixture broker;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(KafkaOptions.in(directory));
    broker = new KafkaFixture(kafka);
  }

  @AfterAll
  static void stop() {
    broker.close();
    kafka.close();
  }

  @BeforeEach
  void have_a_broker() {
    if (!kafka.isRunning()) {
      kafka.restart();
    }
  }

  @Test
  void ch48_while_the_broker_is_away_sends_fail_in_time_polls_are_empty_and_both_resume_alone() {
    String topic = broker.newTopic(1);
    KafkaConfig config = KafkaConfig.at(kafka.bootstrapServers(), "away");
    KafkaInput source =
        new KafkaInput(config, topic, topic, System::nanoTime, Publishers.THREAD_DIED);
    try (KafkaPublisher publisher = Publishers.open(config)) {
      Publishers.awaitKnown(publisher, topic);
      Publishers.sendUntilAcknowledged(publisher, topic, (byte) 1);
      List<InputRecord> read = new ArrayList<>();
      Eventually.within(LONG, "the first record", () -> poll(source, read) >= 1);

      assertThat(publisher.answers()).isTrue();
      kafka.kill();
      Eventually.within(LONG, "the broker is missed", () -> !answers(publisher, topic));
      // At once, when the producer has already started again from the bootstrap servers.
      a_send_fails_within_the_publish_timeout(publisher, topic, config);
      nothing_spins(source, "away");
      assertThat(publisher.partitions(new TopicName(topic))).isEqualTo(1);

      kafka.restart();
      Eventually.within(LONG, "the broker answers", () -> answers(publisher, topic));
      Publishers.sendUntilAcknowledged(publisher, topic, (byte) 2);
      Eventually.within(
          LONG,
          "what was written is read",
          () -> {
            poll(source, read);
            return read.stream().anyMatch(record -> isTwo(record.value()));
          });
      assertThat(read).extracting(InputRecord::offset).doesNotHaveDuplicates().isSorted();
    } finally {
      source.close();
    }
  }

  @Test
  void a_broker_that_hangs_fails_sends_in_time_and_what_came_late_is_not_written_twice() {
    String topic = broker.newTopic(1);
    KafkaConfig config = KafkaConfig.at(kafka.bootstrapServers(), "hanging");
    try (KafkaPublisher publisher = Publishers.open(config)) {
      Publishers.awaitKnown(publisher, topic);
      Publishers.sent(publisher, topic, (byte) 1);

      kafka.pause();
      try {
        assertThat(a_send_fails_within_the_publish_timeout(publisher, topic, config))
            .as("it waited for the broker")
            .isGreaterThan(Duration.ofSeconds(1));
      } finally {
        kafka.resume();
      }

      Publishers.sendUntilAcknowledged(publisher, topic, (byte) 2);
      // Two tries of the request went out while it hung; the broker knows them for one.
      assertThat(broker.records(topic, 0).stream().filter(record -> isMarked(record.value(), 9)))
          .hasSizeLessThanOrEqualTo(1);
    }
  }

  @Tag("long")
  @Test
  void a_publisher_and_a_source_can_be_opened_before_there_is_a_broker() {
    String topic = broker.newTopic(1);
    kafka.kill();
    KafkaConfig config = KafkaConfig.at(kafka.bootstrapServers(), "early");
    KafkaInput source =
        new KafkaInput(config, topic, topic, System::nanoTime, Publishers.THREAD_DIED);
    try (KafkaPublisher publisher = Publishers.open(config)) {
      assertThat(publisher.partitions(new TopicName(topic))).isZero();
      assertThat(source.poll(WAIT)).isEqualTo(InputSource.Batch.EMPTY);

      kafka.restart();

      Eventually.within(LONG, "known", () -> publisher.partitions(new TopicName(topic)) == 1);
      Publishers.sendUntilAcknowledged(publisher, topic, (byte) 1);
      List<InputRecord> read = new ArrayList<>();
      Eventually.within(LONG, "the record", () -> poll(source, read) >= 1);
    } finally {
      source.close();
    }
  }

  /** As a node asks: again and again for the partitions of its topics. */
  private static boolean answers(KafkaPublisher publisher, String topic) {
    var _ = publisher.partitions(new TopicName(topic));
    return publisher.answers();
  }

  /** Returns how long it took. */
  private static Duration a_send_fails_within_the_publish_timeout(
      KafkaPublisher publisher, String topic, KafkaConfig config) {
    long start = System.nanoTime();

    assertThat(Publishers.sent(publisher, topic, (byte) 9)).isInstanceOf(SendResult.Failed.class);

    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertThat(took).isLessThan(config.output().publishTimeout().plus(STALL));
    return took;
  }

  /** What spins takes a whole core, however slow; here it is a few hundredths. */
  private static void nothing_spins(KafkaInput source, String clientId) {
    // The clients' backoff has reached its longest by then.
    pollFor(source, Duration.ofSeconds(2));
    Duration before = ThreadsCpu.of(clientId);
    Duration watched = Duration.ofSeconds(5);

    int polls = pollFor(source, watched);

    Duration spent = ThreadsCpu.of(clientId).minus(before);
    assertThat(spent).isLessThan(watched.dividedBy(2));
    assertThat(polls).isLessThan((int) (3 * watched.dividedBy(WAIT)));
  }

  private static int pollFor(KafkaInput source, Duration time) {
    long until = System.nanoTime() + time.toNanos();
    int polls = 0;
    while (System.nanoTime() < until) {
      assertThat(source.poll(WAIT).records()).isEmpty();
      polls++;
    }
    return polls;
  }

  private static int poll(KafkaInput source, List<InputRecord> read) {
    InputSource.Batch batch = source.poll(WAIT);
    long next = read.isEmpty() ? 0 : read.getLast().offset() + 1;
    batch.unpositioned().forEach(place -> source.position(place, OptionalLong.of(next)));
    read.addAll(batch.records());
    return read.size();
  }

  private static boolean isTwo(byte @Nullable [] value) {
    return isMarked(value, 2);
  }

  private static boolean isMarked(byte @Nullable [] value, int mark) {
    return value != null && value.length == 1 && value[0] == mark;
  }
}
