package io.kairos.engine.delay.memory;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The messages for one output partition: the queue of waiting messages, the number in flight, and
 * whether the partition answers. A lane is down after a failed send: it gets one probe at a time,
 * with growing pauses, until the broker answers. {@link MessageHolding} guards every field.
 */
public final class OutputLane {
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

  /**
   * Time between the returns of two messages that a useless lane gave back: the more messages, the
   * longer each stays away.
   */
  private static final long RETURN_EVERY_MICROS = 500;

  private static final long LONGEST_AWAY_MICROS = Duration.ofMinutes(5).toMillis() * 1_000;
  private static final long NOTHING_AWAY = Long.MIN_VALUE;

  /** The lane of messages whose output's partitions are not known yet. */
  static final int UNKNOWN_PARTITION = -1;

  private final MessageOutput output;
  private final int partition;
  private final ArrayDeque<HeldMessage> queue = new ArrayDeque<>();
  private long queuedBytes;
  private long inFlightBytes;
  private int inFlight;
  private long lastTakenDueMicros;
  private int failures;
  private long downSinceNanos;
  private long probeAtNanos;
  private long lastReturnMicros = NOTHING_AWAY;

  OutputLane(MessageOutput output, int partition) {
    this.output = output;
    this.partition = partition;
  }

  public MessageOutput output() {
    return output;
  }

  public int partition() {
    return partition;
  }

  long inFlightBytes() {
    return inFlightBytes;
  }

  long queuedBytes() {
    return queuedBytes;
  }

  int queued() {
    return queue.size();
  }

  int inFlight() {
    return inFlight;
  }

  boolean isDown() {
    return failures > 0;
  }

  /** True when only a probe can be sent now, or the partition is unknown. */
  boolean isUseless() {
    return isDown() || partition == UNKNOWN_PARTITION;
  }

  /**
   * True when messages may be claimed for this lane: it is not down, or it is due for a probe and
   * has no message to probe with.
   */
  boolean isPublishable(long nowNanos) {
    return partition != UNKNOWN_PARTITION
        && (!isDown() || (queue.isEmpty() && inFlight == 0 && nowNanos - probeAtNanos >= 0));
  }

  boolean mayLaunch(long laneBytes, long nowNanos) {
    if (queue.isEmpty() || partition == UNKNOWN_PARTITION) {
      return false;
    }
    if (isDown()) {
      return inFlight == 0 && nowNanos - probeAtNanos >= 0;
    }
    return inFlight == 0 || inFlightBytes < laneBytes;
  }

  void enqueue(HeldMessage held) {
    held.lane = this;
    queue.addLast(held);
    queuedBytes += held.sizeBytes();
  }

  void enqueueFirst(HeldMessage held) {
    held.lane = this;
    queue.addFirst(held);
    queuedBytes += held.sizeBytes();
  }

  @Nullable HeldMessage pollFirst() {
    HeldMessage first = queue.pollFirst();
    if (first != null) {
      lastTakenDueMicros = first.dueMicros();
    }
    return left(first);
  }

  /**
   * Due time of the head of the queue, in microseconds: approximately the earliest of the messages
   * that were not sent. A down lane's probe counts as not sent. {@link Long#MAX_VALUE} for none.
   */
  long oldestDueMicros() {
    HeldMessage first = queue.peekFirst();
    long oldest = first == null ? Long.MAX_VALUE : first.dueMicros();
    return isDown() && inFlight > 0 ? Math.min(oldest, lastTakenDueMicros) : oldest;
  }

  /**
   * Takes out the head of the queue if it was held before that time. The queue is in this order,
   * except for messages that were put back at its head.
   */
  @Nullable HeldMessage pollFirstHeldBefore(long micros) {
    HeldMessage first = queue.peekFirst();
    return first == null || first.heldSinceMicros() >= micros ? null : pollFirst();
  }

  @Nullable HeldMessage pollLast() {
    return left(queue.pollLast());
  }

  /** Takes a message out. Linear in the queue's length: amendments of queued messages are rare. */
  void remove(HeldMessage held) {
    if (queue.remove(held)) {
      left(held);
    }
  }

  private @Nullable HeldMessage left(@Nullable HeldMessage held) {
    if (held != null) {
      held.lane = null;
      queuedBytes -= held.sizeBytes();
    }
    return held;
  }

  void launched(int bytes) {
    inFlight++;
    inFlightBytes += bytes;
  }

  void landed(int bytes) {
    if (inFlight == 0) {
      throw new IllegalStateException(
          "a send to " + output.label() + "-" + partition + " landed twice");
    }
    inFlight--;
    inFlightBytes -= bytes;
  }

  void answered() {
    failures = 0;
    lastReturnMicros = NOTHING_AWAY;
  }

  void failed(long nowNanos) {
    if (failures == 0) {
      downSinceNanos = nowNanos;
    }
    long pause = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(failures, 10));
    failures++;
    probeAtNanos = nowNanos + pause;
  }

  /** How long the head of the queue has waited to be sent. */
  Duration behind(long nowMicros) {
    HeldMessage first = queue.peekFirst();
    return first == null
        ? Duration.ZERO
        : Duration.of(Math.max(0, nowMicros - first.heldSinceMicros()), ChronoUnit.MICROS);
  }

  /**
   * Time after which the next message that is given back may return, in whole seconds: at least
   * {@code atLeast}, and after the messages given back before it.
   */
  Duration turnToReturn(Duration atLeast, long nowMicros) {
    long soonest = nowMicros + EpochMicros.lengthOf(atLeast);
    lastReturnMicros =
        Math.min(
            Math.max(lastReturnMicros + RETURN_EVERY_MICROS, soonest),
            nowMicros + LONGEST_AWAY_MICROS);
    return Duration.of(lastReturnMicros - nowMicros, ChronoUnit.MICROS)
        .truncatedTo(ChronoUnit.SECONDS);
  }

  /** How long the lane has been down; zero while it is up. */
  Duration downFor(long nowNanos) {
    return isDown() ? Duration.ofNanos(nowNanos - downSinceNanos) : Duration.ZERO;
  }

  /**
   * Nanoseconds until a down lane's next probe; {@link Long#MAX_VALUE} when none waits for its
   * time.
   */
  long nanosToProbe(long nowNanos) {
    return queue.isEmpty() || !isDown() || inFlight > 0
        ? Long.MAX_VALUE
        : Math.max(0, probeAtNanos - nowNanos);
  }
}
