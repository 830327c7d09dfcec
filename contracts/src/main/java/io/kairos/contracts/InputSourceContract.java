package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.model.delay.BrokerFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link InputSource}. A test polls until it has seen the records that it
 * waits for, and fails after a bounded number of polls.
 */
public abstract class InputSourceContract {
  private static final Duration WAIT = Duration.ofMillis(100);
  private static final int MANY_POLLS = 600;
  private static final int A_FEW_POLLS = 5;
  private static final String GROUP = "kairos";

  private final List<InputSource> opened = new ArrayList<>();
  private BrokerFixture broker;

  /** The broker; may be shared by all tests, which use new topics. Called before each test. */
  protected abstract BrokerFixture broker();

  /**
   * A new member of the group. Partitions without a stored position start at the earliest record.
   */
  protected abstract InputSource open(String group, String topic);

  @BeforeEach
  void find_the_broker() {
    broker = broker();
  }

  @AfterEach
  void close_what_was_opened() {
    opened.forEach(InputSource::close);
  }

  @Test
  void a_new_partition_delivers_nothing_until_it_is_positioned() {
    String topic = broker.newTopic(2);
    produce(topic, 0, "a");
    InputSource source = join(topic);
    assertThat(awaitUnpositioned(source, 2)).containsExactlyInAnyOrder(0, 1);

    for (int i = 0; i < A_FEW_POLLS; i++) {
      InputSource.Batch batch = source.poll(WAIT);
      assertThat(batch.records()).isEmpty();
      assertThat(batch.unpositioned()).containsExactlyInAnyOrder(0, 1);
    }

    source.position(0, OptionalLong.empty());
    assertThat(values(awaitRecords(source, 1))).containsExactly("a");
    assertThat(source.poll(WAIT).unpositioned()).containsExactly(1);
  }

  @Test
  void without_a_stored_position_reading_starts_where_the_topics_rule_says() {
    String topic = broker.newTopic(1);
    produce(topic, 0, "a");
    produce(topic, 0, "b");

    InputSource source = joinFromStart(topic, 1);

    assertThat(values(awaitRecords(source, 2))).containsExactly("a", "b");
  }

  @Test
  void a_topic_that_is_made_anew_is_another_topic_and_read_from_its_start() {
    String topic = broker.newTopic(1);
    produce(topic, 0, "a");
    produce(topic, 0, "b");
    InputSource before = joinFromStart(topic, 1);
    awaitRecords(before, 2);
    before.stored(Map.of(0, 2L));
    TopicId first = before.topic();
    before.close();

    broker.recreate(topic, 1);
    produce(topic, 0, "c");
    InputSource source = joinFromStart(topic, 1);

    assertThat(source.topic()).isNotEqualTo(first);
    assertThat(values(awaitRecords(source, 1))).containsExactly("c");
  }

  @Test
  void the_members_of_a_group_read_the_same_topic() {
    String topic = broker.newTopic(2);
    InputSource one = joinFromStart(topic, 2);
    TopicId id = one.topic();
    one.close();
    InputSource other = joinFromStart(topic, 2);

    assertThat(other.topic()).isEqualTo(id);
  }

  @Test
  void reading_goes_on_at_the_stored_position() {
    String topic = broker.newTopic(1);
    List.of("a", "b", "c").forEach(value -> produce(topic, 0, value));
    InputSource source = join(topic);
    awaitUnpositioned(source, 1);

    source.position(0, OptionalLong.of(1));

    List<InputRecord> records = awaitRecords(source, 2);
    assertThat(values(records)).containsExactly("b", "c");
    assertThat(records).extracting(InputRecord::offset).containsExactly(1L, 2L);
    assertThat(records).extracting(InputRecord::partition).containsOnly(0);
  }

  @Test
  void records_of_an_aborted_transaction_are_passed_over() {
    String topic = broker.newTopic(1);
    produce(topic, 0, "a");
    broker.produceAborted(topic, 0, bytes("aborted"));
    produce(topic, 0, "b");
    broker.produceAborted(topic, 0, bytes("aborted too"));
    InputSource source = joinFromStart(topic, 1);

    assertThat(values(awaitRecords(source, 2))).containsExactly("a", "b");
    for (int i = 0; i < A_FEW_POLLS; i++) {
      assertThat(source.poll(WAIT)).isEqualTo(InputSource.Batch.EMPTY);
    }
    source.position(0, OptionalLong.of(1));
    assertThat(values(awaitRecords(source, 1))).containsExactly("b");
  }

