package io.kairos.engine.cron;

import io.kairos.domain.cron.ComponentId;

/** What is submitted to a log whose machine is a {@link CronMachine}. */
public final class LogCommands {
  private LogCommands() {}

  /** A client's request; Kairos does not look into it. */
  public static byte[] request(byte[] body) {
    return new LogCommand.Request(body).encode();
  }

  /**
   * A tick, as {@link TicksGenerator} sends them.
   *
   * @param readingMillis the sender's clock, in milliseconds since 1970
   */
  public static byte[] tick(ComponentId component, long round, long readingMillis) {
    return new LogCommand.Tick(component, round, readingMillis).encode();
  }
}
