package io.kairos.server.observe;

import io.kairos.domain.task.Output;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells failed sends per output partition: one warning when an outage begins, one line when it has
 * been quiet long enough to be over. A dead partition is tried at least every few seconds while
 * messages wait for it. Any thread.
 */
public final class Outages {
  private static final Logger LOG = LoggerFactory.getLogger(Outages.class);
  private static final long QUIET_NANOS = Duration.ofSeconds(20).toNanos();

  private final Monotonic monotonic;
  private final Map<Part, Outage> outages = new ConcurrentHashMap<>();

  public Outages(Monotonic monotonic) {
    this.monotonic = monotonic;
  }

  private record Part(Output output, int partition) {}

  private record Outage(long sinceNanos, long lastNanos, long failures) {}

  void failed(Output output, int partition, String why) {
    long nowNanos = monotonic.nanos();
    Outage outage =
        outages.merge(
            new Part(output, partition),
            new Outage(nowNanos, nowNanos, 1),
            (before, now) -> new Outage(before.sinceNanos, nowNanos, before.failures + 1));
    if (outage != null && outage.failures == 1) {
      LOG.atWarn()
          .addKeyValue("topic", output.label())
          .addKeyValue("partition", partition)
          .addKeyValue("why", why)
          .log("cannot publish; the messages wait and are tried again");
    }
  }

  /** Every few seconds, by one thread. */
  void sweep() {
    long nowNanos = monotonic.nanos();
    Iterator<Map.Entry<Part, Outage>> all = outages.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Part, Outage> entry = all.next();
      Outage outage = entry.getValue();
      if (nowNanos - outage.lastNanos >= QUIET_NANOS && outages.remove(entry.getKey(), outage)) {
        LOG.atInfo()
            .addKeyValue("topic", entry.getKey().output.label())
            .addKeyValue("partition", entry.getKey().partition)
            .addKeyValue("failures", outage.failures)
            .addKeyValue(
                "forMillis", Duration.ofNanos(outage.lastNanos - outage.sinceNanos).toMillis())
            .log("no send has failed for a while: the outage is over");
      }
    }
  }
}
