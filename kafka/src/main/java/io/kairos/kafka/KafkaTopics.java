package io.kairos.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the topics when a node starts: creates missing topics if allowed, and warns of unsafe
 * settings. Called by wiring on its thread; each request waits for the broker for at most {@code
 * topics.timeout}.
 */
public record KafkaTopics(KafkaConfig config) {
  private static final Logger log = LoggerFactory.getLogger(KafkaTopics.class);

  /**
   * Ratio of a dead-letter topic's largest message to that of an input topic: room for the reason,
   * and for decompressed messages.
   */
  private static final int DEAD_LETTER_FACTOR = 8;

  /** The clients' words, which have no exception of their own. */
  private static final String NO_ADDRESS = "No resolvable bootstrap urls";

  /** Kafka's default of {@code message.max.bytes}. */
  private static final int USUAL_MAX_MESSAGE_BYTES = 1_048_588;

  /**
   * Checks, creates and warns.
   *
   * @throws TopicsUnusable when a topic is missing and may not be created, or the broker does not
   *     answer
   */
  public TopicsReport check(Map<String, TopicRole> roles) {
    try (Admin admin = admin()) {
      return check(admin, new TreeMap<>(roles));
    } catch (KafkaException e) {
      throw unusable(e);
    }
  }

  /**
   * Creates the admin client. A failure here comes from the settings, not from the broker, unless
   * no name of a broker has an address, as those of brokers in Kubernetes that do not run.
   */
  private Admin admin() {
    try {
      return Admin.create(ClientSettings.admin(config, config.clientId() + "-topics"));
    } catch (KafkaException e) {
      if (causes(e).contains(NO_ADDRESS)) {
        throw new TopicsUnusable(
            "No host of %s has an address. Start the broker, or correct kafka.bootstrap-servers."
                .formatted(config.bootstrapServers()),
            true,
            e);
      }
      throw new TopicsUnusable(
          "The Kafka clients cannot be made for %s with the keys kafka.client.*: %s"
              .formatted(config.bootstrapServers(), causes(e)),
          false,
          e);
    }
  }

  private TopicsReport check(Admin admin, Map<String, TopicRole> roles) {
    int brokers = get(admin.describeCluster().nodes()).size();
    Map<String, TopicDescription> found = describe(admin, roles.keySet());
    List<String> missing =
        roles.keySet().stream().filter(topic -> !found.containsKey(topic)).toList();
    if (!missing.isEmpty() && !config.topics().create()) {
      throw new TopicsUnusable(missingTopics(missing, roles));
    }
    Map<String, TopicFacts> facts = facts(admin, found);
    int deadLetterBytes = deadLetterBytes(roles, facts);
    Map<String, Map<String, String>> settings = settings(missing, roles, deadLetterBytes);
    List<String> created = create(admin, missing, settings, roles);
    if (!missing.isEmpty()) {
      facts.putAll(facts(admin, describe(admin, missing)));
      missing.forEach(topic -> facts.putIfAbsent(topic, assumed(topic, settings)));
    }
    List<String> remarks =
        TopicRemarks.on(brokers, roles, facts, deadLetterBytes, config.output().maxRecordBytes());
    remarks.forEach(log::warn);
    return new TopicsReport(brokers, created, remarks);
  }

