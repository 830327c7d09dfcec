package io.kairos.client.handler;

/**
 * Options of a handler.
 *
 * @param onLostLease what becomes of the handler when it goes on without its lease
 */
public record HandlerOptions(OnLostLease onLostLease) {
  /** {@link OnLostLease#ABANDON}. */
  public static final HandlerOptions DEFAULT = new HandlerOptions(OnLostLease.ABANDON);

  /**
   * {@link OnLostLease#HALT_JVM}: for handlers that must not overlap with the next attempt and
   * cannot be trusted to stop.
   */
  public static final HandlerOptions HALT_JVM = new HandlerOptions(OnLostLease.HALT_JVM);
}
