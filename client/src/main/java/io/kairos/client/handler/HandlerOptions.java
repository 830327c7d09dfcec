package io.kairos.client.handler;

/**
 * Options of a handler.
 *
 * @param haltJvm true to halt the whole JVM when the handler still runs at the end of the grace
 *     time after its lease was lost. Executions of one task then do not overlap while the JVM is
 *     running. It cannot help while the JVM is stopped: {@link FencedWrites} can
 */
public record HandlerOptions(boolean haltJvm) {
  /**
   * A handler whose lease is lost is interrupted. One that goes on is abandoned: it keeps its
   * executor until it returns, and another worker may perform the task meanwhile.
   */
  public static final HandlerOptions DEFAULT = new HandlerOptions(false);

  /**
   * For handlers that must not overlap with the next attempt and cannot be trusted to stop. Ends
   * everything in the JVM, without shutdown hooks, so it suits a process that only performs tasks.
   */
  public static final HandlerOptions HALT_JVM = new HandlerOptions(true);
}
