package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.model.delay.BrokerFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every {@link Publisher}. */
public abstract class PublisherContract {
  private static final byte[] NO_HEADERS = {};
  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(10);
  private static final int LOOKS = 6_000;

  private BrokerFixture broker;
  private Publisher publisher;

  /** The broker; may be shared by all tests, which use new topics. Called before each test. */
  protected abstract BrokerFixture broker();

  /** The publisher under test, on that broker; may be shared. */
  protected abstract Publisher publisher();

  /** Bytes of a value that the broker always refuses as too large. */
  protected abstract int tooLargeBytes();

  /** The longest time until a send completes, with success or not. */
  protected abstract Duration publishTimeout();

  @BeforeEach
  void find_the_broker() {
    broker = broker();
    publisher = publisher();
  }

  @Test
  void an_acknowledged_record_lies_on_its_partition_byte_for_byte() {
    String topic = broker.newTopic(3);
    byte[] binary = {0, -1, 127, -128, 13, 10};
    List<MessageHeader> headers =
        List.of(
            new MessageHeader("h", binary),
            new MessageHeader("h", null),
            new MessageHeader("", new byte[0]),
            new MessageHeader("ü 😀", binary));

    SendResult result =
        sent(
            new OutgoingRecord(
                new TopicName(topic), 1, binary, binary, HeaderCodec.encode(headers)));

    assertThat(result).isEqualTo(SendResult.Acknowledged.INSTANCE);
    InputRecord record = only(broker.records(topic, 1));
    assertThat(record.key()).isEqualTo(binary);
    assertThat(record.value()).isEqualTo(binary);
    assertThat(record.headers()).isEqualTo(headers);
    assertThat(broker.records(topic, 0)).isEmpty();
    assertThat(broker.records(topic, 2)).isEmpty();
  }

  @Test
  void null_and_empty_are_not_the_same() {
    String topic = broker.newTopic(2);

    sent(to(topic, 0, null));
    sent(new OutgoingRecord(new TopicName(topic), 1, new byte[0], new byte[0], NO_HEADERS));

    InputRecord nulls = only(broker.records(topic, 0));
    assertThat(nulls.key()).isNull();
    assertThat(nulls.value()).isNull();
    assertThat(nulls.headers()).isEmpty();
    InputRecord empties = only(broker.records(topic, 1));
    assertThat(empties.key()).isEmpty();
    assertThat(empties.value()).isEmpty();
  }

  @Test
  void a_topics_partitions_are_found_out_by_asking() {
    String topic = broker.newTopic(5);

    eventually(() -> publisher.partitions(new TopicName(topic)) == 5);
  }

  @Test
  void a_topic_that_does_not_exist_has_no_partitions() {
    for (int i = 0; i < 3; i++) {
      assertThat(publisher.partitions(new TopicName("no-such-topic"))).isZero();
    }
  }

  @Test
  void added_partitions_are_seen_within_seconds() {
    String topic = broker.newTopic(1);
    eventually(() -> publisher.partitions(new TopicName(topic)) == 1);

    broker.grow(topic, 4);

    eventually(() -> publisher.partitions(new TopicName(topic)) == 4);
    assertThat(sent(to(topic, 3, null))).isEqualTo(SendResult.Acknowledged.INSTANCE);
  }

  @Test
  void d9_a_key_goes_where_the_standard_partitioner_would_put_it() {
    // Hashes as Kafka's own tests have them.
    Map<String, Integer> hashes =
        Map.of(
            "21", -973_932_308,
            "foobar", -790_332_482,
            "a-little-bit-long-string", -985_981_536,
            "a-little-bit-longer-string", -1_486_304_829,
            "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971,
            "abc", 479_470_107);

    hashes.forEach((key, hash) -> {
      for (int partitions : new int[] {1, 2, 3, 4, 7, 12, 1_000}) {
        assertThat(publisher.partitionFor(key.getBytes(StandardCharsets.UTF_8), partitions))
            .isEqualTo((hash & Integer.MAX_VALUE) % partitions);
      }
    });
  }

  @Test
  void an_empty_key_has_a_partition_too() {
    assertThat(publisher.partitionFor(new byte[0], 4)).isBetween(0, 3);
  }

  @Test
  void what_the_broker_will_never_take_is_refused_and_not_written() {
    String topic = broker.newTopic(1);

    SendResult result = sent(to(topic, 0, new byte[tooLargeBytes()]));

    assertThat(result)
        .isInstanceOfSatisfying(
            SendResult.Refused.class, refused -> assertThat(refused.why()).isNotBlank());
    assertThat(broker.records(topic, 0)).isEmpty();
  }

  @Test
  void a_send_to_a_partition_that_does_not_exist_fails_within_the_publish_timeout() {
    String topic = broker.newTopic(1);

    assertThat(sent(to(topic, 9, null))).isNotInstanceOf(SendResult.Acknowledged.class);
    assertThat(sent(to("no-such-topic", 0, null))).isNotInstanceOf(SendResult.Acknowledged.class);
  }

  @Test
  void a_send_to_a_partition_that_is_not_known_yet_fails() {
    String topic = broker.newTopic(1);

    assertThat(sent(to(topic, -1, null))).isInstanceOf(SendResult.Failed.class);
    assertThat(broker.records(topic, 0)).isEmpty();
  }

  @Test
  void a_failing_send_does_not_disturb_the_others() {
    String topic = broker.newTopic(1);
    BlockingQueue<SendResult> failing = new LinkedBlockingQueue<>();
    publisher.send(to(topic, 9, null), failing::add);

    assertThat(sent(to(topic, 0, null))).isEqualTo(SendResult.Acknowledged.INSTANCE);

    await(failing);
  }

  @Test
  void each_of_many_sends_completes_exactly_once_and_its_record_is_there_once() {
    String topic = broker.newTopic(4);
    int count = 2_000;
    BlockingQueue<Integer> completed = new LinkedBlockingQueue<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      byte[] value = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
      publisher.send(
          to(topic, i % 4, value),
          result -> completed.add(result instanceof SendResult.Acknowledged ? number : -1));
    }

    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seen.add(await(completed));
    }

    assertThat(seen).doesNotHaveDuplicates().doesNotContain(-1);
    List<String> values = new ArrayList<>();
    for (int partition = 0; partition < 4; partition++) {
      for (InputRecord record : broker.records(topic, partition)) {
        values.add(text(record.value()));
      }
    }
    assertThat(values).hasSize(count).doesNotHaveDuplicates();
    assertThat(completed).isEmpty();
  }

  private static OutgoingRecord to(String topic, int partition, byte @Nullable [] value) {
    return new OutgoingRecord(new TopicName(topic), partition, null, value, NO_HEADERS);
  }

  private SendResult sent(OutgoingRecord outgoing) {
    BlockingQueue<SendResult> results = new LinkedBlockingQueue<>();
    publisher.send(outgoing, results::add);
    return await(results);
  }

  private <T> T await(BlockingQueue<T> results) {
    try {
      T result = results.poll(publishTimeout().toMillis() + 60_000, TimeUnit.MILLISECONDS);
      if (result == null) {
        throw new AssertionError("a send has not completed within the publish timeout");
      }
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Asks again and again, because the adapter finds out only when it is asked. */
  private static void eventually(BooleanSupplier condition) {
    for (int i = 0; i < LOOKS; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      LockSupport.parkNanos(LOOK_AGAIN_AFTER.toNanos());
    }
    throw new AssertionError("not true after " + LOOKS + " looks");
  }

  private static InputRecord only(List<InputRecord> records) {
    assertThat(records).hasSize(1);
    return records.getFirst();
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }
}
