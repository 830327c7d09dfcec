package io.kairos.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the producer. A producer that failed for good is replaced on the given executor, at most
 * once a second. Thread-safe; only {@link #close} and the replacement block.
 */
final class ProducerSlot {
  private static final Logger log = LoggerFactory.getLogger(ProducerSlot.class);
  private static final long REPLACE_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  private final IntFunction<Producer<byte[], byte[]>> maker;
  private final Duration closeTimeout;
  private final MonotonicClock clock;
  private final Executor background;

  private volatile Producer<byte[], byte[]> producer;

  @GuardedBy("this")
  private long madeAt;

  @GuardedBy("this")
  private int made;

  @GuardedBy("this")
  private boolean replacing;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param maker makes a producer by its number, counted from 0
   * @param closeTimeout how long a producer may take to end what it has under way
   */
  ProducerSlot(
      IntFunction<Producer<byte[], byte[]>> maker,
      Duration closeTimeout,
      MonotonicClock clock,
      Executor background) {
    this.maker = maker;
    this.closeTimeout = closeTimeout;
    this.clock = clock;
    this.background = background;
    this.madeAt = clock.nanos();
    this.producer = maker.apply(0);
  }

  /**
   * Returns the number of partitions as the producer knows it; 0 makes the producer ask the broker.
   */
  int partitions(String topic) {
    try {
      return producer.partitionsFor(topic).size();
    } catch (KafkaException | IllegalStateException e) {
      return 0; // not known yet, or no longer open
    }
  }

  void send(ProducerRecord<byte[], byte[]> outgoing, SendCallback callback) {
    Producer<byte[], byte[]> current = producer;
    Sending sending = new Sending(current, callback);
    try {
      var _ = current.send(outgoing, sending);
    } catch (KafkaException | IllegalStateException e) {
      sending.failed(e, SendFailures.leavesNoWayOn(e) || e.getClass() == KafkaException.class);
    }
  }

  /**
   * The callback of one send. It completes once, because a producer in a fatal state both throws
   * and calls back.
   */
  private final class Sending implements Callback {
    private final Producer<byte[], byte[]> by;
    private final SendCallback callback;
    private final AtomicBoolean completed = new AtomicBoolean();

    Sending(Producer<byte[], byte[]> by, SendCallback callback) {
      this.by = by;
      this.callback = callback;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception error) {
      if (error == null) {
        complete(SendResult.Acknowledged.INSTANCE);
      } else {
        failed(error, SendFailures.leavesNoWayOn(error));
      }
    }

    void failed(Exception error, boolean replace) {
      if (replace) {
        replace(by, error);
      }
      complete(SendFailures.resultOf(error));
    }

    private void complete(SendResult result) {
      if (completed.compareAndSet(false, true)) {
        callback.completed(result);
      }
    }
  }

  private void replace(Producer<byte[], byte[]> broken, Exception why) {
    int number;
    synchronized (this) {
      if (closed
          || replacing
          || !producer.equals(broken)
          || clock.nanos() - madeAt < REPLACE_INTERVAL_NANOS) {
        return;
      }
      replacing = true;
      madeAt = clock.nanos();
      number = ++made;
    }
    log.atWarn()
        .addKeyValue("reason", SendFailures.say(why))
        .log("The producer has come to a state that it cannot leave: replacing it");
    background.execute(() -> replace(broken, number));
  }

  private void replace(Producer<byte[], byte[]> broken, int number) {
    Producer<byte[], byte[]> unused = broken;
    try {
      Producer<byte[], byte[]> fresh = maker.apply(number);
      unused = install(fresh) ? broken : fresh;
    } catch (KafkaException e) {
      log.atWarn()
          .addKeyValue("reason", SendFailures.say(e))
          .log("A new producer could not be made; the next send tries again");
      return;
    } finally {
      done();
    }
    unused.close(closeTimeout);
  }

  private synchronized boolean install(Producer<byte[], byte[]> fresh) {
    if (!closed) {
      producer = fresh;
    }
    return !closed;
  }

  private synchronized void done() {
    replacing = false;
  }

  void close() {
    Producer<byte[], byte[]> last;
    synchronized (this) {
      closed = true;
      last = producer;
    }
    // The client refuses to wait for its network thread on an interrupted thread.
    boolean interrupted = Thread.interrupted();
    try {
      last.close(closeTimeout);
    } catch (KafkaException e) {
      log.atDebug().setCause(e).log("The producer closed with an error");
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
