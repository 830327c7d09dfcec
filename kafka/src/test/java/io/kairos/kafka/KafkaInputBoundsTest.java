package io.kairos.kafka;

import static io.kairos.kafka.KafkaInputs.WAIT;
import static io.kairos.kafka.KafkaInputs.position;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.embedded.EmbeddedKafka;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records that become many times as large as a fetch may be. */
final class KafkaInputBoundsTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final long MOST = KafkaConfig.Input.DEFAULT.maxBytes();

  private static final Header EMPTY = new RecordHeader("", (byte[]) null);
  private static final MessageHeader ID = new MessageHeader("kairos-id", "a".getBytes(UTF_8));

  private final KafkaInputs inputs = new KafkaInputs();
  private final String topic = KafkaFixture.shared().newTopic(1);
  private final KafkaInput source = inputs.open(topic);
  private int largestBatch;

  @AfterEach
  void close() {
    inputs.close();
  }

  @Test
  void what_a_compressed_batch_becomes_is_read_within_the_bound_in_bytes() {
    send(64, MEBIBYTE);

    List<InputRecord> read = readAll(64);

    assertThat(read).allMatch(record -> record.cut() == null);
    assertThat(offsets(read)).isEqualTo(LongStream.range(0, 64).boxed().toList());
  }

  @Test
  void records_beyond_the_bound_come_whole_one_by_one() {
    send(3, 6 * MEBIBYTE);
    send(3, 10);

    List<InputRecord> read = readAll(6);

    assertThat(offsets(read)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    assertThat(read.subList(0, 3)).allMatch(record -> record.heldBytes() > 6 * MEBIBYTE);
  }

  @Test
  void of_a_record_that_no_output_could_take_only_size_and_hash_are_kept() {
    send(1, 20 * MEBIBYTE);
    send(1, 10);

    List<InputRecord> read = readAll(2);

    assertThat(read.getFirst().key()).isEqualTo("key".getBytes(UTF_8));
    assertThat(read.getFirst().value()).isNull();
    assertThat(read.getFirst().cut())
        .isEqualTo(
            new InputRecord.Cut(
                20 * MEBIBYTE,
                0,
                "cd52d81e25f372e6fa4db2c0dfceb59862c1969cab17096da352b34950c973cc",
                0,
                0));
    assertThat(read.getLast().cut()).isNull();
  }

  @Test
  void headers_count_for_the_bound_though_they_are_empty() {
    send(200, 0, Collections.nCopies(InputRecord.MAX_HEADERS, EMPTY));

    List<InputRecord> read = readAll(200);

    assertThat(largestBatch).isLessThan(50); // of 4 MiB, by 100 KB of objects for a record
    assertThat(read).allMatch(record -> record.cut() == null);
    assertThat(offsets(read)).isEqualTo(LongStream.range(0, 200).boxed().toList());
  }

  @Test
  void of_headers_that_are_too_many_only_those_for_kairos_are_kept() {
    List<Header> many = new ArrayList<>(Collections.nCopies(500_000, EMPTY));
    many.add(new RecordHeader("kairos-id", "a".getBytes(UTF_8)));
    send(20, 10, many);

    List<InputRecord> read = readAll(20);

    assertThat(read)
        .allSatisfy(record -> {
          assertThat(record.value()).hasSize(10);
          assertThat(record.headers()).containsExactly(ID);
          assertThat(record.headerCount()).isEqualTo(500_001);
        });
  }

  @Test
  void of_headers_that_no_output_could_take_only_those_for_kairos_are_kept() {
    send(
        1,
        10,
        List.of(
            new RecordHeader("kairos-id", "a".getBytes(UTF_8)),
            new RecordHeader("large", new byte[20 * MEBIBYTE])));

    InputRecord read = readAll(1).getFirst();

    assertThat(read.value()).hasSize(10);
    assertThat(read.headers()).containsExactly(ID);
    assertThat(read.cut()).isEqualTo(new InputRecord.Cut(0, 0, null, 1, 20 * MEBIBYTE + 5));
  }

  private static List<Long> offsets(List<InputRecord> read) {
    return read.stream().map(InputRecord::offset).toList();
  }

  private List<InputRecord> readAll(int count) {
    List<InputRecord> read = new ArrayList<>();
    position(source, OptionalLong.of(0));
    Eventually.within(
        KafkaInputs.SOON,
        count + " records",
        () -> {
          List<InputRecord> batch = source.poll(WAIT).records();
          assertThat(
                  batch.size() <= 1
                      || batch.stream().mapToLong(InputRecord::heldBytes).sum() <= MOST)
              .as("a batch of %d", batch.size())
              .isTrue();
          largestBatch = Math.max(largestBatch, batch.size());
          read.addAll(batch);
          return read.size() >= count;
        });
    return read;
  }

  private void send(int count, int valueBytes) {
    send(count, valueBytes, List.of());
  }

  private void send(int count, int valueBytes, List<Header> headers) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            EmbeddedKafka.shared().bootstrapServers(),
            "compression.type",
            "gzip",
            "linger.ms",
            1_000,
            "batch.size",
            MEBIBYTE,
            "max.request.size",
            64 * MEBIBYTE,
            "buffer.memory",
            64 * MEBIBYTE);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    topic, 0, "key".getBytes(UTF_8), new byte[valueBytes], headers)));
      }
    }
    sent.forEach(KafkaFixture::done);
  }
}
