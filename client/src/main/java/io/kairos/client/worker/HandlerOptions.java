package io.kairos.client.worker;

/**
 * How a handler wants to be treated.
 *
 * @param allowOverlap its effects bear that two workers perform the same task at once: when it goes
 *     on although its lease is lost, the JVM is not halted
 */
public record HandlerOptions(boolean allowOverlap) {
  public static final HandlerOptions DEFAULT = new HandlerOptions(false);
  public static final HandlerOptions ALLOW_OVERLAP = new HandlerOptions(true);
}
