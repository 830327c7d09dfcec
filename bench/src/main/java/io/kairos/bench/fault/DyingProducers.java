package io.kairos.bench.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Producers with transactions die at each step of one, while one of two nodes is killed again and
 * again: what comes out is what was committed, and nothing of an aborted transaction. The broker's
 * own view, read with {@code read_committed}, says what was committed.
 */
final class DyingProducers {
  private static final int MESSAGES = 20;
  private static final String DELAY = "1s";
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration WITHIN = Duration.ofMinutes(2);

  /** Longer than the delay, and than a second copy takes that comes by the hold time. */
  private static final Duration STRAYS = Duration.ofSeconds(8);

  private DyingProducers() {}

  /** After which step a producer dies. */
  private enum Step {
    BEGUN,
    SENT,
    FLUSHED,
    COMMITTING,
    COMMITTED,
    ABORTING,
    ABORTED
  }

  static void happen(FaultContext context, FaultVerdict verdict) {
    BenchRig rig = context.startNodes(2);
    int sent = 0;
    for (int round = 0; round < context.options.rounds; round++) {
      BenchNodeProcess victim = rig.nodes().getFirst();
      for (Step step : Step.values()) {
        // Every other death is one that no successor cleans up: the broker aborts by timeout.
        String id = "bench-" + (round % 2 == 0 ? step : step + "-" + round);
        die(rig, id, step, round);
        sent += MESSAGES;
      }
      victim.kill();
      rig.startNode();
      context.say("round " + (round + 1) + " of " + context.options.rounds);
    }
    BenchWait.pass(TRANSACTION_TIMEOUT.multipliedBy(2));
    Set<String> committed = new HashSet<>();
    Set<String> fired = new HashSet<>();
    try (TopicView input = new TopicView(rig, rig.input());
        TopicView output = new TopicView(rig, rig.output())) {
      boolean all =
          BenchWait.until(
              () -> {
                input.readInto(committed);
                output.readInto(fired);
                return fired.containsAll(committed);
              },
              WITHIN,
              Duration.ofMillis(200));
      BenchWait.pass(STRAYS);
      output.readInto(fired);
      Set<String> never = new HashSet<>(fired);
      never.removeAll(committed);
      Set<String> lost = new HashSet<>(committed);
      lost.removeAll(fired);
      verdict
          .saw("sent in transactions", Unit.COUNT, sent)
          .saw("committed", Unit.COUNT, committed.size())
          .saw("fired", Unit.COUNT, fired.size())
          .saw("committed and lost", Unit.COUNT, lost.size())
          .saw("fired and not committed", Unit.COUNT, never.size())
          .saw("second copies", Unit.COUNT, output.records - fired.size())
          .demand(all && lost.isEmpty(), "committed messages did not come out")
          .demand(never.isEmpty(), "messages of aborted transactions came out")
          .demand(
              !committed.isEmpty() && committed.size() < sent,
              "all or nothing was committed: the producers did not die where they should");
    }
  }

  private static void die(BenchRig rig, String id, Step step, int round) {
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                rig.bootstrapServers(),
                "transactional.id",
                id,
                "transaction.timeout.ms",
                Math.toIntExact(TRANSACTION_TIMEOUT.toMillis())),
            new StringSerializer(),
            new StringSerializer());
    try {
      producer.initTransactions();
      producer.beginTransaction();
      if (step == Step.BEGUN) {
        return;
      }
      IntStream.range(0, MESSAGES).forEach(i -> send(producer, rig.input(), id, round, i));
      switch (step) {
        case BEGUN, SENT -> {}
        case FLUSHED -> producer.flush();
        case COMMITTING -> halfway(producer::commitTransaction);
        case COMMITTED -> producer.commitTransaction();
        case ABORTING -> halfway(producer::abortTransaction);
        case ABORTED -> producer.abortTransaction();
      }
    } finally {
      producer.close(Duration.ZERO); // says nothing to the broker
    }
  }

  private static void send(
      KafkaProducer<String, String> producer, String topic, String id, int round, int number) {
    String name = id + "-" + round + "-" + number;
    var message = new ProducerRecord<String, String>(topic, name, name);
    message.headers().add("kairos-id", name.getBytes(UTF_8));
    message.headers().add("kairos-delay", DELAY.getBytes(UTF_8));
    var _ = producer.send(message);
  }

  /** Begins on another thread what the death of the producer cuts off. */
  private static void halfway(Runnable end) {
    var _ =
        Thread.ofVirtual()
            .start(() -> {
              try {
                end.run();
              } catch (KafkaException | IllegalStateException e) {
                // the producer has died meanwhile
              }
            });
    BenchWait.pass(Duration.ofMillis(2));
  }

  /** All that lies on a topic and is committed, by value. */
  private static final class TopicView implements AutoCloseable {
    private final KafkaConsumer<String, String> consumer;
    private int records;

    TopicView(BenchRig rig, String topic) {
      consumer =
          new KafkaConsumer<>(
              Map.of(
                  "bootstrap.servers", rig.bootstrapServers(), "isolation.level", "read_committed"),
              new StringDeserializer(),
              new StringDeserializer());
      List<TopicPartition> places =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(places);
      consumer.seekToBeginning(places);
    }

    void readInto(Set<String> values) {
      for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(500))) {
        values.add(record.value());
        records++;
      }
    }

    @Override
    public void close() {
      consumer.close();
    }
  }
}
