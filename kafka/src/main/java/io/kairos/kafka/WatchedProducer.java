package io.kairos.kafka;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer that reports when its network thread has ended by an error. */
final class WatchedProducer extends KafkaProducer<byte[], byte[]> {
  private final NetworkThread thread;

  private WatchedProducer(KafkaConfig config, String clientId, NetworkThread thread) {
    super(
        ClientSettings.producer(config, clientId),
        new ByteArraySerializer(),
        new ByteArraySerializer());
    this.thread = thread;
  }

  /**
   * @param networkThreadDied told when the network thread has ended by an error
   * @throws org.apache.kafka.common.KafkaException when the client's settings do not go together
   */
  static WatchedProducer make(
      KafkaConfig config, String clientId, Consumer<Throwable> networkThreadDied) {
    NetworkThread thread =
        new NetworkThread(NETWORK_THREAD_PREFIX + " | " + clientId, networkThreadDied);
    return thread.of(() -> new WatchedProducer(config, clientId, thread));
  }

  @Override
  public void close(Duration timeout) {
    thread.mayEnd();
    super.close(timeout);
  }
}
