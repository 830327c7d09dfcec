package io.kairos.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * One route's input topic, read as a member of the consumer group {@code prefix + route}. The
 * intake loop calls it; {@link #close} may come from another thread and cuts a poll short. The
 * membership begins with the first poll and is begun anew after an error that may have broken it;
 * then all partitions come back unpositioned. Memory is bounded by one poll and what the client
 * fetches ahead, which is {@code maxBytes} per broker.
 *
 * <p>Offsets committed to the broker serve lag tools, and say where to begin when the store knows
 * nothing of a partition.
 */
public final class KafkaInput implements InputSource {
  private final KafkaConfig config;
  private final String route;
  private final String topic;
  private final Monotonic clock;
  private final Consumer<Throwable> threadDied;

  /** Held across polls: the Kafka consumer must not be used by two threads at once. */
  private final ReentrantLock turn = new ReentrantLock();

  private volatile @Nullable GroupMembership membership;

  @GuardedBy("turn")
  private @Nullable TopicId topicId;

  private volatile boolean closed;

  /**
   * Needs no broker.
   *
   * @param threadDied told when a thread of the Kafka clients has ended by an error, such as lack
   *     of memory, that no poll would tell of. Nothing is read any more then: the node must stop
   */
  public KafkaInput(
      KafkaConfig config,
      String route,
      String topic,
      Monotonic clock,
      Consumer<Throwable> threadDied) {
    this.config = config;
    this.route = route;
    this.topic = topic;
    this.clock = clock;
    this.threadDied = threadDied;
  }

  /**
   * {@inheritDoc}
   *
   * @throws KafkaException when the broker refuses what was asked, for example for lack of rights,
   *     or delivers a corrupt batch; worth another try after a backoff
   */
  @Override
  public Batch poll(Duration wait) {
    turn.lock();
    try {
      if (closed) {
        return Batch.EMPTY;
      }
      return poll(join(), wait);
    } finally {
      turn.unlock();
    }
  }

  @GuardedBy("turn")
  private Batch poll(GroupMembership current, Duration wait) {
    boolean usable = false;
    try {
      Batch batch = current.poll(wait);
      if (!batch.unpositioned().isEmpty()) {
        topicId = current.topicId();
      }
      usable = true;
      return batch;
    } catch (KafkaException e) {
      // A corrupt batch is told so, by no class of its own; joining anew would only disturb the
      // other partitions. After anything else the membership may be dead without saying so again.
      usable = e.getClass() == KafkaException.class;
      throw e;
    } finally {
      if (!usable) {
        membership = null;
        current.abandon();
      }
    }
  }

  private GroupMembership join() {
    GroupMembership current = membership;
    if (current == null) {
      current =
          GroupMembership.join(
              config,
              config.input().groupPrefix() + route,
              config.clientId() + "-in-" + route,
              topic,
              clock,
              threadDied);
      membership = current;
    }
    return current;
  }

  @Override
  public TopicId topic() {
    turn.lock();
    try {
      TopicId known = topicId;
      if (known == null) {
        throw new IllegalStateException("no partition of " + topic + " has been reported yet");
      }
      return known;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void position(int partition, OptionalLong stored) {
    turn.lock();
    try {
      GroupMembership current = membership;
      if (current != null) {
        current.position(partition, stored);
      }
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void hold(int partition) {
    turn.lock();
    try {
      GroupMembership current = membership;
      if (current != null) {
        current.hold(partition);
      }
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void stored(Map<Integer, Long> next) {
    turn.lock();
    try {
      GroupMembership current = membership;
      if (current != null) {
        current.stored(next);
      }
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void close() {
    closed = true;
    if (!turn.tryLock()) {
      GroupMembership polling = membership;
      if (polling != null) {
        polling.wakeUp();
      }
      turn.lock();
    }
    try {
      GroupMembership current = membership;
      membership = null;
      if (current != null) {
        current.leave();
      }
    } finally {
      turn.unlock();
    }
  }
}
