package io.kairos.server.config;

/** How the node logs, to standard output. */
public record LoggingConfig(Format format, Level level) {
  /** One line of text per event, or one JSON object. */
  public enum Format {
    TEXT,
    JSON
  }

  /** From which severity on Kairos's own events are logged; libraries log from WARN on. */
  public enum Level {
    ERROR,
    WARN,
    INFO,
    DEBUG
  }

  public static LoggingConfig read(Settings settings) {
    return new LoggingConfig(
        settings.value(
            "logging.format",
            Kind.oneOf(Format.class),
            Format.TEXT,
            "How events are written: lines of text, or one JSON object each."),
        settings.value(
            "logging.level",
            Kind.oneOf(Level.class),
            Level.INFO,
            "From which severity on Kairos's own events are logged. Libraries log from warn on."));
  }
}
