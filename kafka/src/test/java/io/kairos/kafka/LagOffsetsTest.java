package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LagOffsetsTest {
  private static final TopicPartition PLACE = new TopicPartition("orders", 0);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final LagOffsets offsets = new LagOffsets(() -> 0, consumer);

  @BeforeEach
  void assign_the_partition() {
    consumer.assign(Set.of(PLACE));
  }

  @Test
  void a_read_without_records_tells_what_the_broker_never_delivers() {
    offsets.polled(polled(4));

    assertThat(told()).isEqualTo(4);
  }

  /** Its records are read but not stored: there is no offset to tell, and none to take back. */
  @Test
  void records_that_are_not_stored_yet_take_nothing_back() {
    offsets.polled(polled(4));
    told();

    offsets.polled(polled(6, 4, 5));
    assertThat(told()).isEqualTo(4);

    offsets.stored(PLACE, 5);
    assertThat(told()).isEqualTo(5);
    offsets.stored(PLACE, 6);
    assertThat(told()).isEqualTo(6);
  }

  @Test
  void nothing_is_told_before_the_first_record_is_stored() {
    offsets.polled(polled(2, 0, 1));

    assertThat(told()).isNull();
  }

  @Test
  void a_partition_that_is_read_again_is_told_from_there() {
    offsets.stored(PLACE, 9);
    told();

    offsets.drop(PLACE);
    offsets.stored(PLACE, 3);

    assertThat(told()).isEqualTo(3);
  }

  private @Nullable Long told() {
    offsets.tellLast("", Duration.ofSeconds(1));
    OffsetAndMetadata told = consumer.committed(Set.of(PLACE)).get(PLACE);
    return told == null ? null : told.offset();
  }

  private static ConsumerRecords<byte[], byte[]> polled(long position, long... records) {
    List<ConsumerRecord<byte[], byte[]>> read =
        LongStream.of(records)
            .mapToObj(at -> new ConsumerRecord<>("orders", 0, at, new byte[0], new byte[0]))
            .toList();
    return new ConsumerRecords<>(
        read.isEmpty() ? Map.of() : Map.of(PLACE, read),
        Map.of(PLACE, new OffsetAndMetadata(position)));
  }
}
