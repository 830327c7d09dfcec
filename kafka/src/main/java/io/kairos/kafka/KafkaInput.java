package io.kairos.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * One route's input topic, read as a member of the consumer group {@code prefix + route}. The
 * intake loop calls it; {@link #close} may come from another thread and cuts a poll short. The
 * membership begins with the first poll, and begins again after an error that may have broken it;
 * all partitions are then unpositioned again. Memory is bounded by one poll and the records that
 * the client fetches ahead, {@code maxBytes} per broker.
 *
 * <p>Offsets committed to the broker serve lag tools, and are the start position when the store has
 * none for a partition.
 */
public final class KafkaInput implements InputSource {
  private final KafkaConfig config;
  private final String route;
  private final String topic;
  private final MonotonicClock clock;
  private final Consumer<Throwable> threadDied;

  /**
   * Held across polls: the Kafka consumer must not be used by two threads at once. Not a monitor,
   * because {@link #close} must not wait for a poll: it tries the lock, and wakes the poll up.
   */
  private final ReentrantLock turn = new ReentrantLock();

  private volatile @Nullable GroupMembership membership;

  @GuardedBy("turn")
  private @Nullable TopicId topicId;

  private volatile boolean closed;

  /**
   * Creates an input without connecting.
   *
   * @param threadDied is notified when a thread of the Kafka clients has ended by an error, such as
   *     lack of memory, which no poll reports. Nothing is read any more then: the node must stop
   */
  public KafkaInput(
      KafkaConfig config,
      String route,
      String topic,
      MonotonicClock clock,
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
   * @throws KafkaException when the broker refuses the request, for example for lack of rights, or
   *     delivers a corrupt batch; retry after a backoff
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
      // A corrupt batch is thrown as KafkaException itself, not as a subclass; joining again would
      // only disturb other partitions. After any other exception the membership may be broken.
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
    ifMember(current -> current.position(partition, stored));
  }

  @Override
  public void hold(int partition) {
    ifMember(current -> current.hold(partition));
  }

  @Override
  public void stored(Map<Integer, Long> next) {
    ifMember(current -> current.stored(next));
  }

  @Override
  public List<Progress> progress() {
    GroupMembership current = membership;
    return current == null ? List.of() : current.progress();
  }

  /** Runs a call on the membership; does nothing when it has ended. */
  private void ifMember(Consumer<GroupMembership> call) {
    turn.lock();
    try {
      GroupMembership current = membership;
      if (current != null) {
        call.accept(current);
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
