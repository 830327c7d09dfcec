package io.kairos.engine.delay;

import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;

/**
 * Publishes a few records that must be acknowledged before a step goes on, and waits for all
 * answers. Used by one step's thread.
 */
record RecordOutbox(Publisher publisher, Wakeup answered, MonotonicClock monotonic) {
  private static final Duration GRACE = Duration.ofMillis(500);
  private static final SendResult OPEN = new SendResult.Failed("not answered yet");

  /**
   * Publishes records and returns one result per record, in order. Waits a little longer than
   * {@code timeout}, which is the publisher's own bound or less. Unanswered records then count as
   * failed; on an interrupted thread at once.
   */
  List<SendResult> publishAll(List<OutgoingRecord> records, Duration timeout) {
    return publishAll(records, timeout, _ -> {});
  }

  /**
   * Publishes like {@link #publishAll(List, Duration)}.
   *
   * @param late called on a thread of the publisher with the index of each record that counted as
   *     failed and is acknowledged afterwards
   */
  List<SendResult> publishAll(List<OutgoingRecord> records, Duration timeout, IntConsumer late) {
    AtomicReferenceArray<SendResult> results =
        new AtomicReferenceArray<>(
            Collections.nCopies(records.size(), OPEN).toArray(SendResult[]::new));
    AtomicInteger open = new AtomicInteger(records.size());
    for (int i = 0; i < records.size(); i++) {
      int at = i;
      publisher.send(
          records.get(i),
          result -> {
            if (!results.compareAndSet(at, OPEN, result)) {
              if (result instanceof SendResult.Acknowledged) {
                late.accept(at);
              }
            } else if (open.decrementAndGet() == 0) {
              answered.signal();
            }
          });
    }
    long untilNanos = monotonic.nanos() + timeout.plus(GRACE).toNanos();
    while (open.get() > 0 && !Thread.currentThread().isInterrupted()) {
      long left = untilNanos - monotonic.nanos();
      if (left <= 0) {
        break;
      }
      answered.await(Duration.ofNanos(left));
    }
    List<SendResult> answers = new ArrayList<>(records.size());
    SendResult none = new SendResult.Failed("no answer within " + timeout);
    for (int i = 0; i < records.size(); i++) {
      SendResult result = results.compareAndExchange(i, OPEN, none);
      answers.add(result.equals(OPEN) ? none : result);
    }
    return answers;
  }
}
