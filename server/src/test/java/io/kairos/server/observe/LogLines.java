package io.kairos.server.observe;

import static java.util.Objects.requireNonNull;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** What a class logs while this is open, from DEBUG on. */
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  public LogLines(Class<?> of) {
    logger = (Logger) LoggerFactory.getLogger(of);
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.DEBUG);
  }

  /** As "message key=value key=value". */
  public List<String> at(Level level) {
    return List.copyOf(lines.list).stream()
        .filter(event -> event.getLevel().equals(level))
        .map(LogLines::text)
        .toList();
  }

  private static String text(ILoggingEvent event) {
    var pairs = event.getKeyValuePairs();
    return event.getFormattedMessage()
        + (pairs == null
            ? ""
            : pairs.stream()
                .map(pair -> " " + requireNonNull(pair).key + "=" + pair.value)
                .collect(Collectors.joining()));
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
