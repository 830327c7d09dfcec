package io.kairos.server.wiring;

import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries at start while the database is unavailable, so that it and the node may start in any
 * order.
 */
record StartRetries(Duration atMost, MonotonicClock monotonic, Wakeup pause) {
  private static final Logger LOG = LoggerFactory.getLogger(StartRetries.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  /**
   * Retries an attempt until it succeeds. Throws its exception when the time is over, and at once
   * when {@code isAway} says that a retry does not help.
   */
  <T> T wait(String forWhat, Supplier<T> attempt, Predicate<RuntimeException> isAway) {
    long untilNanos = monotonic.nanos() + atMost.toNanos();
    boolean told = false;
    while (true) {
      try {
        return attempt.get();
      } catch (RuntimeException e) {
        if (!isAway.test(e)
            || monotonic.nanos() - untilNanos >= 0
            || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        if (!told) {
          told = true;
          LOG.atWarn()
              .addKeyValue("for", forWhat)
              .addKeyValue("atMost", atMost)
              .addKeyValue("why", e.getMessage())
              .log("waiting");
        }
      }
      pause.await(PAUSE);
    }
  }
}
