package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.KafkaOptions;
import io.kairos.engine.delay.port.SendResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Missing rights heal when they are granted, without a restart. */
class KafkaRightsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String EVERYBODY = "User:*";

  @TempDir private static Path directory;

  private static EmbeddedKafka kafka;
  private static KafkaFixture broker;

  @BeforeAll
  static void start() {
    kafka =
        EmbeddedKafka.start(
            KafkaOptions.in(directory)
                .withSettings(
                    Map.of(
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        "allow.everyone.if.no.acl.found",
                        "true")));
    broker = new KafkaFixture(kafka);
  }

  @AfterAll
  static void stop() {
    broker.close();
    kafka.close();
  }

  @AfterEach
  void lift_all_bans() {
    remove(rules());
  }

  @Test
  void a_producer_that_was_refused_for_good_is_replaced_and_sends_succeed_once_it_is_allowed() {
    String topic = broker.newTopic(1);
    List<AclBinding> ban =
        List.of(
            rule(ResourceType.CLUSTER, "kafka-cluster", AclOperation.ALL, AclPermissionType.ALLOW),
            rule(
                ResourceType.CLUSTER,
                "kafka-cluster",
                AclOperation.IDEMPOTENT_WRITE,
                AclPermissionType.DENY),
            rule(ResourceType.TOPIC, "*", AclOperation.DESCRIBE, AclPermissionType.ALLOW),
            rule(ResourceType.TOPIC, "*", AclOperation.WRITE, AclPermissionType.DENY));
    add(ban);
    KafkaConfig config = KafkaConfig.at(kafka.bootstrapServers(), "refused");
    try (KafkaPublisher publisher = Publishers.open(config)) {
      Publishers.awaitKnown(publisher, topic);
      awaitRefused(publisher, topic, "ClusterAuthorization");

      remove(ban);

      Publishers.sendUntilAcknowledged(publisher, topic, (byte) 2);
    }
  }

  @Test
  void a_topic_that_may_not_be_written_fails_and_heals() {
    String topic = broker.newTopic(1);
    List<AclBinding> ban =
        List.of(
            rule(ResourceType.TOPIC, topic, AclOperation.DESCRIBE, AclPermissionType.ALLOW),
            rule(ResourceType.TOPIC, topic, AclOperation.WRITE, AclPermissionType.DENY));
    try (KafkaPublisher publisher =
        Publishers.open(KafkaConfig.at(kafka.bootstrapServers(), "topic-refused"))) {
      Publishers.awaitKnown(publisher, topic);
      add(ban);
      awaitRefused(publisher, topic, "TopicAuthorization");

      remove(ban);

      Publishers.sendUntilAcknowledged(publisher, topic, (byte) 2);
    }
  }

  private static void awaitRefused(KafkaPublisher publisher, String topic, String reason) {
    Eventually.within(
        LONG,
        "a send is refused: " + reason,
        () ->
            Publishers.sent(publisher, topic, (byte) 1) instanceof SendResult.Failed(String why)
                && why.contains(reason));
  }

  @Test
  void a_group_that_may_not_be_joined_is_told_and_joined_later() {
    String topic = broker.newTopic(1);
    broker.produce(topic, 0, 1L, null, new byte[] {1}, List.of());
    List<AclBinding> ban =
        List.of(
            rule(ResourceType.GROUP, "kairos-" + topic, AclOperation.ALL, AclPermissionType.DENY));
    add(ban);
    KafkaInput source =
        new KafkaInput(
            KafkaConfig.at(kafka.bootstrapServers(), "no-group"),
            topic,
            topic,
            System::nanoTime,
            Publishers.THREAD_DIED);
    try {
      assertThatExceptionOfType(GroupAuthorizationException.class)
          .isThrownBy(() ->
              Eventually.within(
                  LONG,
                  "the group is refused",
                  () -> !source.poll(Duration.ofMillis(200)).records().isEmpty()));

      remove(ban);

      Eventually.within(
          LONG,
          "the record is read",
          () -> {
            try {
              var batch = source.poll(Duration.ofMillis(200));
              batch.unpositioned().forEach(place -> source.position(place, OptionalLong.empty()));
              return batch.records().size() == 1;
            } catch (GroupAuthorizationException e) {
              return false; // the broker has not heard of it yet
            }
          });
    } finally {
      source.close();
    }
  }

  @Test
  void topics_that_may_not_be_described_are_told_so() {
    String topic = broker.newTopic(1);
    List<AclBinding> ban =
        List.of(rule(ResourceType.TOPIC, topic, AclOperation.ALL, AclPermissionType.DENY));
    add(ban);
    KafkaTopics topics = new KafkaTopics(KafkaConfig.at(kafka.bootstrapServers(), "blind"));

    Eventually.within(
        LONG,
        "the topic is hidden",
        () -> {
          try {
            topics.check(Map.of(topic, TopicRole.INPUT));
            return false;
          } catch (TopicsUnusable e) {
            assertThat(e).hasMessageContaining(topic);
            return !e.brokerAway();
          }
        });
    remove(ban);
  }

  private static AclBinding allowed(String topic, AclOperation operation) {
    return rule(ResourceType.TOPIC, topic, operation, AclPermissionType.ALLOW);
  }

  private static void inForce(BooleanSupplier holds) {
    Eventually.within(
        LONG,
        "the broker goes by the rules",
        () -> {
          try {
            return holds.getAsBoolean();
          } catch (RuntimeException e) {
            return false;
          }
        });
  }

  /** True when the broker refuses this for lack of rights. */
  private static boolean refused(Runnable call) {
    try {
      call.run();
      return false;
    } catch (RuntimeException e) {
      return Stream.iterate((Throwable) e, cause -> cause != null, Throwable::getCause)
          .anyMatch(TopicAuthorizationException.class::isInstance);
    }
  }

  private static AclBinding rule(
      ResourceType type, String name, AclOperation operation, AclPermissionType permission) {
    return new AclBinding(
        new ResourcePattern(type, name, PatternType.LITERAL),
        new AccessControlEntry(EVERYBODY, "*", operation, permission));
  }

  private static void add(List<AclBinding> rules) {
    KafkaFixture.done(broker.admin.createAcls(rules).all());
    Eventually.within(LONG, "the rules are in force", () -> rules().containsAll(rules));
  }

  private static void remove(Collection<AclBinding> rules) {
    KafkaFixture.done(
        broker.admin.deleteAcls(rules.stream().map(AclBinding::toFilter).toList()).all());
    Eventually.within(
        LONG, "the rules are lifted", () -> rules().stream().noneMatch(rules::contains));
  }

  private static Collection<AclBinding> rules() {
    return KafkaFixture.done(broker.admin.describeAcls(AclBindingFilter.ANY).values());
  }
}
