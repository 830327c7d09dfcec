package io.kairos.client.handler;

/**
 * Options of a handler.
 *
 * @param allowOverlap true when two workers may perform the same task at once: the JVM is not
 *     halted when the handler goes on after its lease is lost
 */
public record HandlerOptions(boolean allowOverlap) {
  public static final HandlerOptions DEFAULT = new HandlerOptions(false);
  public static final HandlerOptions ALLOW_OVERLAP = new HandlerOptions(true);
}
