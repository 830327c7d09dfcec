package io.kairos.engine.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.InputSubmission;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.engine.delay.IntakePlan.Entry;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.DeadLetters;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sends records that cannot be handled to the dead-letter topic. Only a partition whose dead letter
 * cannot be written stops, at that record. Its dead letter is sent again at intervals without
 * waiting for the answer, and the partition goes on when an acknowledgement comes, however late.
 * While any partition is stopped, dead letters of the other partitions get a short timeout. A
 * letter that its topic refuses, as too large, is parked truncated. Used by the intake step's
 * thread.
 */
final class DeadLetterParking {
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
  private static final Duration SHORT_TIMEOUT = Duration.ofMillis(500);

  private final DelayContext node;
  private final Route route;
  private final MessageStore messages;
  private final Publisher publisher;
  private final RecordOutbox outbox;
  private final EarlySends sentAhead;
  private final Duration timeout;
  private final Map<Integer, Stop> stops = new HashMap<>();

  /** Stopped partitions whose letter was refused when it was sent again; filled by any thread. */
  private final Set<Integer> refused = ConcurrentHashMap.newKeySet();

  /**
   * Records whose dead letters were acknowledged after the step had gone on; filled by any thread.
   */
  private final ConcurrentLinkedQueue<Entry> late = new ConcurrentLinkedQueue<>();

  /**
   * Where a partition stopped.
   *
   * @param isRetried true when its record has been asked for again and has not come since
   */
  private record Stop(long offset, long retryAtNanos, boolean isRetried) {}

  DeadLetterParking(
      DelayContext node,
      Route route,
      MessageStore messages,
      Publisher publisher,
      RecordOutbox outbox,
      EarlySends sentAhead) {
    this.node = node;
    this.route = route;
    this.messages = messages;
    this.publisher = publisher;
    this.outbox = outbox;
    this.sentAhead = sentAhead;
    this.timeout = node.config().firing().publishTimeout();
  }

  /**
   * Sends the plan's rejected records to the dead-letter topic. Returns, by partition, the offsets
   * of records whose dead letter was not written: those partitions must stop there.
   */
  Map<Integer, Long> park(IntakePlan plan) {
    List<Entry> rejected = new ArrayList<>();
    List<OutgoingRecord> letters = new ArrayList<>();
    Map<Integer, Long> stopped = new HashMap<>();
    DeadLetters deadLetters = new DeadLetters(route);
    for (Entry entry : plan.entries()) {
      int partition = entry.input().partition();
      if (entry.submission() instanceof InputSubmission.Rejected(var rejection)
          && !sentAhead.isAcknowledged(entry.input())
          && !stopped.containsKey(partition)) {
        OutgoingRecord letter = deadLetters.ofRejected(entry.input(), rejection, publisher);
        if (stops.containsKey(partition) && !refused.remove(partition)) {
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

  private void send(
      List<Entry> rejected, List<OutgoingRecord> letters, Map<Integer, Long> stopped) {
    List<SendResult> results = publish(rejected, letters);
    List<Entry> tooLarge = new ArrayList<>();
    List<OutgoingRecord> truncated = new ArrayList<>();
    for (int i = 0; i < letters.size(); i++) {
      if (results.get(i) instanceof SendResult.Refused) {
        OutgoingRecord shortened = DeadLetters.truncated(letters.get(i));
        try {
          truncated.add(keep(rejected.get(i), letters.get(i), shortened));
          tooLarge.add(rejected.get(i));
        } catch (StoreUnavailable e) {
          int partition = rejected.get(i).input().partition();
          refused.add(partition); // its letter is sent as for the first time
          stopped.merge(partition, rejected.get(i).input().offset(), Math::min);
        }
      } else {
        answered(rejected.get(i), letters.get(i), results.get(i), stopped);
      }
    }
    if (!truncated.isEmpty()) {
      results = publish(tooLarge, truncated);
      for (int i = 0; i < truncated.size(); i++) {
        answered(tooLarge.get(i), truncated.get(i), results.get(i), stopped);
      }
    }
  }

  /** Keeps the record whole, if it may be, and names it in the letter. */
  private OutgoingRecord keep(Entry entry, OutgoingRecord letter, OutgoingRecord shortened) {
    InputRecord input = entry.input();
    if (input.cut() != null
        || DeadLetters.bytes(letter) > node.config().intake().keepLettersUpTo()) {
      return shortened;
    }
    String place = route.name() + "/" + input.partition() + "/" + input.offset();
    UUID id = UUID.nameUUIDFromBytes((place + "/" + input.timestampMillis()).getBytes(UTF_8));
    RecordRejection rejection = ((InputSubmission.Rejected) entry.submission()).rejection();
    return messages.keep(
            new KeptLetter(
                id,
                route.id(),
                rejection.reason().label() + ": " + rejection.detail(),
                input.key(),
                input.value(),
                HeaderCodec.encode(input.headers())))
        ? DeadLetters.kept(shortened, id)
        : shortened;
  }

  private List<SendResult> publish(List<Entry> rejected, List<OutgoingRecord> letters) {
    return outbox.publishAll(
        letters, stops.isEmpty() ? timeout : SHORT_TIMEOUT, index -> late.add(rejected.get(index)));
  }

  private void answered(
      Entry entry, OutgoingRecord letter, SendResult result, Map<Integer, Long> stopped) {
    if (result instanceof SendResult.Acknowledged) {
      written(entry);
      stops.remove(entry.input().partition()); // its letter was refused before
    } else {
      stopped.merge(entry.input().partition(), entry.input().offset(), Math::min);
      notWritten(letter, result);
    }
  }

  /** Sends a dead letter that failed before, without waiting for the answer. */
  private void retry(Entry entry, OutgoingRecord letter) {
    publisher.send(
        letter,
        result -> {
          if (result instanceof SendResult.Acknowledged) {
            late.add(entry);
          } else {
            if (result instanceof SendResult.Refused) {
              refused.add(entry.input().partition());
            }
            notWritten(letter, result);
          }
        });
  }

  private void written(Entry entry) {
    sentAhead.acknowledged(entry.input());
    node.events()
        .deadLettered(
            route.id(), ((InputSubmission.Rejected) entry.submission()).rejection().reason());
  }

  private void notWritten(OutgoingRecord letter, SendResult result) {
    node.events()
        .publishFailed(
            route.deadLetterTopic(), letter.partition(), "dead letter not written: " + result);
  }

  private Stop stop(long offset, boolean isRetried) {
    return new Stop(offset, node.monotonic().nanos() + RETRY_INTERVAL.toNanos(), isRetried);
  }

  /**
   * Stopped partitions whose next try is due or whose dead letter has been written after all, each
   * with the offset to read again. A partition whose record did not come after the last try has
   * moved to another node and is forgotten.
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

  /** Forgets where the partition stopped, because it is now read from another offset. */
  void forget(int partition) {
    stops.remove(partition);
  }
}
