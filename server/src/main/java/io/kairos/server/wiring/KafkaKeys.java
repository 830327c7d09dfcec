package io.kairos.server.wiring;

import io.kairos.kafka.KafkaConfig;
import io.kairos.kafka.KafkaConfig.Input;
import io.kairos.kafka.KafkaConfig.OutputSettings;
import io.kairos.kafka.KafkaConfig.Topics;
import io.kairos.server.config.Kind;
import io.kairos.server.config.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The broker: one of our own or somebody else's.
 *
 * @param embedded whether the node starts the broker itself
 * @param port of the embedded broker
 * @param config with a place-holder for the address of an embedded broker, see {@link #at}
 */
record KafkaKeys(boolean embedded, int port, KafkaConfig config) {
  static final String EMBEDDED = "embedded";
  static final String BOOTSTRAP_SERVERS = "kafka.bootstrap-servers";
  static final String PORT = "kafka.port";
  static final int DEFAULT_PORT = 9092;

  private static final int MOST = Integer.MAX_VALUE;

  /** The settings for a broker at this address. */
  KafkaConfig at(String bootstrapServers) {
    return new KafkaConfig(
        bootstrapServers,
        config.client(),
        config.clientId(),
        config.input(),
        config.output(),
        config.topics());
  }

  static Optional<KafkaKeys> read(
      Settings settings, Duration publishTimeout, Duration longestRound) {
    String servers =
        settings.value(
            BOOTSTRAP_SERVERS,
            Kind.TEXT,
            EMBEDDED,
            "Brokers as host:port, separated by commas, or embedded for a broker that the node starts itself, in a process of its own and with its data kept.");
    int port =
        settings.value(
            PORT,
            Kind.number(0, 65_535),
            DEFAULT_PORT,
            "Port of the embedded broker on 127.0.0.1; 0 takes a free one.");
    boolean embedded = servers.equals(EMBEDDED);
    if (!embedded && settings.isGiven(PORT)) {
      settings.contradiction(
          "kafka.port is for the embedded broker, but kafka.bootstrap-servers names another one: remove kafka.port");
    }
    String clientId =
        settings.value(
            "kafka.client-id",
            Kind.TEXT,
            "kairos",
            "What the broker's logs and quotas call this node.");
    Map<String, String> client =
        settings.all(
            "kafka.client",
            "Further properties of the Kafka clients, for security and the like, such as kafka.client.security.protocol. Those that carry a promise of Kairos are refused.");
    Optional<Input> input = input(settings, longestRound);
    Optional<OutputSettings> output = output(settings, publishTimeout);
    Optional<Topics> topics = topics(settings);
    if (input.isEmpty() || output.isEmpty() || topics.isEmpty()) {
      return Optional.empty();
    }
    return settings.build(() ->
        new KafkaKeys(
            embedded,
            port,
            new KafkaConfig(servers, client, clientId, input.get(), output.get(), topics.get())));
  }

  private static Optional<Input> input(Settings settings, Duration longestRound) {
    Input defaults = Input.DEFAULT;
    String groupPrefix =
        settings.value(
            "kafka.input.group-prefix",
            Kind.TEXT,
            defaults.groupPrefix(),
            "The consumer group of a route is this and the route's name.");
    int maxRecords =
        settings.value(
            "kafka.input.max-records",
            Kind.number(1, MOST),
            defaults.maxRecords(),
            "Most records of one poll, which are stored in one transaction.");
    long maxBytes =
        settings.value(
            "kafka.input.max-bytes",
            Kind.BYTES,
            (long) defaults.maxBytes(),
            "Most bytes of one poll, except that one record is always taken.");
    Duration sessionTimeout =
        settings.value(
            "kafka.input.session-timeout",
            Kind.DURATION,
            defaults.sessionTimeout(),
            "Silence after which the broker gives a dead node's partitions to others. Most brokers refuse less than 6s.");
    return settings.build(() ->
        new Input(
            groupPrefix, maxRecords, (int) Math.min(MOST, maxBytes), sessionTimeout, longestRound));
  }

  private static Optional<OutputSettings> output(Settings settings, Duration publishTimeout) {
    OutputSettings defaults = OutputSettings.DEFAULT;
    Duration linger =
        settings.value(
            "kafka.output.linger",
            Kind.DURATION,
            defaults.linger(),
            "How long a message waits for others to share its batch. Longer is cheaper and later.");
    long batchBytes =
        settings.value(
            "kafka.output.batch-bytes",
            Kind.BYTES,
            (long) defaults.batchBytes(),
            "A batch with so many bytes is sent at once.");
    long bufferBytes =
        settings.value(
            "kafka.output.buffer-bytes",
            Kind.BYTES,
            defaults.bufferBytes(),
            "Memory for messages that the broker has not acknowledged.");
    long maxRecordBytes =
        settings.value(
            "kafka.output.max-record-bytes",
            Kind.BYTES,
            (long) defaults.maxRecordBytes(),
            "Larger messages are refused without asking the broker, whose own limit is the topic's max.message.bytes.");
    return settings.build(() ->
        new OutputSettings(
            publishTimeout,
            linger,
            (int) Math.min(MOST, batchBytes),
            bufferBytes,
            (int) Math.min(MOST, maxRecordBytes)));
  }

  private static Optional<Topics> topics(Settings settings) {
    Topics defaults = Topics.DEFAULT;
    boolean create =
        settings.value(
            "kafka.topics.create",
            Kind.FLAG,
            defaults.create(),
            "Whether the node creates topics that are missing at start.");
    int partitions =
        settings.value(
            "kafka.topics.partitions",
            Kind.number(1, MOST),
            defaults.partitions(),
            "Partitions of a topic that the node creates.");
    int replicationFactor =
        settings.value(
            "kafka.topics.replication-factor",
            Kind.number(0, Short.MAX_VALUE),
            defaults.replicationFactor(),
            "Replicas of a topic that the node creates; 0 is the broker's default.");
    Duration timeout =
        settings.value(
            "kafka.topics.timeout",
            Kind.DURATION,
            defaults.timeout(),
            "How long one question about the topics may wait for the broker.");
    return settings.build(() -> new Topics(create, partitions, replicationFactor, timeout));
  }
}
