package io.kairos.bench.observe;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPayload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Consumes the output topic from its end, on its own thread and without a group, and records every
 * message of the run in the {@link ArrivalLedger}. A message has arrived when the poll with it
 * returns. Under load it parks for a millisecond between polls, which saves the broker fetches and
 * delays messages by half a millisecond on average.
 */
public final class OutputObserver implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PARK_NANOS = Duration.ofMillis(1).toNanos();

  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

  /** A poll with at least this many records makes the next poll wait for more. */
  private static final int CROWD = 20;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final ArrivalLedger ledger;
  private final Listener listener;
  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final String topic;
  private volatile int partitions;
  private volatile boolean closed;
  private volatile @Nullable RuntimeException failure;

  /** Is told of each record that has come. On the observer's thread. */
  @FunctionalInterface
  public interface Listener {
    void arrived(ConsumerRecord<byte[], byte[]> message, long atMicros);
  }

  private OutputObserver(
      KafkaConsumer<byte[], byte[]> consumer,
      String topic,
      ArrivalLedger ledger,
      Listener listener) {
    this.consumer = consumer;
    this.topic = topic;
    this.ledger = ledger;
    this.listener = listener;
    this.thread = Thread.ofPlatform().name("bench-observer").daemon().unstarted(this::run);
  }

  /**
   * Takes its position at the end of the topic and begins; what is written after this returned is
   * seen.
   *
   * @param log gets every arrival as well, after the ledger; null for none
   */
  public static OutputObserver start(
      String bootstrapServers,
      String topic,
      LoadPayload payload,
      ArrivalLedger ledger,
      @Nullable ArrivalLog log) {
    return start(
        bootstrapServers,
        topic,
        ledger,
        (message, atMicros) -> arrived(message, atMicros, payload, ledger, log));
  }

  /** Begins in the same way, and has no ledger of what comes. */
  public static OutputObserver start(String bootstrapServers, String topic, Listener listener) {
    return start(bootstrapServers, topic, ArrivalLedger.ofEverything(0), listener);
  }

  private static OutputObserver start(
      String bootstrapServers, String topic, ArrivalLedger ledger, Listener listener) {
    KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(bootstrapServers));
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    OutputObserver observer = new OutputObserver(consumer, topic, ledger, listener);
    observer.thread.start();
    return observer;
  }

  private static Map<String, Object> settings(String bootstrapServers) {
    return Map.ofEntries(
        Map.entry(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
        Map.entry(ConsumerConfig.CLIENT_ID_CONFIG, "bench-observer"),
        Map.entry(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class),
        Map.entry(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class),
        Map.entry(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false),
        Map.entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"),
        Map.entry(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1),
        Map.entry(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20),
        Map.entry(ConsumerConfig.RECEIVE_BUFFER_CONFIG, 1 << 20),
        Map.entry(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200),
        Map.entry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 50_000));
  }

  private void run() {
    try {
      while (!closed) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        long nowMicros = LoadClock.micros();
        adopt();
        for (ConsumerRecord<byte[], byte[]> message : records) {
          listener.arrived(message, nowMicros);
        }
        if (records.count() >= CROWD) {
          LockSupport.parkNanos(PARK_NANOS);
        }
      }
    } catch (WakeupException e) {
      // closed
    } catch (KafkaException e) {
      failure = e;
    } finally {
      consumer.close();
      ended.countDown();
    }
  }

  /** Reads partitions that were added to the topic, from their beginning. */
  public void partitionsAdded(int total) {
    partitions = total;
  }

  private void adopt() {
    int total = partitions;
    Set<TopicPartition> assigned = consumer.assignment();
    if (total <= assigned.size()) {
      return;
    }
    List<TopicPartition> added =
        IntStream.range(assigned.size(), total)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    consumer.assign(Stream.concat(assigned.stream(), added.stream()).toList());
    consumer.seekToBeginning(added);
  }

  private static void arrived(
      ConsumerRecord<byte[], byte[]> message,
      long atMicros,
      LoadPayload payload,
      ArrivalLedger ledger,
      @Nullable ArrivalLog log) {
    byte[] value = message.value();
    if (value == null || !payload.isOurs(value)) {
      return;
    }
    long sequence = LoadPayload.sequence(value);
    long dueMicros = LoadPayload.dueMicros(value);
    ledger.arrived(sequence, dueMicros, atMicros, payload.isIntact(value));
    if (log != null) {
      log.arrived(sequence, message.partition(), dueMicros, atMicros);
    }
  }

  /**
   * Waits until {@code distinct} messages have come and as long as more of them keep coming.
   *
   * @param notBeforeMicros the last due time: until then silence means nothing
   * @param quiet how long nothing may come, after that, before the rest counts as lost
   */
  public void awaitDistinct(long distinct, long notBeforeMicros, Duration quiet) {
    long quietMicros = quiet.toNanos() / 1_000;
    for (ArrivalLedger.Count count = ledger.count();
        count.distinct() < distinct
            && LoadClock.micros() - Math.max(notBeforeMicros, count.lastAtMicros()) <= quietMicros;
        count = ledger.count()) {
      requireHealthy();
      LockSupport.parkNanos(LOOK_NANOS);
    }
    requireHealthy();
  }

  /** Goes on for a while, for duplicates that come late. */
  public void linger(Duration length) {
    try {
      if (ended.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
        requireHealthy();
      }
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("messages", e);
    }
  }

  private void requireHealthy() {
    RuntimeException broken = failure;
    if (broken != null) {
      throw new IllegalStateException("the observer could not read the output topic", broken);
    }
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    linger(Duration.ofSeconds(10));
  }
}
