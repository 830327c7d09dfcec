package io.kairos.server.observe;

import io.kairos.engine.audit.AuditEvents;
import io.kairos.engine.audit.AuditedCall;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes a line for each entry of the audit log, under a logger of its own, so that it can be sent
 * elsewhere.
 */
public final class AuditLines implements AuditEvents {
  /** The name of the logger. */
  public static final String LOGGER = "kairos.audit";

  private static final Logger AUDIT = LoggerFactory.getLogger(LOGGER);
  private static final Logger LOG = LoggerFactory.getLogger(AuditLines.class);

  private final Counter lost;
  private volatile double undecided = Double.NaN;

  public AuditLines(MeterRegistry registry) {
    MeterFactory meters = new MeterFactory(registry);
    lost =
        meters.counter(
            "kairos.audit.lost",
            "Refusals and outcomes of calls that are in the log but not in the audit table");
    meters.gauge(
        "kairos.audit.undecided",
        "Calls of the last hour whose entries in the audit table have no outcome after two minutes",
        () -> undecided);
  }

  @Override
  public void recorded(AuditedCall call, String outcome, long more) {
    String caller = call.caller();
    LoggingEventBuilder line = AUDIT.atInfo();
    line = with(line, "caller", caller == null ? "" : caller);
    line = with(line, "address", call.address());
    line = with(line, "action", call.action());
    line = with(line, "kind", call.kind());
    line = with(line, "object", call.object());
    line = with(line, "detail", call.detail());
    line = with(line, "outcome", outcome);
    line = with(line, "more", more > 0 ? Long.toString(more) : "");
    line.log(more > 0 ? "further calls" : "call");
  }

  private static LoggingEventBuilder with(LoggingEventBuilder line, String key, String value) {
    return value.isEmpty() ? line : line.addKeyValue(key, value);
  }

  @Override
  public void lost(int entries) {
    if (lost.count() == 0) {
      LOG.warn(
          "the audit table does not take what has become of calls, because the store does not"
              + " answer; the log has it, kairos_audit_lost counts it");
    }
    lost.increment(entries);
  }

  @Override
  public void undecided(OptionalInt entries) {
    undecided = entries.isPresent() ? entries.getAsInt() : Double.NaN;
  }
}
