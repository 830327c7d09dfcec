package io.kairos.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.time.Monotonic;
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
 * The place of the one producer. Replaces it when it has told that it will never send again, at
 * most once a second, on the given executor. Thread-safe; nothing waits but {@link #close} and the
 * replacement.
 */
final class ProducerSlot {
  private static final Logger log = LoggerFactory.getLogger(ProducerSlot.class);
  private static final long REPLACE_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  private final IntFunction<Producer<byte[], byte[]>> maker;
  private final Duration closeTimeout;
  private final Monotonic clock;
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
   * @param maker makes the producer of a number, counted from 0
   * @param closeTimeout how long a producer may take to end what it has under way
   */
  ProducerSlot(
      IntFunction<Producer<byte[], byte[]>> maker,
      Duration closeTimeout,
      Monotonic clock,
      Executor background) {
    this.maker = maker;
    this.closeTimeout = closeTimeout;
    this.clock = clock;
    this.background = background;
    this.madeAt = clock.nanos();
    this.producer = maker.apply(0);
  }

  /** As far as the producer knows now; asks it to find out if it does not know. */
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
   * One send. Completed once: a producer in a fatal state both throws and calls back. An object of
   * its own per send, because a lambda would need the same fields and the flag besides.
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