  @Test
  void a_position_at_the_end_waits_for_what_comes() {
    String topic = broker.newTopic(1);
    produce(topic, 0, "a");
    InputSource source = join(topic);
    awaitUnpositioned(source, 1);
    source.position(0, OptionalLong.of(1));
    assertThat(source.poll(WAIT).records()).isEmpty();

    produce(topic, 0, "b");

    assertThat(values(awaitRecords(source, 1))).containsExactly("b");
  }

  @Test
  void what_could_not_be_stored_is_read_again_after_a_position() {
    String topic = broker.newTopic(2);
    produce(topic, 0, "a");
    produce(topic, 0, "b");
    produce(topic, 1, "c");
    InputSource source = joinFromStart(topic, 2);
    awaitRecords(source, 3);

    source.position(0, OptionalLong.of(0));

    assertThat(values(awaitRecords(source, 2))).containsExactly("a", "b");
    assertThat(source.poll(WAIT).records()).isEmpty();
  }

  @Test
  void a_held_partition_delivers_nothing_and_is_not_unpositioned_until_it_is_positioned_again() {
    String topic = broker.newTopic(2);
    produce(topic, 0, "a");
    produce(topic, 1, "b");
    InputSource source = joinFromStart(topic, 2);
    awaitRecords(source, 2);

    source.hold(0);
    produce(topic, 0, "c");
    produce(topic, 1, "d");

    assertThat(values(awaitRecords(source, 1))).containsExactly("d");
    assertThat(source.poll(WAIT)).isEqualTo(InputSource.Batch.EMPTY);
    source.position(0, OptionalLong.of(0));
    assertThat(values(awaitRecords(source, 2))).containsExactly("a", "c");
  }

