package io.kairos.kafka;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer that does not take records in silence after its network thread has died. */
final class WatchedProducer extends KafkaProducer<byte[], byte[]> {
  private final NetworkThread thread;

  /**
   * @param networkThreadDied told when its network thread has ended by an error
   * @throws org.apache.kafka.common.KafkaException when the client's settings do not go together
   */
  WatchedProducer(KafkaConfig config, String clientId, Consumer<Throwable> networkThreadDied) {
    super(
        ClientSettings.producer(config, clientId),
        new ByteArraySerializer(),
        new ByteArraySerializer());
    this.thread = NetworkThread.watch(NETWORK_THREAD_PREFIX + " | " + clientId, networkThreadDied);
  }

  @Override
  public void close(Duration timeout) {
    thread.mayEnd();
    super.close(timeout);
  }
}
