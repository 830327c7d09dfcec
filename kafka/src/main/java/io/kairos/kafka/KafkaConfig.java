package io.kairos.kafka;

import io.kairos.engine.delay.DelayConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How to reach the broker and how to behave there. Checked in the constructor; a message names the
 * property as an operator writes it.
 *
 * @param bootstrapServers host:port pairs, comma separated
 * @param client further properties of the Kafka clients, for security, compression and the like;
 *     each client gets those that it knows. What Kairos decides itself is refused here
 * @param clientId what the broker's logs and quotas call this node
 */
public record KafkaConfig(
    String bootstrapServers,
    Map<String, String> client,
    String clientId,
    Input input,
    OutputSettings output,
    Topics topics) {

  /** Properties that carry a promise of Kairos; changing one would break it. */
  private static final Map<String, String> OURS =
      Map.ofEntries(
          Map.entry("bootstrap.servers", "use kafka.bootstrap-servers"),
          Map.entry("client.id", "Kairos names its clients after the node"),
          Map.entry("group.id", "use kafka.input.group-prefix"),
          Map.entry("group.protocol", "Kairos needs the classic one, for a short session timeout"),
          Map.entry("group.instance.id", "a restarted node is a new node"),
          Map.entry("session.timeout.ms", "use kafka.input.session-timeout"),
          Map.entry("heartbeat.interval.ms", "use kafka.input.session-timeout"),
          Map.entry("partition.assignment.strategy", "all nodes must use the same"),
          Map.entry("enable.auto.commit", "positions are kept in the store"),
          Map.entry("auto.offset.reset", "Kairos never skips silently"),
          Map.entry("isolation.level", "records of aborted transactions are never delivered"),
          Map.entry("max.poll.records", "use kafka.input.max-records"),
          Map.entry("fetch.max.bytes", "use kafka.input.max-bytes"),
          Map.entry("acks", "a message counts as published when all in-sync replicas have it"),
          Map.entry("enable.idempotence", "without it a retry inside the client makes duplicates"),
          Map.entry("transactional.id", "Kairos publishes without transactions"),
          Map.entry("delivery.timeout.ms", "use delay.firing.publish-timeout"),
          Map.entry("request.timeout.ms", "use delay.firing.publish-timeout"),
          Map.entry("max.block.ms", "a send must never block"),
          Map.entry("linger.ms", "use kafka.output.linger"),
          Map.entry("batch.size", "use kafka.output.batch-bytes"),
          Map.entry("buffer.memory", "use kafka.output.buffer-bytes"),
          Map.entry("max.request.size", "use kafka.output.max-record-bytes"),
          Map.entry("interceptor.classes", "payloads are opaque"),
          Map.entry("key.serializer", "payloads are bytes"),
          Map.entry("value.serializer", "payloads are bytes"),
          Map.entry("key.deserializer", "payloads are bytes"),
          Map.entry("value.deserializer", "payloads are bytes"));

  public KafkaConfig(
      String bootstrapServers,
      Map<String, String> client,
      String clientId,
      Input input,
      OutputSettings output,
      Topics topics) {
    this.bootstrapServers = bootstrapServers;
    this.client = Map.copyOf(client);
    this.clientId = clientId;
    this.input = input;
    this.output = output;
    this.topics = topics;
    require(
        !bootstrapServers.isBlank(),
        "kafka.bootstrap-servers must name at least one broker as host:port");
    require(!clientId.isBlank(), "kafka.client-id must not be empty");
    for (String name : new TreeMap<>(client).keySet()) {
      String remedy = OURS.get(name);
      require(remedy == null, "kafka.client." + name + " cannot be set: " + remedy);
      require(
          ProducerConfig.configNames().contains(name)
              || ConsumerConfig.configNames().contains(name)
              || AdminClientConfig.configNames().contains(name),
          "kafka.client." + name + " is not a property of the Kafka clients");
    }
    ClientSettings.check(this);
  }

  /** Defaults for a broker without security. */
  public static KafkaConfig at(String bootstrapServers, String clientId) {
    return new KafkaConfig(
        bootstrapServers,
        Map.of(),
        clientId,
        Input.DEFAULT,
        OutputSettings.DEFAULT,
        Topics.DEFAULT);
  }

  public KafkaConfig withInput(Input changed) {
    return new KafkaConfig(bootstrapServers, client, clientId, changed, output, topics);
  }

  public KafkaConfig withOutput(OutputSettings changed) {
    return new KafkaConfig(bootstrapServers, client, clientId, input, changed, topics);
  }

  public KafkaConfig withTopics(Topics changed) {
    return new KafkaConfig(bootstrapServers, client, clientId, input, output, changed);
  }

  /** The client properties that one of the clients knows; the others would only make it warn. */
  Map<String, String> clientProperties(Set<String> known) {
    Map<String, String> mine = new TreeMap<>(client);
    mine.keySet().retainAll(known);
    return mine;
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Reading input topics.
   *
   * @param groupPrefix the consumer group of a route is this and the route's name
   * @param maxRecords bound of one poll
   * @param maxBytes bound of one poll in payload, except that one record is always taken
   * @param sessionTimeout silence after which the broker gives a dead node's partitions to others;
   *     most brokers refuse less than six seconds ({@code group.min.session.timeout.ms})
   * @param longestRound a member that has not polled for so long leaves its group: longer than any
   *     wait for store and broker in one round of intake, and short enough not to hold up a
   *     rebalance for the others
   */
  public record Input(
      String groupPrefix,
      int maxRecords,
      int maxBytes,
      Duration sessionTimeout,
      Duration longestRound) {
    public static final Input DEFAULT =
        new Input("kairos-", 2_000, 4 << 20, Duration.ofSeconds(6), Duration.ofMinutes(1));

    public Input {
      require(!groupPrefix.isBlank(), "kafka.input.group-prefix must not be empty");
      require(
          maxRecords >= 1 && maxRecords <= 100_000,
          "kafka.input.max-records must be in [1, 100000], but is " + maxRecords);
      require(
          maxBytes >= 1024 && maxBytes <= 256 << 20,
          "kafka.input.max-bytes must be in [1024, 268435456], but is " + maxBytes);
      requireBetween(
          "kafka.input.session-timeout",
          sessionTimeout,
          Duration.ofMillis(500),
          Duration.ofMinutes(30));
    }
  }

  /**
   * Publishing.
   *
   * @param publishTimeout every send has ended after this; shorter than the hold time, or a message
   *     may be taken over while its send is under way
   * @param linger how long a record waits for others to share its batch
   * @param batchBytes a batch is sent when it has so many bytes
   * @param bufferBytes memory for records that have not been acknowledged; when it is used up sends
   *     fail at once
   * @param maxRecordBytes larger records are refused without asking the broker, whose own limit is
   *     the topic's {@code max.message.bytes}
   */
  public record OutputSettings(
      Duration publishTimeout,
      Duration linger,
      int batchBytes,
      long bufferBytes,
      int maxRecordBytes) {
    public static final OutputSettings DEFAULT =
        new OutputSettings(
            DelayConfig.Firing.DEFAULT_PUBLISH_TIMEOUT,
            Duration.ofMillis(2),
            64 << 10,
            64L << 20,
            16 << 20);

    public OutputSettings {
      requireBetween(
          "delay.firing.publish-timeout",
          publishTimeout,
          Duration.ofMillis(100),
          Duration.ofMinutes(10));
      requireBetween("kafka.output.linger", linger, Duration.ZERO, publishTimeout.dividedBy(4));
      require(
          batchBytes >= 0 && batchBytes <= bufferBytes,
          "kafka.output.batch-bytes must be in [0, kafka.output.buffer-bytes], but is "
              + batchBytes);
      require(
          maxRecordBytes >= 1024 && maxRecordBytes <= bufferBytes,
          "kafka.output.max-record-bytes must be in [1024, kafka.output.buffer-bytes], but is "
              + maxRecordBytes
              + " with a buffer of "
              + bufferBytes);
    }
  }

  /**
   * Topics that are missing at start.
   *
   * @param create whether Kairos may create them
   * @param partitions of a topic that Kairos creates
   * @param replicationFactor of a topic that Kairos creates; 0 for the broker's default
   * @param timeout how long the check at start may wait for the broker
   */
  public record Topics(boolean create, int partitions, int replicationFactor, Duration timeout) {
    public static final Topics DEFAULT = new Topics(true, 4, 0, Duration.ofSeconds(10));

    public Topics {
      require(
          partitions >= 1 && partitions <= 10_000,
          "kafka.topics.partitions must be in [1, 10000], but is " + partitions);
      require(
          replicationFactor >= 0 && replicationFactor <= Short.MAX_VALUE,
          "kafka.topics.replication-factor must not be negative (0 is the broker's default), but is"
              + " "
              + replicationFactor);
      requireBetween("kafka.topics.timeout", timeout, Duration.ofMillis(100), Duration.ofHours(1));
    }
  }

  private static void requireBetween(String name, Duration value, Duration least, Duration most) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        name + " must be in [" + least + ", " + most + "], but is " + value);
  }
}
