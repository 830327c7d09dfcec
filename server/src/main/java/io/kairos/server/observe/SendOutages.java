package io.kairos.server.observe;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failed sends per output partition: a warning when an outage begins, and a line when no send
 * has failed for a while. A dead partition is retried at least every few seconds while messages
 * wait for it, so silence means that the outage is over. Thread-safe.
 */
public final class SendOutages {
  private static final Logger LOG = LoggerFactory.getLogger(SendOutages.class);
  private static final long QUIET_NANOS = Duration.ofSeconds(20).toNanos();

  private final MonotonicClock monotonic;
  private final Map<Part, Outage> outages = new ConcurrentHashMap<>();

  public SendOutages(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  private record Part(MessageOutput output, int partition) {}

  private record Outage(long sinceNanos, long lastNanos, long failures) {}

  void failed(MessageOutput output, int partition, String why) {
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

  /** Logs the outages that are over. Called every few seconds by one thread. */
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
