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
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A partition whose broker is gone delays only itself, on input and on output. */
class KafkaDeadPartitionTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int ALIVE = 0;
  private static final int DEAD = 1;

  @TempDir private Path first;
  @TempDir private Path second;

  @Tag("long")
  @Test // TW-10, TW-L4
  void a_dead_partition_delays_no_other_and_works_again_when_its_broker_is_back() {
    try (EmbeddedKafka keeper = EmbeddedKafka.start(KafkaOptions.in(first));
        EmbeddedKafka mortal =
            EmbeddedKafka.start(KafkaOptions.in(second).joining(keeper.asPeer(), 2));
        KafkaFixture broker = new KafkaFixture(keeper)) {
      String topic = KafkaFixture.freshName();
      broker.create(new NewTopic(topic, Map.of(ALIVE, List.of(1), DEAD, List.of(2))));
      KafkaConfig config =
          Publishers.patient(
              KafkaConfig.at(keeper.bootstrapServers(), "half"), Duration.ofSeconds(10));
      KafkaInput source =
          new KafkaInput(config, topic, topic, System::nanoTime, Publishers.THREAD_DIED);
      try (KafkaPublisher publisher = Publishers.open(config)) {
        Publishers.awaitKnown(publisher, topic);
        List<InputRecord> read = new ArrayList<>();
        both_work(publisher, source, topic, read);

        mortal.kill();
        one_works(publisher, source, topic, read, config);

        mortal.restart();
        Eventually.within(LONG, "the dead one is back", () -> acknowledged(publisher, topic, DEAD));
        int before = read.size();
        Eventually.within(
            LONG,
            "what is written there is read",
            () -> {
              poll(source, read);
              return read.subList(before, read.size()).stream()
                  .anyMatch(record -> record.partition() == DEAD);
            });
      } finally {
        source.close();
      }
    }
  }

  private static void both_work(
      KafkaPublisher publisher, KafkaInput source, String topic, List<InputRecord> read) {
    Eventually.within(LONG, "both acknowledge", () -> acknowledged(publisher, topic, ALIVE));
    Eventually.within(LONG, "both acknowledge", () -> acknowledged(publisher, topic, DEAD));
    Eventually.within(
        LONG,
        "both are read",
        () -> {
          poll(source, read);
          return read.stream().map(InputRecord::partition).distinct().count() == 2;
        });
  }

  private static void one_works(
      KafkaPublisher publisher,
      KafkaInput source,
      String topic,
      List<InputRecord> read,
      KafkaConfig config) {
    Duration timeout = config.output().publishTimeout();
    long start = System.nanoTime();
    List<CompletableFuture<SendResult>> lost = new ArrayList<>();
    int sent = 0;
    int ahead = 0;
    int readBefore = read.size();
    while (System.nanoTime() - start < timeout.plusSeconds(2).toNanos()) {
      if (lost.size() < 200) {
        lost.add(Publishers.send(publisher, Publishers.outgoing(topic, DEAD, new byte[1_000])));
      }
      assertThat(acknowledged(publisher, topic, ALIVE)).isTrue();
      sent++;
      if (!lost.getFirst().isDone()) {
        ahead++;
      }
      poll(source, read);
    }

    assertThat(ahead).as("acknowledged while the dead one was waited for").isGreaterThan(2);
    assertThat(publisher.partitions(new TopicName(topic))).isEqualTo(2);
    assertThat(lost)
        .filteredOn(CompletableFuture::isDone)
        .isNotEmpty()
        .allMatch(send -> send.resultNow() instanceof SendResult.Failed);
    for (CompletableFuture<SendResult> send : lost) {
      assertThat(send).succeedsWithin(timeout.multipliedBy(3));
    }
    int expected = sent;
    Eventually.within(
        LONG,
        "the living one is read",
        () -> {
          poll(source, read);
          return read.size() - readBefore >= expected;
        });
  }

  private static boolean acknowledged(KafkaPublisher publisher, String topic, int partition) {
    return Publishers.sent(publisher, Publishers.outgoing(topic, partition, new byte[] {1}))
        instanceof SendResult.Acknowledged;
  }

  private static void poll(KafkaInput source, List<InputRecord> read) {
    InputSource.Batch batch = source.poll(Duration.ofMillis(20));
    batch.unpositioned().forEach(place -> source.position(place, OptionalLong.empty()));
    read.addAll(batch.records());
  }
}
