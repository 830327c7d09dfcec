package io.kairos.engine.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.audit.AuditStore.NewEntry;
import io.kairos.engine.time.MonotonicClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the entries of refusals, or of changes that callers may repeat, so that a flood fills
 * neither table nor log. In a minute a caller, or an address of unknown callers, gets some entries
 * of an outcome; all known callers together get more, and all unknown ones as many. The rest is
 * counted, and one entry for each says how many there were. Thread-safe.
 */
final class EntryBudget {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * A caller at an address, whose entries are counted together.
   *
   * @param address empty for a known caller, and for all unknown ones that have no entry of their
   *     own
   */
  private record Source(@Nullable String caller, String address, String outcome) {}

  private static final class Count {
    private final boolean isKnown;
    private String address;
    private int entries;
    private long more;

    private Count(boolean isKnown, String address) {
      this.isKnown = isKnown;
      this.address = address;
    }
  }

  private final int mostOfOne;
  private final int most;
  private final MonotonicClock monotonic;

  @GuardedBy("this")
  private final Map<Source, Count> counts = new HashMap<>();

  @GuardedBy("this")
  private int ofKnown;

  @GuardedBy("this")
  private int ofUnknown;

  @GuardedBy("this")
  private long sinceNanos;

  /**
   * Nothing is counted yet.
   *
   * @param mostOfOne entries of a caller or address and an outcome in a minute
   * @param most entries of all known callers in a minute, and of all unknown ones
   */
  EntryBudget(int mostOfOne, int most, MonotonicClock monotonic) {
    this.mostOfOne = mostOfOne;
    this.most = most;
    this.monotonic = monotonic;
    this.sinceNanos = monotonic.nanos();
  }

  /** True when the call gets an entry of its own; otherwise it is counted. */
  synchronized boolean take(AuditedCall call, String outcome) {
    boolean isKnown = call.caller() != null;
    Source source = new Source(call.caller(), isKnown ? "" : call.address(), outcome);
    boolean isFull = (isKnown ? ofKnown : ofUnknown) >= most;
    if (isFull && !counts.containsKey(source)) {
      source = new Source(null, "", outcome);
    }
    Count count =
        counts.computeIfAbsent(
            source, key -> new Count(isKnown, key.caller == null ? key.address : call.address()));
    if (isFull || count.entries >= mostOfOne) {
      count.more++;
      if (!count.address.equals(call.address())) {
        count.address = "";
      }
      return false;
    }
    count.entries++;
    if (count.isKnown) {
      ofKnown++;
    } else {
      ofUnknown++;
    }
    return true;
  }

  /** The entries for what was only counted, once the minute is over; then another minute begins. */
  synchronized List<NewEntry> rest() {
    long now = monotonic.nanos();
    if (now - sinceNanos < MINUTE_NANOS) {
      return List.of();
    }
    sinceNanos = now;
    return takeRest();
  }

  /** The entries for what was only counted, at the end of the process. */
  synchronized List<NewEntry> takeRest() {
    List<NewEntry> rest = new ArrayList<>();
    counts.forEach((source, count) -> {
      if (count.more > 0) {
        rest.add(
            new NewEntry(
                new AuditedCall(source.caller, count.address, "", "", "", ""),
                source.outcome,
                count.more));
      }
    });
    counts.clear();
    ofKnown = 0;
    ofUnknown = 0;
    return rest;
  }
}
