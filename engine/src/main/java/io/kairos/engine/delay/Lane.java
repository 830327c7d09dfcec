package io.kairos.engine.delay;

import io.kairos.domain.task.Output;
import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One output partition on its way out: what waits for it, what is in flight to it, and whether it
 * answers. A lane that fails is down: it gets one probe at a time, with growing pauses, until an
 * acknowledgement comes. {@link Holding} guards every field.
 */
final class Lane {
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

  /**
   * How far apart messages come back that were given back: so many go round between a useless lane
   * and the store, and the more there are the longer each stays away.
   */
  private static final long RETURN_EVERY_MICROS = 500;

  private static final long LONGEST_AWAY_MICROS = Duration.ofMinutes(5).toMillis() * 1_000;
  private static final long NOTHING_AWAY = Long.MIN_VALUE;

  /** The lane of messages whose output's partitions are not known yet. */
  static final int UNKNOWN_PARTITION = -1;

  private final Output output;
  private final int partition;
  private final ArrayDeque<Held> queue = new ArrayDeque<>();
  private long queuedBytes;
  private long inFlightBytes;
  private int inFlight;
  private long lastTakenDueMicros;
  private int failures;
  private long downSinceNanos;
  private long probeAtNanos;
  private long lastReturnMicros = NOTHING_AWAY;

  Lane(Output output, int partition) {
    this.output = output;
    this.partition = partition;
  }

  Output output() {
    return output;
  }

  int partition() {
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

  /** Nothing can be sent to it now but a probe. */
  boolean isUseless() {
    return isDown() || partition == UNKNOWN_PARTITION;
  }

  /**
   * True when work may be taken on for this lane: it answers, or nothing of it waits that could
   * find out whether it does.
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

  void enqueue(Held held) {
    held.lane = this;
    queue.addLast(held);
    queuedBytes += held.sizeBytes();
  }

  void enqueueFirst(Held held) {
    held.lane = this;
    queue.addFirst(held);
    queuedBytes += held.sizeBytes();
  }

  @Nullable Held pollFirst() {
    Held first = queue.pollFirst();
    if (first != null) {
      lastTakenDueMicros = first.dueMicros();
    }
    return left(first);
  }

  /**
   * Due time of the head, which is about the earliest of what was not sent; a down lane's probe
   * counts as not sent. {@link Long#MAX_VALUE} for none.
   */
  long oldestDueMicros() {
    Held first = queue.peekFirst();
    long oldest = first == null ? Long.MAX_VALUE : first.dueMicros();
    return isDown() && inFlight > 0 ? Math.min(oldest, lastTakenDueMicros) : oldest;
  }

  /**
   * The first if it was held before that time. The queue is in that order, but for what was put
   * back at its head.
   */
  @Nullable Held pollFirstHeldBefore(long micros) {
    Held first = queue.peekFirst();
    return first == null || first.heldSinceMicros() >= micros ? null : pollFirst();
  }

  @Nullable Held pollLast() {
    return left(queue.pollLast());
  }

  /** O(messages that wait for the lane): amendments of queued messages are rare. */
  boolean remove(Held held) {
    return queue.remove(held) && left(held) != null;
  }

  private @Nullable Held left(@Nullable Held held) {
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

  /** How long the first has waited to be sent. */
  Duration behind(long nowMicros) {
    Held first = queue.peekFirst();
    return first == null
        ? Duration.ZERO
        : Duration.of(Math.max(0, nowMicros - first.heldSinceMicros()), ChronoUnit.MICROS);
  }

  /**
   * After how long the next message that is given back has its turn to return, in whole seconds: at
   * least that long, and after those given back before it.
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
   * When a queued message may be tried next, as nanoseconds from now; {@link Long#MAX_VALUE} when
   * only an answer can help.
   */
  long nanosToProbe(long nowNanos) {
    return queue.isEmpty() || !isDown() || inFlight > 0
        ? Long.MAX_VALUE
        : Math.max(0, probeAtNanos - nowNanos);
  }
}