  private Map<String, TopicDescription> describe(Admin admin, Collection<String> topics) {
    Map<String, TopicDescription> found = new HashMap<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, answer) -> getIfThere(topic, answer).ifPresent(told -> found.put(topic, told)));
    return found;
  }

  private Map<String, TopicFacts> facts(Admin admin, Map<String, TopicDescription> topics) {
    List<ConfigResource> asked =
        topics.keySet().stream()
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
            .toList();
    Map<ConfigResource, KafkaFuture<Config>> settings = admin.describeConfigs(asked).values();
    Map<String, TopicFacts> facts = new HashMap<>();
    for (ConfigResource topic : asked) {
      TopicDescription description = topics.get(topic.name());
      KafkaFuture<Config> answer = settings.get(topic);
      if (description != null && answer != null) {
        facts.put(
            topic.name(),
            new TopicFacts(
                topic.name(),
                description.partitions().size(),
                description.partitions().stream()
                    .mapToInt(partition -> partition.replicas().size())
                    .min()
                    .orElse(0),
                settings(topic.name(), answer)));
      }
    }
    return facts;
  }

  private Map<String, String> settings(String topic, KafkaFuture<Config> answer) {
    try {
      Map<String, String> settings = new HashMap<>();
      for (ConfigEntry entry : get(answer).entries()) {
        if (entry.value() != null) {
          settings.put(entry.name(), entry.value());
        }
      }
      return settings;
    } catch (AuthorizationException e) {
      log.atInfo()
          .addKeyValue("topic", topic)
          .log("The topic's settings are not checked: Kairos has no right to describe them");
      return Map.of();
    }
  }

  /** Of a topic that has just been created, which a broker does not describe at once. */
  private TopicFacts assumed(String topic, Map<String, Map<String, String>> settings) {
    Map<String, String> known = new HashMap<>();
    known.put(TopicFacts.MAX_MESSAGE_BYTES, Integer.toString(USUAL_MAX_MESSAGE_BYTES));
    known.putAll(settings.getOrDefault(topic, Map.of()));
    return new TopicFacts(topic, config.topics().partitions(), 0, known);
  }

  private static int deadLetterBytes(Map<String, TopicRole> roles, Map<String, TopicFacts> facts) {
    int largestInput = TopicFacts.largestInput(facts, roles);
    return (int)
        Math.min(
            Integer.MAX_VALUE,
            (long) DEAD_LETTER_FACTOR * Math.max(largestInput, USUAL_MAX_MESSAGE_BYTES));
  }

  /** The settings that new topics are created with, by topic. */
  private Map<String, Map<String, String>> settings(
      List<String> missing, Map<String, TopicRole> roles, int deadLetterBytes) {
    Map<String, Map<String, String>> settings = new HashMap<>();
    for (String topic : missing) {
      TopicRole role = roles.get(topic);
      if (role == TopicRole.DEAD_LETTER) {
        settings.put(
            topic, Map.of(TopicFacts.MAX_MESSAGE_BYTES, Integer.toString(deadLetterBytes)));
      } else if (role == TopicRole.INPUT) {
        int largest = config.output().maxRecordBytes();
        settings.put(topic, Map.of(TopicFacts.MAX_DECOMPRESSED_BYTES, Integer.toString(largest)));
      }
    }
    return settings;
  }

  private List<String> create(
      Admin admin,
      List<String> missing,
      Map<String, Map<String, String>> settings,
      Map<String, TopicRole> roles) {
    if (missing.isEmpty()) {
      return List.of();
    }
    List<NewTopic> wanted = new ArrayList<>();
    for (String topic : missing) {
      wanted.add(
          new NewTopic(topic, Optional.of(config.topics().partitions()), replicationFactor())
              .configs(settings.getOrDefault(topic, Map.of())));
    }
    List<String> created = new ArrayList<>();
    List<String> again = new ArrayList<>();
    admin
        .createTopics(wanted)
        .values()
        .forEach((topic, answer) -> {
          try {
            get(answer);
            created.add(topic);
          } catch (TopicExistsException e) {
            // Another node created the topic at the same time.
          } catch (KafkaException e) {
            if (e instanceof InvalidConfigurationException
                && roles.get(topic) == TopicRole.INPUT
                && settings.containsKey(topic)) {
              again.add(topic); // a broker before Kafka 4.4 does not know the setting
              return;
            }
            throw new TopicsUnusable(
                "Topic %s does not exist and could not be created (%s). Create it: %s"
                    .formatted(topic, e.getMessage(), command(topic, roles)),
                e instanceof RetriableException,
                e);
          }
        });
    created.forEach(topic ->
        log.atInfo()
            .addKeyValue("topic", topic)
            .addKeyValue("partitions", config.topics().partitions())
            .log("Created a missing topic"));
    created.addAll(create(admin, again, Map.of(), roles));
    created.sort(null);
    return created;
  }

  private Optional<Short> replicationFactor() {
    int asked = config.topics().replicationFactor();
    return asked == 0 ? Optional.empty() : Optional.of((short) asked);
  }

  private String missingTopics(List<String> missing, Map<String, TopicRole> roles) {
    return "The broker at %s has no topic %s, and kafka.topics.create is false. Set it to true to let Kairos create what is missing, or run: %s"
        .formatted(
            config.bootstrapServers(),
            String.join(", ", missing),
            missing.stream()
                .map(topic -> command(topic, roles))
                .collect(Collectors.joining(" ; ")));
  }

  private String command(String topic, Map<String, TopicRole> roles) {
    String replicas = replicationFactor().map(some -> " --replication-factor " + some).orElse("");
    String size =
        roles.get(topic) == TopicRole.DEAD_LETTER
            ? " --config %s=%d"
                .formatted(
                    TopicFacts.MAX_MESSAGE_BYTES, DEAD_LETTER_FACTOR * USUAL_MAX_MESSAGE_BYTES)
            : "";
    return "kafka-topics.sh --bootstrap-server %s --create --topic %s --partitions %d%s%s"
        .formatted(config.bootstrapServers(), topic, config.topics().partitions(), replicas, size);
  }

  private static <T> Optional<T> getIfThere(String topic, KafkaFuture<T> answer) {
    try {
      return Optional.of(get(answer));
    } catch (UnknownTopicOrPartitionException e) {
      return Optional.empty();
    } catch (AuthorizationException e) {
      throw new TopicsUnusable(
          "Kairos may not see topic %s. Grant it the right to describe the topic.".formatted(topic),
          false,
          e);
    }
  }

  /** Waits without a limit of its own: the admin client completes every call within its timeout. */
  private static <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KafkaException told) {
        throw told;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicsUnusable("Interrupted while asking the broker for its topics.", true, e);
    }
  }

  private TopicsUnusable unusable(KafkaException e) {
    boolean away = e instanceof RetriableException;
    Duration timeout = config.topics().timeout();
    String message =
        away
            ? "The Kafka broker at %s does not answer within %d ms (%s). Start it, or correct kafka.bootstrap-servers."
                .formatted(config.bootstrapServers(), timeout.toMillis(), e.getMessage())
            : "The Kafka broker at %s does not let Kairos look at its topics: %s"
                .formatted(config.bootstrapServers(), causes(e));
    return new TopicsUnusable(message, away, e);
  }

  private static String causes(KafkaException e) {
    return e.getCause() == null || e.getCause().getMessage() == null
        ? String.valueOf(e.getMessage())
        : e.getMessage() + ": " + e.getCause().getMessage();
  }
}
