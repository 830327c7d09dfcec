package io.kairos.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.domain.delay.InputRecord;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.KafkaOptions;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.port.SendResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
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
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rights that applications need, and missing ones, which heal when they are granted, without a
 * restart.
 */
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

  @Test
  void dead_letters_that_may_not_be_read_and_inputs_that_may_not_be_written_are_told_so() {
    String topic = broker.newTopic(1);
    KafkaLetters letters =
        new KafkaLetters(KafkaConfig.at(kafka.bootstrapServers(), "letters"), System::nanoTime);
    broker.produce(topic, 0, 1L, null, new byte[] {1}, List.of());
    add(
        List.of(
            rule(ResourceType.TOPIC, topic, AclOperation.DESCRIBE, AclPermissionType.ALLOW),
            rule(ResourceType.TOPIC, topic, AclOperation.READ, AclPermissionType.DENY),
            rule(ResourceType.TOPIC, topic, AclOperation.WRITE, AclPermissionType.DENY)));

    inForce(() -> isNotAllowed(() -> letters.latest(topic, Map.of(), 0, 1, _ -> true)));
    inForce(() -> isNotAllowed(() -> letters.publish(topic, null, null, List.of())));
  }

  private static boolean isNotAllowed(Runnable call) {
    try {
      call.run();
      return false;
    } catch (LettersRefused e) {
      return e.kind() == LettersRefused.Kind.NOT_ALLOWED;
    }
  }

  /** All clients of this broker are one user, so application and node have their rights in turn. */
  @Test // CH-10
  void an_application_needs_to_write_the_input_and_to_read_and_commit_on_the_output() {
    String in = broker.newTopic(1);
    String out = broker.newTopic(1);
    List<AclBinding> ofApplication =
        List.of(
            allowed(in, AclOperation.WRITE),
            allowed(out, AclOperation.READ),
            rule(ResourceType.GROUP, "of-" + out, AclOperation.READ, AclPermissionType.ALLOW));
    List<AclBinding> ofNode =
        List.of(allowed(in, AclOperation.READ), allowed(out, AclOperation.WRITE));

    add(ofApplication);
    inForce(() -> isRefused(() -> broker.produce(out, 0, 1L, null, new byte[] {2}, List.of())));
    broker.produce(in, 0, 1L, null, new byte[] {1}, List.of());
    inForce(() -> isRefused(() -> broker.records(in, 0)));

    add(ofNode);
    remove(ofApplication);
    relay(in, out);

    add(ofApplication);
    remove(ofNode);
    inForce(() -> isRefused(() -> broker.records(in, 0)));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "of-" + out,
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(out));
      List<byte[]> received = new ArrayList<>();
      inForce(() -> {
        consumer.poll(Duration.ofMillis(200)).forEach(one -> received.add(one.value()));
        return !received.isEmpty();
      });
      consumer.commitSync();
      assertThat(received).containsExactly(new byte[] {1});
    }
    assertThat(broker.committed("of-" + out))
        .extractingByKey(new TopicPartition(out, 0))
        .extracting(OffsetAndMetadata::offset)
        .isEqualTo(1L);
  }

  /** As a node does with a message that is due. */
  private static void relay(String in, String out) {
    KafkaConfig config = KafkaConfig.at(kafka.bootstrapServers(), "node");
    KafkaInput source = new KafkaInput(config, in, in, System::nanoTime, Publishers.THREAD_DIED);
    try (KafkaPublisher publisher = Publishers.open(config)) {
      List<InputRecord> read = new ArrayList<>();
      inForce(() -> {
        var batch = source.poll(Duration.ofMillis(200));
        batch.unpositioned().forEach(place -> source.position(place, OptionalLong.empty()));
        return read.addAll(batch.records());
      });
      Publishers.awaitKnown(publisher, out);
      Publishers.sendUntilAcknowledged(publisher, out, requireNonNull(read.getFirst().value()));
    } finally {
      source.close();
    }
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
  private static boolean isRefused(Runnable call) {
    try {
      call.run();
      return false;
    } catch (RuntimeException | AssertionError e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof TopicAuthorizationException) {
          return true;
        }
      }
      return false;
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
