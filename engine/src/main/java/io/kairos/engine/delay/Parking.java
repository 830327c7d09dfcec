package io.kairos.engine.delay;

import io.kairos.domain.delay.Submission;
import io.kairos.engine.delay.IntakePlan.Entry;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends records that cannot be handled to the dead-letter topic. A partition whose dead letter
 * cannot be written stops at that record, and only that partition: it is tried again at intervals,
 * and while any partition is stopped the others are not made to wait long for an answer. Part of
 * the intake step.
 */
final class Parking {
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
  private static final Duration SHORT_TIMEOUT = Duration.ofMillis(500);

  private final NodeContext node;
  private final Route route;
  private final Publisher publisher;
  private final Outbox outbox;
  private final SentAhead sentAhead;
  private final Duration timeout;
  private final Map<Integer, Stop> stops = new HashMap<>();

  /**
   * Where a partition stopped.
   *
   * @param isRetried whether its record has been asked for again and has not come since
   */
  private record Stop(long offset, long retryAtNanos, boolean isRetried) {}

  Parking(NodeContext node, Route route, Publisher publisher, Outbox outbox, SentAhead sentAhead) {
    this.node = node;
    this.route = route;
    this.publisher = publisher;
    this.outbox = outbox;
    this.sentAhead = sentAhead;
    this.timeout = node.config().firing().publishTimeout();
  }

  /**
   * Parks what the plan rejects; returns the offsets at which partitions must stop because that
   * failed.
   */
  Map<Integer, Long> park(IntakePlan plan) {
    List<Entry> rejected = new ArrayList<>();
    List<Outgoing> letters = new ArrayList<>();
    DeadLetters deadLetters = new DeadLetters(route);
    for (Entry entry : plan.entries()) {
      if (entry.submission() instanceof Submission.Rejected(var rejection)
          && !sentAhead.contains(entry.input())) {
        rejected.add(entry);
        letters.add(deadLetters.ofRejected(entry.input(), rejection, publisher));
      }
    }
    if (letters.isEmpty()) {
      return Map.of();
    }
    Map<Integer, Long> stopped = new HashMap<>();
    List<SendResult> results =
        outbox.publishAll(letters, stops.isEmpty() ? timeout : SHORT_TIMEOUT);
    for (int i = 0; i < letters.size(); i++) {
      Entry entry = rejected.get(i);
      if (results.get(i) instanceof SendResult.Acknowledged) {
        stops.remove(entry.input().partition());
        sentAhead.add(entry.input());
        node.events()
            .deadLettered(
                route.id(), ((Submission.Rejected) entry.submission()).rejection().reason());
      } else {
        stopped.merge(entry.input().partition(), entry.input().offset(), Math::min);
        node.events()
            .publishFailed(
                route.deadLetterTopic(), letters.get(i).partition(), "dead letter not written");
      }
    }
    stopped.forEach((partition, offset) -> stop(partition, offset, false));
    return stopped;
  }

  private void stop(int partition, long offset, boolean isRetried) {
    long retryAtNanos = node.monotonic().nanos() + RETRY_INTERVAL.toNanos();
    stops.put(partition, new Stop(offset, retryAtNanos, isRetried));
  }

  /**
   * Stopped partitions whose next try is due, with the offset to read again. One whose record does
   * not come again has moved to another node and is forgotten; told twice, it would be read twice.
   */
  Map<Integer, Long> due() {
    Map<Integer, Long> due = new HashMap<>();
    if (!stops.isEmpty()) {
      long nowNanos = node.monotonic().nanos();
      stops.values().removeIf(stop -> stop.isRetried() && nowNanos - stop.retryAtNanos() >= 0);
      stops.forEach((partition, stop) -> {
        if (nowNanos - stop.retryAtNanos() >= 0) {
          due.put(partition, stop.offset());
        }
      });
      due.forEach((partition, offset) -> stop(partition, offset, true));
    }
    return due;
  }

  /** The partition is no longer read from where it stopped. */
  void forget(int partition) {
    stops.remove(partition);
  }
}
