package io.kairos.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The properties of each Kafka client: tunables first, then the operator's properties, last those
 * that guarantees of Kairos depend on.
 */
final class ClientSettings {
  /** How soon added partitions and moved leaders are noticed without an error. */
  private static final int METADATA_MAX_AGE_MILLIS = 2_000;

  /** Quick resumption when the broker is back, and next to no work while it is away. */
  private static final int BACKOFF_MAX_MILLIS = 1_000;

  /**
   * Most records of one poll of the client, of which a batch needs many: a client decompresses them
   * one by one, to whatever size, and makes about a hundred bytes of each header, however short. So
   * a poll makes up to 200 MB of four records of 1 MiB. Each poll costs about 10 µs, too much for
   * every record.
   */
  private static final int POLL_RECORDS = 4;

  /** Of one answer of a broker, unless a single record is larger. */
  private static final int LETTER_FETCH_BYTES = 1 << 20;

  private ClientSettings() {}

  /**
   * Validates the settings by the configuration classes of the clients.
   *
   * @throws IllegalArgumentException that names the invalid properties of the operator
   */
  static void check(KafkaConfig config) {
    try {
      new ProducerConfig(
          with(
              producer(config, "check"),
              Map.of(
                  ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class,
                  ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class)));
      new ConsumerConfig(
          with(
              consumer(config, "check", "check"),
              Map.of(
                  ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class,
                  ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class)));
      new AdminClientConfig(admin(config, "check"));
    } catch (ConfigException e) {
      String told = String.valueOf(e.getMessage()).replaceFirst("\\.$", "");
      String keys =
          new TreeSet<>(config.client().keySet())
              .stream()
                  .filter(name -> names(told, name))
                  .map(name -> "kafka.client." + name)
                  .collect(Collectors.joining(" and "));
      throw new IllegalArgumentException(
          (keys.isEmpty() ? "kafka.client" : keys) + " cannot be used: " + told, e);
    }
  }

  private static Map<String, Object> with(Map<String, Object> settings, Map<String, Object> more) {
    settings.putAll(more);
    return settings;
  }

  private static boolean names(String message, String property) {
    return Pattern.compile("(?<![\\w.-])" + Pattern.quote(property) + "(?![\\w-]|\\.\\w)")
        .matcher(message)
        .find();
  }

  static Map<String, Object> consumer(KafkaConfig config, String group, String clientId) {
    KafkaConfig.Input input = config.input();
    Map<String, Object> settings = common();
    settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MAX_AGE_MILLIS);
    settings.put(
        ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
        Math.toIntExact(input.longestRound().toMillis()));
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(
        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Math.min(1 << 20, input.maxBytes()));
    // A broker that vanished without closing its connections is noticed after this.
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);

    settings.putAll(config.clientProperties(ConsumerConfig.configNames()));

    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    // The newer protocol's session timeout is the broker's to set, 45 s and no less by default.
    settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    settings.put(
        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
        Math.toIntExact(input.sessionTimeout().toMillis()));
    settings.put(
        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
        Math.toIntExact(input.sessionTimeout().toMillis() / 4));
    // Partitions that stay keep their position and are read on while others move.
    settings.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(
        ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Math.min(POLL_RECORDS, input.maxRecords()));
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, input.maxBytes());
    return settings;
  }

  static Map<String, Object> producer(KafkaConfig config, String clientId) {
    KafkaConfig.OutputSettings output = config.output();
    int publishTimeoutMillis = Math.toIntExact(output.publishTimeout().toMillis());
    Map<String, Object> settings = common();
    settings.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MAX_AGE_MILLIS);
    // Partition counts of output topics stay known through hours without a message.
    settings.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, Duration.ofDays(1).toMillis());
    // One: a broker that has no record of this producer on a partition takes any first sequence. If
    // the first of several batches fails (a new partition's leader is not ready) and the second is
    // taken, the first is refused as out of order until it times out. Costs nothing measurable.
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    // The bytes of the payload are relayed as they are; batches of few records compress badly.
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");

    settings.putAll(config.clientProperties(ProducerConfig.configNames()));

    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, publishTimeoutMillis);
    // Two attempts of a request fit into the publish timeout when a broker hangs.
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, publishTimeoutMillis / 2);
    // Neither for metadata nor for memory: a send that would have to wait fails at once.
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, output.linger().toMillis());
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, output.batchBytes());
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, output.bufferBytes());
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, output.maxRecordBytes());
    return settings;
  }

  /** Of a consumer that looks at some records without a group. */
  static Map<String, Object> letterConsumer(KafkaConfig config, String clientId) {
    Map<String, Object> settings = common();
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);

    settings.putAll(config.clientProperties(ConsumerConfig.configNames()));

    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // Where retention has passed what was asked for, the earliest record is the nearest.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, LETTER_FETCH_BYTES);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, LETTER_FETCH_BYTES);
    return settings;
  }

  /** Of a producer of one record, which may wait. */
  static Map<String, Object> letterProducer(KafkaConfig config, String clientId) {
    Map<String, Object> settings = producer(config, clientId);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    return settings;
  }

  static Map<String, Object> admin(KafkaConfig config, String clientId) {
    int timeoutMillis = Math.toIntExact(config.topics().timeout().toMillis());
    Map<String, Object> settings = common();
    settings.putAll(config.clientProperties(AdminClientConfig.configNames()));
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis);
    return settings;
  }

  private static Map<String, Object> common() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 50);
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, BACKOFF_MAX_MILLIS);
    settings.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, 50);
    settings.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, BACKOFF_MAX_MILLIS);
    settings.put(
        CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG,
        Math.toIntExact(Duration.ofSeconds(2).toMillis()));
    settings.put(
        CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG,
        Math.toIntExact(Duration.ofSeconds(4).toMillis()));
    // Client telemetry costs requests and answers no question that Kairos asks.
    settings.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    return settings;
  }
}
