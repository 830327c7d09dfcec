package io.kairos.server.wiring;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/**
 * Given to the Kafka clients as a reporter of metrics: kills by an error the thread that does their
 * network work. Stateless, because Kafka makes it.
 */
public abstract class DyingNetworkThread implements MetricsReporter {
  private final String thread;
  private final String group;

  /**
   * Which thread dies, and when.
   *
   * @param thread how its name begins
   * @param group it dies when the client begins a metric of this group
   */
  private DyingNetworkThread(String thread, String group) {
    this.thread = thread;
    this.group = group;
  }

  /** When it is about to send its first record. */
  public static final class OfProducer extends DyingNetworkThread {
    public OfProducer() {
      super("kafka-producer-network-thread", "producer-topic-metrics");
    }
  }

  /** When it has reached the broker, of which it is asked for the input topic's id. */
  public static final class OfTopicIds extends DyingNetworkThread {
    public OfTopicIds() {
      super("kafka-admin-client-thread | kairos-in-", "admin-client-node-metrics");
    }
  }

  /** When it has reached the broker. The consumer works on the thread that polls. */
  public static final class OfConsumer extends DyingNetworkThread {
    public OfConsumer() {
      super("kairos-intake-", "consumer-node-metrics");
    }
  }

  @Override
  public void metricChange(KafkaMetric metric) {
    if (metric.metricName().group().equals(group)
        && Thread.currentThread().getName().startsWith(thread)) {
      throw new StackOverflowError("injected");
    }
  }

  @Override
  public void init(List<KafkaMetric> metrics) {}

  @Override
  public void metricRemoval(KafkaMetric metric) {}

  @Override
  public void close() {}

  @Override
  public void configure(Map<String, ?> settings) {}
}
