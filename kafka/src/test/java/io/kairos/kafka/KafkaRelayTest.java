package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** CH-9: same key, same value, same headers, through both adapters and the form in the store. */
class KafkaRelayTest {
  private static final long SEED = Long.getLong("relay.seed", 20_260_721L);
  private static final int RECORDS = 400;

  private final KafkaFixture broker = KafkaFixture.shared();
  private final RandomGenerator random = RandomGeneratorFactory.getDefault().create(SEED);

  @Test
  void ch_9_key_value_and_headers_come_out_as_they_went_in() {
    String in = broker.newTopic(1);
    String out = broker.newTopic(1);
    for (int i = 0; i < RECORDS; i++) {
      broker.produce(in, 0, 1_700_000_000_000L + i, bytes(40), bytes(4_000), headers());
    }

    relay(in, out);

    assertThat(shapes(broker.records(out, 0)))
        .as("seed %d", SEED)
        .isEqualTo(shapes(broker.records(in, 0)));
  }

  private static void relay(String in, String out) {
    // A small bound in bytes, so that polls are cut and their rest carried over.
    KafkaConfig config =
        Publishers.patient(
                KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "relay"),
                Duration.ofSeconds(30))
            .withInput(
                new KafkaConfig.Input(
                    "kairos-", 50, 20_000, Duration.ofSeconds(30), Duration.ofMinutes(1)));
    KafkaInput source = new KafkaInput(config, in, in, System::nanoTime, Publishers.THREAD_DIED);
    try (KafkaPublisher publisher = Publishers.open(config)) {
      Publishers.awaitKnown(publisher, out);
      List<CompletableFuture<SendResult>> sends = new ArrayList<>();
      Eventually.within(
          Duration.ofSeconds(60),
          "all are read",
          () -> {
            InputSource.Batch batch = source.poll(Duration.ofMillis(100));
            batch.unpositioned().forEach(place -> source.position(place, OptionalLong.empty()));
            assertThat(batch.records()).hasSizeLessThanOrEqualTo(50);
            assertThat(bytes(batch.records())).isLessThanOrEqualTo(20_000);
            for (InputRecord record : batch.records()) {
              byte[] stored = HeaderCodec.encode(record.headers());
              sends.add(
                  Publishers.send(
                      publisher,
                      new OutgoingRecord(
                          new TopicName(out), 0, record.key(), record.value(), stored)));
            }
            return sends.size() == RECORDS;
          });
      for (CompletableFuture<SendResult> send : sends) {
        assertThat(KafkaFixture.done(send)).isEqualTo(SendResult.Acknowledged.INSTANCE);
      }
    } finally {
      source.close();
    }
  }

  private static long bytes(List<InputRecord> records) {
    return records.size() == 1 ? 0 : records.stream().mapToLong(InputRecord::payloadBytes).sum();
  }

  private static List<List<@Nullable Object>> shapes(List<InputRecord> records) {
    List<List<@Nullable Object>> shapes = new ArrayList<>();
    for (InputRecord record : records) {
      List<@Nullable Object> shape = new ArrayList<>();
      shape.add(boxed(record.key()));
      shape.add(boxed(record.value()));
      shape.add(record.headers());
      shapes.add(shape);
    }
    return shapes;
  }

  private static @Nullable String boxed(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Null, empty, or anything. */
  private byte @Nullable [] bytes(int most) {
    int kind = random.nextInt(6);
    if (kind == 0) {
      return null;
    }
    byte[] bytes = new byte[kind == 1 ? 0 : random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Up to six; few names, so that some repeat. */
  private List<MessageHeader> headers() {
    String[] names = {"", "a", "A", "trace id", "größe", "名前", "😀", "a\u0000b"};
    List<MessageHeader> headers = new ArrayList<>();
    for (int i = random.nextInt(7); i > 0; i--) {
      headers.add(new MessageHeader(names[random.nextInt(names.length)], bytes(60)));
    }
    return headers;
  }
}
