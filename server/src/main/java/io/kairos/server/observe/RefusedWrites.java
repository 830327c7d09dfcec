package io.kairos.server.observe;

import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which kinds of work the store does not take in at present, for readiness: its disk may be full
 * while it still answers. A kind counts as refused until it is accepted again, or was not tried for
 * a while. Thread-safe; bounded by the kinds.
 */
public final class RefusedWrites {
  private static final long FORGOTTEN_NANOS = Duration.ofSeconds(10).toNanos();

  private final MonotonicClock monotonic;
  private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

  public RefusedWrites(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  private record Refusal(long atNanos, String why) {}

  /**
   * @param what in the plural, such as {@code tasks}
   */
  void refused(String what, String why) {
    refusals.put(what, new Refusal(monotonic.nanos(), why));
  }

  void accepted(String what) {
    if (!refusals.isEmpty()) {
      refusals.remove(what);
    }
  }

  /** One sentence for each kind that is refused. */
  public List<String> obstacles() {
    long nowNanos = monotonic.nanos();
    refusals.values().removeIf(refusal -> nowNanos - refusal.atNanos >= FORGOTTEN_NANOS);
    return refusals.entrySet().stream()
        .map(each -> "no %s are accepted: %s".formatted(each.getKey(), each.getValue().why))
        .sorted()
        .toList();
  }
}
