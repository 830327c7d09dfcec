package io.kairos.bench.load;

import io.kairos.domain.delay.ControlHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a {@link LoadPlan} from a thread of its own, open loop: message n goes out at start +
 * n/rate whatever became of those before. When the broker holds the generator up, the due times
 * stay where the schedule puts them, so nothing that the system under test does can hide lateness
 * (coordinated omission, Tene). A record that the broker refuses for good counts as not accepted
 * and is told apart.
 */
public final class MessageGenerator implements AutoCloseable {
  private static final long TICK_NANOS = Duration.ofMillis(1).toNanos();

  /** An outage of the broker must end up in the schedule's lateness and not in failed sends. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final String topic;
  private final LoadPayload payload;
  private final LoadPlan plan;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread thread;
  private final long startMicros;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final LongAdder acknowledged = new LongAdder();
  private final Queue<Long> refused = new ConcurrentLinkedQueue<>();
  private volatile @Nullable KafkaException failure;
  private volatile long sent;
  private volatile long worstLagMicros;
  private volatile long lastDueMicros;
  private volatile boolean stopping;

  private MessageGenerator(
      String bootstrapServers, String topic, LoadPayload payload, LoadPlan plan, long startMicros) {
    this.topic = topic;
    this.payload = payload;
    this.plan = plan;
    this.startMicros = startMicros;
    this.producer = new KafkaProducer<>(settings(bootstrapServers));
    this.thread = Thread.ofPlatform().name("bench-generator").daemon().unstarted(this::run);
  }

  /**
   * Connects, learns the topic's partitions, and begins at the given moment.
   *
   * @param startMicros microseconds since the epoch; when it has passed the load is late from its
   *     start
   */
  public static MessageGenerator start(
      String bootstrapServers, String topic, LoadPayload payload, LoadPlan plan, long startMicros) {
    MessageGenerator generator =
        new MessageGenerator(bootstrapServers, topic, payload, plan, startMicros);
    generator.producer.partitionsFor(topic);
    generator.thread.start();
    return generator;
  }

  private static Map<String, Object> settings(String bootstrapServers) {
    return Map.ofEntries(
        Map.entry(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
        Map.entry(ProducerConfig.CLIENT_ID_CONFIG, "bench-generator"),
        Map.entry(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class),
        Map.entry(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class),
        Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
        Map.entry(ProducerConfig.LINGER_MS_CONFIG, 5),
        Map.entry(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10),
        Map.entry(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20),
        Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000),
        Map.entry(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500),
        Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis()),
        Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE.toMillis()));
  }

  private void run() {
    try {
      long n = 0;
      while (n < plan.count() && !stopping) {
        long until = plan.dueToBeSent(LoadClock.micros() - startMicros);
        while (n < until && !stopping) {
          send(n++);
        }
        if (n < plan.count()) {
          LockSupport.parkNanos(TICK_NANOS);
        }
      }
      producer.flush();
    } catch (KafkaException e) {
      failure = e;
    } finally {
      ended.countDown();
    }
  }

  private void send(long n) {
    long scheduledMicros = startMicros + plan.scheduledMicros(n);
    long dueMicros = plan.dueTimes().dueMicros(n, scheduledMicros);
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(
            topic, ByteBuffer.allocate(Long.BYTES).putLong(n).array(), payload.value(n, dueMicros));
    message
        .headers()
        .add(ControlHeaders.ID, ascii(payload.id(n)))
        .add(
            ControlHeaders.DUE_AT, ascii(Long.toString(dueMicros / LoadDueTimes.MICROS_PER_MILLI)));
    var _ = producer.send(message, (_, exception) -> answered(n, exception));
    sent = n + 1;
    lastDueMicros = Math.max(lastDueMicros, dueMicros);
    worstLagMicros = Math.max(worstLagMicros, LoadClock.micros() - scheduledMicros);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Records the result of a send; called on the producer's network thread. */
  private void answered(long sequence, @Nullable Exception exception) {
    if (exception == null) {
      acknowledged.increment();
    } else {
      refused.add(sequence);
    }
  }

  public long sent() {
    return sent;
  }

  public long acknowledged() {
    return acknowledged.sum();
  }

  /** Sequence numbers that the broker did not take; whether they are in the topic is not known. */
  public Set<Long> refused() {
    return new TreeSet<>(refused);
  }

  /** Latest due time of what has been sent. */
  public long lastDueMicros() {
    return lastDueMicros;
  }

  /** The longest time that the generator was behind its schedule. */
  public Duration worstLag() {
    return Duration.of(worstLagMicros, ChronoUnit.MICROS);
  }

  /** Sends no more; what is on its way may land. */
  public void stop() {
    stopping = true;
  }

  /** Waits for some time until everything is sent and answered. */
  public void await(Duration atMost) {
    try {
      boolean _ = ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the load", e);
    }
    KafkaException broken = failure;
    if (broken != null) {
      throw new IllegalStateException("the load could not be sent", broken);
    }
  }

  @Override
  public void close() {
    stop();
    producer.close(Duration.ofSeconds(5));
  }
}
