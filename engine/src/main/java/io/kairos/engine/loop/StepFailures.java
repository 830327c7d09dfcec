package io.kairos.engine.loop;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the outages that the loops of a process see. Failures of one kind are one outage, however
 * many steps it makes fail: it is logged when the first step fails, again when others have joined
 * later, and when all of them work. Shared by the loops; thread-safe. Bounded by the steps.
 */
public final class StepFailures {
  private static final Logger LOG = LoggerFactory.getLogger(StepFailures.class);

  /** Steps that join an outage are not news before this time has passed. */
  private static final long NEWS_NANOS = Duration.ofSeconds(10).toNanos();

  private final MonotonicClock monotonic;

  @GuardedBy("this")
  private final Map<Class<?>, Outage> outages = new HashMap<>();

  public StepFailures(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  private static final class Outage {
    private final long sinceNanos;
    private final Set<String> failing = new TreeSet<>();
    private final Set<String> all = new TreeSet<>();
    private long toldNanos;
    private long failures;

    private Outage(long nowNanos) {
      sinceNanos = nowNanos;
      toldNanos = nowNanos - NEWS_NANOS;
    }
  }

  void failed(String step, RuntimeException e) {
    String news = joins(step, e);
    if (news != null) {
      LOG.atWarn()
          .addKeyValue("steps", news)
          .addKeyValue("cause", causes(e))
          .log("a step fails and is tried again, as are all that need the same");
    }
    LOG.atDebug().addKeyValue("step", step).setCause(e).log("step failed");
  }

  void works(String step) {
    for (Ended outage : leaves(step)) {
      LOG.atInfo()
          .addKeyValue("steps", outage.steps)
          .addKeyValue("failures", outage.failures)
          .addKeyValue("forMillis", outage.lasted.toMillis())
          .log("all steps that failed work again");
    }
  }

  record Ended(String steps, long failures, Duration lasted) {}

  /** Returns the failing steps when they are worth a line. */
  synchronized @Nullable String joins(String step, RuntimeException e) {
    long nowNanos = monotonic.nanos();
    Outage outage = outages.computeIfAbsent(e.getClass(), _ -> new Outage(nowNanos));
    outage.failures++;
    outage.all.add(step);
    if (!outage.failing.add(step) || nowNanos - outage.toldNanos < NEWS_NANOS) {
      return null;
    }
    outage.toldNanos = nowNanos;
    return String.join(", ", outage.failing);
  }

  /** Returns the outages that are over. */
  synchronized List<Ended> leaves(String step) {
    long nowNanos = monotonic.nanos();
    List<Ended> over = new ArrayList<>();
    outages
        .values()
        .removeIf(outage -> {
          boolean ends = outage.failing.remove(step) && outage.failing.isEmpty();
          if (ends) {
            over.add(
                new Ended(
                    String.join(", ", outage.all),
                    outage.failures,
                    Duration.ofNanos(nowNanos - outage.sinceNanos)));
          }
          return ends;
        });
    return over;
  }

  private static String causes(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable at = thrown; at != null && text.length() < 500; at = at.getCause()) {
      text.append(text.isEmpty() ? "" : " <- ")
          .append(at.getClass().getSimpleName())
          .append(": ")
          .append(at.getMessage());
    }
    return text.toString();
  }
}
