package io.kairos.server.config;

import io.kairos.engine.setting.Setting;

/** Settings of logging to standard output. */
public record LoggingConfig(
    @Setting(
            key = "logging.format",
            defaultValue = "text",
            description = "How events are written: lines of text, or one JSON object each.")
        Format format,
    @Setting(
            key = "logging.level",
            defaultValue = "info",
            description =
                "Least severity at which Kairos's own events are logged. Libraries log from warn on.")
        Level level) {
  /** The form of a log event: a line of text, or a JSON object. */
  public enum Format {
    TEXT,
    JSON
  }

  /** The least severity at which Kairos's own events are logged; libraries log from WARN on. */
  public enum Level {
    ERROR,
    WARN,
    INFO,
    DEBUG
  }
}
