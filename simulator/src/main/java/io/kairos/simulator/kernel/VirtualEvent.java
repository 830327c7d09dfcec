package io.kairos.simulator.kernel;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An event at a virtual time: an action of the simulated world, or the resumption of a fiber.
 * Events at the same moment happen in an order drawn from the seed.
 */
public final class VirtualEvent {
  static final Comparator<VirtualEvent> ORDER =
      Comparator.<VirtualEvent>comparingLong(event -> event.atNanos)
          .thenComparingLong(event -> event.tieBreak)
          .thenComparingLong(event -> event.sequence);

  final long atNanos;
  private final long tieBreak;
  private final long sequence;
  final @Nullable Fiber fiber;
  final @Nullable Runnable action;

  /** Engine code, which must find no other fiber's frames below it. */
  final boolean needsOwnStack;

  boolean cancelled;

  VirtualEvent(
      long atNanos,
      long tieBreak,
      long sequence,
      @Nullable Fiber fiber,
      @Nullable Runnable action,
      boolean needsOwnStack) {
    this.atNanos = atNanos;
    this.tieBreak = tieBreak;
    this.sequence = sequence;
    this.fiber = fiber;
    this.action = action;
    this.needsOwnStack = needsOwnStack;
  }

  public void cancel() {
    cancelled = true;
  }
}
