package io.kairos.server.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import io.kairos.server.config.LoggingConfig;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/**
 * Configures logging for the whole process, without a configuration file: once before the settings
 * are read and once after.
 */
public final class LoggingSetup {
  private LoggingSetup() {}

  /** Logs warnings to standard error, until the settings are known. */
  public static void quiet() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      set(context, LoggingConfig.Level.WARN, toConsole(text(context), ConsoleTarget.SystemErr));
    }
  }

  /** Logs to standard output, by the settings. */
  public static void configure(LoggingConfig config) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      Encoder<ILoggingEvent> encoder =
          switch (config.format()) {
            case TEXT -> text(context);
            case JSON -> json(context);
          };
      set(context, config.level(), toConsole(encoder, ConsoleTarget.SystemOut));
    }
  }

  /** Logs to a file, for a command that prints its own output. */
  public static void toFile(Path file) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      FileAppender<ILoggingEvent> appender = new FileAppender<>();
      appender.setFile(file.toString());
      appender.setEncoder(text(context));
      set(context, LoggingConfig.Level.INFO, appender);
    }
  }

  private static ConsoleAppender<ILoggingEvent> toConsole(
      Encoder<ILoggingEvent> encoder, ConsoleTarget target) {
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setTarget(target.getName());
    console.setEncoder(encoder);
    return console;
  }

  private static void set(
      LoggerContext context, LoggingConfig.Level level, Appender<ILoggingEvent> appender) {
    context.reset();
    appender.setContext(context);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    context.getLogger("io.kairos").setLevel(Level.valueOf(level.name()));
    context.getLogger(AuditLines.LOGGER).setLevel(Level.INFO); // whatever the level of the rest
    // This logger repeats every second that the broker is away; the node logs it once.
    context.getLogger("org.apache.kafka.clients.NetworkClient").setLevel(Level.ERROR);
    // This logger writes a stack trace for each connection that an outage of Postgres breaks.
    context.getLogger("com.zaxxer.hikari.pool.ProxyConnection").setLevel(Level.ERROR);
    // This logger writes a stack trace for each client that breaks the rules of HTTP/2, also by a
    // reset of a call that is over.
    context
        .getLogger("com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler")
        .setLevel(Level.ERROR);
    // This logger writes a line for each handshake that fails; the edge logs one a minute.
    context
        .getLogger("com.linecorp.armeria.server.HttpServerPipelineConfigurator")
        .setLevel(Level.ERROR);
    // A leader logs dozens of times a second that a replica is away.
    context.getLogger("org.apache.ratis.grpc.server.GrpcLogAppender").setLevel(Level.ERROR);
    // A diverged replica logs the reason once; this logger repeats it at each request.
    context.getLogger("org.apache.ratis.server.impl.StateMachineUpdater").setLevel(Level.OFF);
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    LayoutWrappingEncoder<ILoggingEvent> text = new LayoutWrappingEncoder<>();
    text.setLayout(new TextLogLayout(context));
    text.setContext(context);
    text.start();
    return text;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
    JsonEncoder json = new JsonEncoder();
    json.setContext(context);
    json.start();
    return json;
  }
}
