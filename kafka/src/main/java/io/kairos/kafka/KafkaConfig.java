package io.kairos.kafka;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormats;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Settings of the Kafka clients. The constructor validates them; messages name the setting as an
 * operator writes it.
 */
public record KafkaConfig(
    @Setting(
            key = "kafka.bootstrap-servers",
            defaultValue = EMBEDDED,
            description =
                "Brokers as host:port, separated by commas; embedded for a broker that the node starts itself, in a process of its own and with its data kept; or none for a node without delay queue and topics, which `kafka: none` says as well. With a postgres.url of your own the default is none.")
        String bootstrapServers,
    @Setting(
            key = "kafka.client.*",
            description =
                "Further properties of the Kafka clients, for security and the like, such as kafka.client.security.protocol. Those that carry a promise of Kairos are refused.")
        Map<String, String> client,
    @Setting(
            key = "kafka.client-id",
            defaultValue = "kairos",
            description = "What the broker's logs and quotas call this node.")
        String clientId,
    Input input,
    OutputSettings output,
    Topics topics) {
  /** Value in place of brokers: the node starts its own broker. */
  public static final String EMBEDDED = "embedded";

  /**
   * Properties that guarantees of Kairos depend on; setting them is refused with the given reason.
   */
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

  /** Throws {@link IllegalArgumentException} that names the setting and the rule. */
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
    KafkaConfig defaults = ConfigRecord.defaults(KafkaConfig.class);
    return new KafkaConfig(
        bootstrapServers,
        defaults.client,
        clientId,
        defaults.input,
        defaults.output,
        defaults.topics);
  }

  /** Returns these settings for other brokers. */
  public KafkaConfig withBootstrapServers(String changed) {
    return new KafkaConfig(changed, client, clientId, input, output, topics);
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

  /**
   * Returns the client properties that one of the clients knows; the client would warn of the
   * others.
   */
  Map<String, String> clientProperties(Set<String> known) {
    Map<String, String> mine = new TreeMap<>(client);
    mine.keySet().retainAll(known);
    return mine;
  }

  /** Reading input topics. */
  public record Input(
      @Setting(
              key = "kafka.input.group-prefix",
              defaultValue = "kairos-",
              description = "The consumer group of a route is this and the route's name.")
          String groupPrefix,
      @Setting(
              key = "kafka.input.max-records",
              defaultValue = "2000",
              min = "1",
              max = "100000",
              description = "Most records of one poll, which are stored in one transaction.")
          int maxRecords,
      @Setting(
              key = "kafka.input.max-bytes",
              defaultValue = "4MiB",
              min = "1KiB",
              max = "256MiB",
              format = ValueFormats.IntSize.class,
              description = "Most bytes of one poll, except that one record is always taken.")
          int maxBytes,
      @Setting(
              key = "kafka.input.session-timeout",
              defaultValue = "6s",
              min = "0.5s",
              max = "30m",
              description =
                  "Silence after which the broker gives a dead node's partitions to others. Most brokers refuse less than 6s.")
          Duration sessionTimeout,
      @Setting(
              defaultValue = "1m",
              description =
                  "A member that has not polled for so long leaves its group: longer than any wait for store and broker in one round of intake, and short enough not to hold up a rebalance for the others.")
          Duration longestRound) {
    public static final Input DEFAULT = ConfigRecord.defaults(Input.class);

    public Input {
      ConfigRecord.check(
          Input.class, groupPrefix, maxRecords, maxBytes, sessionTimeout, longestRound);
      require(!groupPrefix.isBlank(), "kafka.input.group-prefix must not be empty");
    }
  }

  /** Publishing. */
  public record OutputSettings(
      @Setting(
              defaultValue = DelayConfig.Firing.PUBLISH_TIMEOUT,
              min = "0.1s",
              max = "10m",
              description =
                  "Every send has ended after this; shorter than the hold time, or a message may be taken over while its send is under way. Wiring takes it from delay.firing.publish-timeout.")
          Duration publishTimeout,
      @Setting(
              key = "kafka.output.linger",
              defaultValue = "0.002s",
              description =
                  "How long a message waits for others to share its batch. Longer is cheaper and later.")
          Duration linger,
      @Setting(
              key = "kafka.output.batch-bytes",
              defaultValue = "64KiB",
              format = ValueFormats.IntSize.class,
              description = "A batch with so many bytes is sent at once.")
          int batchBytes,
      @Setting(
              key = "kafka.output.buffer-bytes",
              defaultValue = "64MiB",
              format = ValueFormats.LongSize.class,
              description = "Memory for messages that the broker has not acknowledged.")
          long bufferBytes,
      @Setting(
              key = "kafka.output.max-record-bytes",
              defaultValue = "16MiB",
              min = "1KiB",
              format = ValueFormats.IntSize.class,
              description =
                  "Larger messages are refused without asking the broker, whose own limit is the topic's max.message.bytes.")
          int maxRecordBytes) {
    public OutputSettings {
      ConfigRecord.check(
          OutputSettings.class, publishTimeout, linger, batchBytes, bufferBytes, maxRecordBytes);
      Duration longest = publishTimeout.dividedBy(4);
      require(
          linger.compareTo(longest) <= 0,
          "kafka.output.linger must be in [PT0S, %s], a quarter of delay.firing.publish-timeout, but is %s"
              .formatted(longest, linger));
      require(
          batchBytes <= bufferBytes,
          "kafka.output.batch-bytes must be in [0, kafka.output.buffer-bytes], but is "
              + batchBytes);
      require(
          maxRecordBytes <= bufferBytes,
          "kafka.output.max-record-bytes must be in [1024, kafka.output.buffer-bytes], but is "
              + maxRecordBytes
              + " with a buffer of "
              + bufferBytes);
    }
  }

  /** Topics that are missing at start. */
  public record Topics(
      @Setting(
              key = "kafka.topics.create",
              defaultValue = "true",
              description = "Whether the node creates topics that are missing at start.")
          boolean create,
      @Setting(
              key = "kafka.topics.partitions",
              defaultValue = "4",
              min = "1",
              max = "10000",
              description = "Partitions of a topic that the node creates.")
          int partitions,
      @Setting(
              key = "kafka.topics.replication-factor",
              defaultValue = "0",
              min = "0",
              max = "32767",
              description = "Replicas of a topic that the node creates; 0 is the broker's default.")
          int replicationFactor,
      @Setting(
              key = "kafka.topics.timeout",
              defaultValue = "10s",
              min = "0.1s",
              max = "1h",
              description = "How long one question about the topics may wait for the broker.")
          Duration timeout) {
    public Topics {
      ConfigRecord.check(Topics.class, create, partitions, replicationFactor, timeout);
    }
  }
}
