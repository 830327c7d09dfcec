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
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sends records that cannot be handled to the dead-letter topic. A partition whose dead letter
 * cannot be written stops at that record, and only that partition: it is tried again at intervals
 * without waiting for the answer, and passes the record when one has come, however late. While any
 * partition is stopped the others are not made to wait long for an answer. Part of the intake step.
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

  /** Records whose letters were acknowledged after the step had gone on; from any thread. */
  private final ConcurrentLinkedQueue<Entry> late = new ConcurrentLinkedQueue<>();

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
    Map<Integer, Long> stopped = new HashMap<>();
    DeadLetters deadLetters = new DeadLetters(route);
    for (Entry entry : plan.entries()) {
      int partition = entry.input().partition();
      if (entry.submission() instanceof Submission.Rejected(var rejection)
          && !sentAhead.isAcknowledged(entry.input())
          && !stopped.containsKey(partition)) {
        Outgoing letter = deadLetters.ofRejected(entry.input(), rejection, publisher);
        if (stops.containsKey(partition)) {
          stopped.put(partition, entry.input().offset());
          retry(entry, letter);
        } else {
          rejected.add(entry);
          letters.add(letter);
        }
      }
    }
    if (!letters.isEmpty()) {
      send(rejected, letters, stopped);
    }
    stopped.forEach((partition, offset) -> stops.put(partition, stop(offset, false)));
    return stopped;
  }

  private void send(List<Entry> rejected, List<Outgoing> letters, Map<Integer, Long> stopped) {
    List<SendResult> results =
        outbox.publishAll(
            letters,
            stops.isEmpty() ? timeout : SHORT_TIMEOUT,
            index -> late.add(rejected.get(index)));
    for (int i = 0; i < letters.size(); i++) {
      Entry entry = rejected.get(i);
      if (results.get(i) instanceof SendResult.Acknowledged) {
        written(entry);
      } else {
        stopped.merge(entry.input().partition(), entry.input().offset(), Math::min);
        notWritten(letters.get(i));
      }
    }
  }

  /** Others do not wait for what has failed before. */
  private void retry(Entry entry, Outgoing letter) {
    publisher.send(
        letter,
        result -> {
          if (result instanceof SendResult.Acknowledged) {
            late.add(entry);
          } else {
            notWritten(letter);
          }
        });
  }

  private void written(Entry entry) {
    sentAhead.acknowledged(entry.input());
    node.events()
        .deadLettered(route.id(), ((Submission.Rejected) entry.submission()).rejection().reason());
  }

  private void notWritten(Outgoing letter) {
    node.events()
        .publishFailed(route.deadLetterTopic(), letter.partition(), "dead letter not written");
  }

  private Stop stop(long offset, boolean isRetried) {
    return new Stop(offset, node.monotonic().nanos() + RETRY_INTERVAL.toNanos(), isRetried);
  }

  /**
   * Stopped partitions whose next try is due or whose letter has been written after all, with the
   * offset to read again. One whose record does not come again has moved to another node and is
   * forgotten; told twice, it would be read twice.
   */
  Map<Integer, Long> due() {
    Map<Integer, Long> due = new HashMap<>();
    for (Entry entry = late.poll(); entry != null; entry = late.poll()) {
      int partition = entry.input().partition();
      written(entry);
      Stop stop = stops.get(partition);
      if (stop != null && stop.offset() == entry.input().offset()) {
        stops.remove(partition);
        due.put(partition, stop.offset());
      }
    }
    if (!stops.isEmpty()) {
      long nowNanos = node.monotonic().nanos();
      stops.values().removeIf(stop -> stop.isRetried() && nowNanos - stop.retryAtNanos() >= 0);
      stops.replaceAll((partition, stop) -> {
        if (nowNanos - stop.retryAtNanos() < 0) {
          return stop;
        }
        due.put(partition, stop.offset());
        return stop(stop.offset(), true);
      });
    }
    return due;
  }

  /** The partition is no longer read from where it stopped. */
  void forget(int partition) {
    stops.remove(partition);
  }
}
