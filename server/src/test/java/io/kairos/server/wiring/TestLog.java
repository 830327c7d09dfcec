package io.kairos.server.wiring;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import org.slf4j.LoggerFactory;

/** Brings the log of the tests back after a command has set it up as for an operator. */
final class TestLog {
  private TestLog() {}

  static void restore() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    try {
      new ContextInitializer(context).autoConfig();
    } catch (JoranException e) {
      throw new IllegalStateException(e);
    }
  }
}
