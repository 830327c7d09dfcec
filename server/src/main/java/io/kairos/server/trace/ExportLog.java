package io.kairos.server.trace;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Takes warnings of the exporter, which logs by {@code java.util.logging} and repeats none within a
 * minute, into the node's log. Thread-safe.
 */
final class ExportLog extends Handler {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ExportLog.class);
  private static final SimpleFormatter TEXT = new SimpleFormatter();

  /** Held here, because the JVM forgets a logger that nothing refers to. */
  private final Logger source;

  private ExportLog(Logger source) {
    this.source = source;
  }

  static ExportLog install() {
    ExportLog log = new ExportLog(Logger.getLogger("io.opentelemetry"));
    log.source.addHandler(log);
    log.source.setUseParentHandlers(false);
    return log;
  }

  @Override
  public void publish(@Nullable LogRecord said) {
    if (said != null && said.getLevel().intValue() >= Level.WARNING.intValue()) {
      LOG.atWarn()
          .addKeyValue("why", TEXT.formatMessage(said))
          .setCause(said.getThrown())
          .log("spans cannot be sent to the receiver of traces; the node goes on without them");
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    source.removeHandler(this);
  }
}
