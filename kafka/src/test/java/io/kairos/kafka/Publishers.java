package io.kairos.kafka;

import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Short forms for tests. */
final class Publishers {
  /** For clients of which no thread is expected to die. */
  static final Consumer<Throwable> THREAD_DIED =
      error -> {
        throw new AssertionError("a thread of the Kafka clients died", error);
      };

  private static final byte[] NO_HEADERS = {};

  private Publishers() {}

  static KafkaPublisher open(KafkaConfig config) {
    return new KafkaPublisher(config, System::nanoTime, Thread::startVirtualThread, THREAD_DIED);
  }

  /** For tests in which a broker that stands still for seconds is no reason to give up. */
  static KafkaConfig patient(KafkaConfig config, Duration publishTimeout) {
    KafkaConfig.OutputSettings output = config.output();
    return config.withOutput(
        new KafkaConfig.OutputSettings(
            publishTimeout,
            output.linger(),
            output.batchBytes(),
            output.bufferBytes(),
            output.maxRecordBytes()));
  }

  static OutgoingRecord outgoing(String topic, int partition, byte[] value) {
    return new OutgoingRecord(new TopicName(topic), partition, null, value, NO_HEADERS);
  }

  static CompletableFuture<SendResult> send(Publisher publisher, OutgoingRecord outgoing) {
    CompletableFuture<SendResult> result = new CompletableFuture<>();
    publisher.send(outgoing, result::complete);
    return result;
  }

  static SendResult sent(Publisher publisher, OutgoingRecord outgoing) {
    return KafkaFixture.done(send(publisher, outgoing));
  }

  static SendResult sent(Publisher publisher, String topic, byte... value) {
    return sent(publisher, outgoing(topic, 0, value));
  }

  static void sendUntilAcknowledged(Publisher publisher, String topic, byte... value) {
    Eventually.within(
        Duration.ofSeconds(60),
        "a send succeeds",
        () -> sent(publisher, topic, value) instanceof SendResult.Acknowledged);
  }

  static void awaitKnown(Publisher publisher, String topic) {
    Eventually.within(
        Duration.ofSeconds(60),
        topic + " is known",
        () -> publisher.partitions(new TopicName(topic)) > 0);
  }
}
