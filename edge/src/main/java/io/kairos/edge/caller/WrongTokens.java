package io.kairos.edge.caller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.time.MonotonicClock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts wrong tokens by address, and logs one line for each address and minute. A right token from
 * the same address is not affected, because many callers may share one. Thread-safe; bounded.
 */
public final class WrongTokens {
  private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);
  private static final int MOST_A_MINUTE = 10;
  private static final int MOST_ADDRESSES = 1_000;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final MonotonicClock monotonic;

  @GuardedBy("this")
  private final Map<String, Integer> counts = new HashMap<>();

  @GuardedBy("this")
  private long sinceNanos;

  public WrongTokens(MonotonicClock monotonic) {
    this.monotonic = monotonic;
    this.sinceNanos = monotonic.nanos();
  }

  /** Counts a wrong token; true when the address has sent too many in this minute. */
  public synchronized boolean isTooMany(String address) {
    long now = monotonic.nanos();
    if (now - sinceNanos > MINUTE_NANOS) {
      sinceNanos = now;
      counts.clear();
    }
    if (counts.size() >= MOST_ADDRESSES && !counts.containsKey(address)) {
      return true;
    }
    int count = Math.min(counts.getOrDefault(address, 0) + 1, MOST_A_MINUTE + 2);
    counts.put(address, count);
    if (count == 1 || count == MOST_A_MINUTE + 1) {
      LOG.atWarn()
          .addKeyValue("address", address)
          .log(
              count == 1
                  ? "a call had an unknown token"
                  : "many calls have unknown tokens; further ones of this minute are refused as exhausted");
    }
    return count > MOST_A_MINUTE;
  }
}
