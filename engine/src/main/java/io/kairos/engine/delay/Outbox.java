package io.kairos.engine.delay;

import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Publishes a few records and waits for all their answers: for what must be acknowledged before a
 * step goes on. One step's own.
 */
final class Outbox {
  private static final Duration GRACE = Duration.ofMillis(500);

  private final Publisher publisher;
  private final Wakeup answered;
  private final Monotonic monotonic;

  Outbox(Publisher publisher, Wakeup answered, Monotonic monotonic) {
    this.publisher = publisher;
    this.answered = answered;
    this.monotonic = monotonic;
  }

  /**
   * One result per record, in order. Waits a little longer than {@code timeout}, which is the
   * publisher's own bound or less, then counts the rest as failed; on an interrupted thread at
   * once.
   */
  List<SendResult> publishAll(List<Outgoing> records, Duration timeout) {
    AtomicReferenceArray<SendResult> results = new AtomicReferenceArray<>(records.size());
    AtomicInteger open = new AtomicInteger(records.size());
    for (int i = 0; i < records.size(); i++) {
      int at = i;
      publisher.send(
          records.get(i),
          result -> {
            results.set(at, result);
            if (open.decrementAndGet() == 0) {
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
    for (int i = 0; i < records.size(); i++) {
      SendResult result = results.get(i);
      answers.add(result == null ? new SendResult.Failed("no answer within " + timeout) : result);
    }
    return answers;
  }
}
