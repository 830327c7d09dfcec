package io.kairos.server.wiring;

import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries again while something outside is away, at start only: a database and a node that are
 * started together need not come up in order.
 */
final class Patience {
  private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Duration atMost;
  private final Monotonic monotonic;
  private final Wakeup pause;

  Patience(Duration atMost, Monotonic monotonic, Wakeup pause) {
    this.atMost = atMost;
    this.monotonic = monotonic;
    this.pause = pause;
  }

  /**
   * The first success, or the first failure that waiting cannot mend, or the last one when patience
   * ends.
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
