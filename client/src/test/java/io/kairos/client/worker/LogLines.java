package io.kairos.client.worker;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** What the client logs for operators, at INFO and above, while this is open. */
final class LogLines implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.kairos.client");
  private final Level levelBefore = logger.getLevel();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  LogLines() {
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
  }

  List<ILoggingEvent> warnings() {
    return List.copyOf(lines.list).stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .toList();
  }

  /** Value of a key of a line, as text. */
  static String value(ILoggingEvent line, String key) {
    return line.getKeyValuePairs().stream()
        .filter(pair -> pair.key.equals(key))
        .map((KeyValuePair pair) -> String.valueOf(pair.value))
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() {
    logger.setLevel(levelBefore);
    logger.setAdditive(true);
    logger.detachAppender(lines);
  }
}
