package io.kairos.kafka;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.model.delay.BrokerFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A real broker from outside, through plain Kafka clients that share nothing with the adapters. */
class KafkaFixture implements BrokerFixture, AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Map<String, Object> server;
  final Admin admin;
  final KafkaProducer<byte[], byte[]> producer;

  KafkaFixture(EmbeddedKafka kafka) {
    server = Map.of("bootstrap.servers", kafka.bootstrapServers());
    admin = Admin.create(server);
    Map<String, Object> prompt = new HashMap<>(server);
    prompt.put("linger.ms", 0);
    producer = new KafkaProducer<>(prompt, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static KafkaFixture shared() {
    return Shared.FIXTURE;
  }

  static String freshName() {
    return "topic-" + NUMBER.incrementAndGet();
  }

  @Override
  public String newTopic(int partitions) {
    return newTopic(partitions, Map.of());
  }

  String newTopic(int partitions, Map<String, String> settings) {
    String topic = freshName();
    // Records of tests carry any timestamp; the default would delete those older than a week.
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("retention.ms", "-1");
    create(new NewTopic(topic, Optional.of(partitions), Optional.<Short>empty()).configs(all));
    return topic;
  }

  /** The controller answers first; the broker knows the topic a little later. */
  void create(NewTopic topic) {
    done(admin.createTopics(List.of(topic)).all());
    Eventually.within(
        Duration.ofSeconds(20), topic.name() + " is there", () -> partitions(topic.name()) > 0);
  }

  @Override
  public void grow(String topic, int partitions) {
    done(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all());
  }

  @Override
  public long produce(
      String topic,
      int partition,
      long timestampMillis,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<MessageHeader> headers) {
    List<org.apache.kafka.common.header.Header> theirs = new ArrayList<>();
    headers.forEach(one -> theirs.add(new RecordHeader(one.name(), one.value())));
    return done(producer.send(
            new ProducerRecord<>(topic, partition, timestampMillis, key, value, theirs)))
        .offset();
  }

  @Override
  public void produceAborted(String topic, int partition, byte[] value) {
    try (KafkaProducer<byte[], byte[]> transactional = transactional()) {
      transactional.beginTransaction();
      done(transactional.send(new ProducerRecord<>(topic, partition, null, value)));
      transactional.abortTransaction();
    }
  }

  /** A producer whose transactions can be begun. */
  KafkaProducer<byte[], byte[]> transactional() {
    Map<String, Object> settings = new HashMap<>(server);
    settings.put("linger.ms", 0);
    settings.put("transactional.id", freshName());
    KafkaProducer<byte[], byte[]> made =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    made.initTransactions();
    return made;
  }

  /** One after the last record of any kind, of any end. */
  long end(String topic, int partition) {
    TopicPartition place = new TopicPartition(topic, partition);
    return done(admin.listOffsets(Map.of(place, OffsetSpec.latest())).partitionResult(place))
        .offset();
  }

  @Override
  public List<InputRecord> records(String topic, int partition) {
    TopicPartition place = new TopicPartition(topic, partition);
    List<InputRecord> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(server, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(place));
      consumer.seekToBeginning(List.of(place));
      long end = consumer.endOffsets(List.of(place)).getOrDefault(place, 0L);
      while (consumer.position(place) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          List<MessageHeader> headers = new ArrayList<>();
          record.headers().forEach(one -> headers.add(new MessageHeader(one.key(), one.value())));
          records.add(
              new InputRecord(
                  partition,
                  record.offset(),
                  record.timestamp(),
                  record.key(),
                  record.value(),
                  headers));
        }
      }
    }
    return records;
  }

  /** What lag tools see, absent when nothing was committed. */
  Map<TopicPartition, OffsetAndMetadata> committed(String group) {
    return done(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
  }

  /** As an operator does, of a group that has no members. */
  void commit(String group, TopicPartition place, OffsetAndMetadata offset) {
    done(admin.alterConsumerGroupOffsets(group, Map.of(place, offset)).all());
  }

  /** 0 when there is no such topic. */
  int partitions(String topic) {
    try {
      return requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
          .get()
          .partitions()
          .size();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return 0;
      }
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  String setting(String topic, String name) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<ConfigResource, Config> told = done(admin.describeConfigs(List.of(resource)).all());
    return requireNonNull(told.get(resource)).get(name).value();
  }

  /** As retention does: what lies before this offset is gone. */
  void deleteBefore(String topic, int partition, long offset) {
    done(
        admin
            .deleteRecords(
                Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
            .all());
  }

  void delete(String topic) {
    done(admin.deleteTopics(List.of(topic)).all());
    Eventually.within(Duration.ofSeconds(20), topic + " is gone", () -> partitions(topic) == 0);
  }

  @Override
  public void recreate(String topic, int partitions) {
    delete(topic);
    create(new NewTopic(topic, Optional.of(partitions), Optional.<Short>empty()));
  }

  static <T> T done(Future<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
    admin.close(Duration.ZERO);
  }

  private static final class Shared {
    static final KafkaFixture FIXTURE = new KafkaFixture(EmbeddedKafka.shared());
  }
}
