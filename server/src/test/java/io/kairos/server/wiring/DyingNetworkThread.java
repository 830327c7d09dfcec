package io.kairos.server.wiring;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/**
 * Given to the Kafka clients as a reporter of metrics: kills a producer's network thread by an
 * error when that is about to send its first record. Stateless, because Kafka makes it.
 */
public final class DyingNetworkThread implements MetricsReporter {
  @Override
  public void metricChange(KafkaMetric metric) {
    if (metric.metricName().group().equals("producer-topic-metrics")
        && Thread.currentThread().getName().startsWith("kafka-producer-network-thread")) {
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