  @Test
  void records_of_one_partition_are_in_order_and_none_is_left_out() {
    String topic = broker.newTopic(3);
    for (int i = 0; i < 3_000; i++) {
      produce(topic, i % 3, "v" + i);
    }
    InputSource source = joinFromStart(topic, 3);

    List<InputRecord> records = awaitRecords(source, 3_000);

    for (int partition = 0; partition < 3; partition++) {
      int of = partition;
      assertThat(records.stream().filter(one -> one.partition() == of).map(InputRecord::offset))
          .hasSize(1_000)
          .isSorted()
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void key_value_headers_and_timestamp_come_as_they_were_sent() {
    String topic = broker.newTopic(1);
    byte[] binary = {0, -1, 127, -128, 10};
    List<MessageHeader> headers =
        List.of(
            new MessageHeader("h", binary),
            new MessageHeader("h", null),
            new MessageHeader("", new byte[0]),
            new MessageHeader("ü 😀", binary));
    broker.produce(topic, 0, 1_700_000_000_123L, binary, binary, headers);
    broker.produce(topic, 0, 1_700_000_000_124L, null, null, List.of());
    broker.produce(topic, 0, 1_700_000_000_125L, new byte[0], new byte[0], List.of());

    List<InputRecord> records = awaitRecords(joinFromStart(topic, 1), 3);

    assertThat(records.get(0).key()).isEqualTo(binary);
    assertThat(records.get(0).value()).isEqualTo(binary);
    assertThat(records.get(0).headers()).isEqualTo(headers);
    assertThat(records.get(0).timestampMillis()).isEqualTo(1_700_000_000_123L);
    assertThat(records.get(1).key()).isNull();
    assertThat(records.get(1).value()).isNull();
    assertThat(records.get(1).headers()).isEmpty();
    assertThat(records.get(2).key()).isEmpty();
    assertThat(records.get(2).value()).isEmpty();
  }

  @Test // TW-15
  void a_second_member_shares_the_partitions_and_nothing_is_read_by_nobody() {
    String topic = broker.newTopic(4);
    InputSource first = joinFromStart(topic, 4);
    InputSource second = join(topic);
    Set<Integer> atSecond = awaitShare(second, first, 2);
    for (int partition : atSecond) {
      second.position(partition, OptionalLong.empty());
    }

    for (int partition = 0; partition < 4; partition++) {
      produce(topic, partition, "v" + partition);
    }

    Set<Integer> readByFirst = new HashSet<>();
    Set<Integer> readBySecond = new HashSet<>();
    pollUntil(() -> {
      keepPositioned(first).forEach(one -> readByFirst.add(one.partition()));
      keepPositioned(second).forEach(one -> readBySecond.add(one.partition()));
      return readByFirst.size() + readBySecond.size() >= 4;
    });
    assertThat(readBySecond).isEqualTo(atSecond);
    assertThat(readByFirst).doesNotContainAnyElementsOf(readBySecond);
  }

  @Test
  void a_partition_that_comes_back_waits_for_a_position_again() {
    String topic = broker.newTopic(2);
    produce(topic, 0, "a");
    produce(topic, 1, "b");
    InputSource first = joinFromStart(topic, 2);
    awaitRecords(first, 2);
    InputSource second = join(topic);
    Set<Integer> moved = awaitShare(second, first, 1);

    second.close();

    Set<Integer> back = new TreeSet<>();
    pollUntil(() -> {
      InputSource.Batch batch = first.poll(WAIT);
      assertThat(batch.records()).isEmpty();
      back.addAll(batch.unpositioned());
      return back.containsAll(moved);
    });
    first.position(moved.iterator().next(), OptionalLong.of(0));
    assertThat(awaitRecords(first, 1)).hasSize(1);
  }

  @Test
  void added_partitions_appear_and_wait_for_a_position() {
    String topic = broker.newTopic(1);
    InputSource source = joinFromStart(topic, 1);

    broker.grow(topic, 3);
    produce(topic, 2, "new");

    assertThat(awaitUnpositioned(source, 2)).containsExactlyInAnyOrder(1, 2);
    source.position(1, OptionalLong.empty());
    source.position(2, OptionalLong.empty());
    assertThat(values(awaitRecords(source, 1))).containsExactly("new");
  }

  @Test
  void a_position_of_a_partition_that_is_not_assigned_is_ignored() {
    String topic = broker.newTopic(1);
    produce(topic, 0, "a");
    InputSource source = joinFromStart(topic, 1);

    source.position(7, OptionalLong.of(3));
    source.position(8, OptionalLong.empty());

    assertThat(values(awaitRecords(source, 1))).containsExactly("a");
  }

  @Test
  void telling_what_is_stored_never_fails_and_moves_nothing() {
    String topic = broker.newTopic(1);
    produce(topic, 0, "a");
    InputSource source = join(topic);
    source.stored(Map.of(0, 1L));
    awaitUnpositioned(source, 1);
    source.stored(Map.of(0, 1L, 9, 4L));

    source.position(0, OptionalLong.empty());

    assertThat(values(awaitRecords(source, 1))).containsExactly("a");
    source.stored(Map.of());
    source.close();
    source.stored(Map.of(0, 1L));
  }

  @Test
  void closing_twice_is_closing_once() {
    InputSource source = join(broker.newTopic(1));
    source.poll(WAIT);

    source.close();
    source.close();
  }

  private InputSource join(String topic) {
    InputSource source = open(GROUP + "-" + topic, topic);
    opened.add(source);
    return source;
  }

  private InputSource joinFromStart(String topic, int partitions) {
    InputSource source = join(topic);
    for (int partition : awaitUnpositioned(source, partitions)) {
      source.position(partition, OptionalLong.empty());
    }
    return source;
  }

  private static Set<Integer> awaitUnpositioned(InputSource source, int count) {
    Set<Integer> found = new TreeSet<>();
    pollUntil(() -> {
      found.addAll(source.poll(WAIT).unpositioned());
      return found.size() >= count;
    });
    return found;
  }

  /** The partitions that a new member is given while another one goes on reading its own. */
  private static Set<Integer> awaitShare(InputSource newcomer, InputSource other, int count) {
    Set<Integer> share = new TreeSet<>();
    pollUntil(() -> {
      keepPositioned(other);
      share.addAll(newcomer.poll(WAIT).unpositioned());
      return share.size() == count;
    });
    return share;
  }

  private static List<InputRecord> awaitRecords(InputSource source, int count) {
    List<InputRecord> found = new ArrayList<>();
    pollUntil(() -> {
      found.addAll(source.poll(WAIT).records());
      return found.size() >= count;
    });
    return found;
  }

  /** Polls once, as a node does: new partitions are read from where the group has not stored. */
  private static List<InputRecord> keepPositioned(InputSource source) {
    InputSource.Batch batch = source.poll(WAIT);
    for (int partition : batch.unpositioned()) {
      source.position(partition, OptionalLong.empty());
    }
    return batch.records();
  }

  private static void pollUntil(BooleanSupplier polledEnough) {
    for (int i = 0; i < MANY_POLLS; i++) {
      if (polledEnough.getAsBoolean()) {
        return;
      }
    }
    throw new AssertionError("not seen after " + MANY_POLLS + " polls");
  }

  private void produce(String topic, int partition, String value) {
    broker.produce(topic, partition, 1_700_000_000_000L, null, bytes(value), List.of());
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> values(List<InputRecord> records) {
    return records.stream()
        .map(one -> one.value() == null ? "" : new String(one.value(), StandardCharsets.UTF_8))
        .toList();
  }
}
