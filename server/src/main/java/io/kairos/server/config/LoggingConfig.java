package io.kairos.server.config;

import io.kairos.engine.setting.Setting;

/** How the node logs, to standard output. */
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
                "From which severity on Kairos's own events are logged. Libraries log from warn on.")
        Level level) {
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
}
