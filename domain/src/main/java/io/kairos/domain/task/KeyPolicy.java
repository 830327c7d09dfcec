package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * How a handler's tasks of one ordering key run beside each other; the same for all of its keys.
 *
 * @param rate how often they start; null for as often as they can
 */
public record KeyPolicy(Mode mode, @Nullable Rate rate) {
  /** One at a time in due order (PD-18, PD-19); what fails for good is passed (PD-31). */
  public static final KeyPolicy DEFAULT = new KeyPolicy(new Ordered(OnDead.PARK), null);

  public KeyPolicy {
    requireNonNull(mode, "mode");
  }

  /** Whether the tasks of a key have an order. */
  public sealed interface Mode {}

  /** One at a time, in due order: the next begins when the one before has ended. */
  public record Ordered(OnDead onDead) implements Mode {
    public Ordered {
      requireNonNull(onDead, "onDead");
    }
  }

  /**
   * Up to so many at a time, in no order.
   *
   * @param maxRunning at least 1; {@link Integer#MAX_VALUE} for no bound
   */
  public record Parallel(int maxRunning) implements Mode {
    /** Throws {@link IllegalArgumentException} when not even one might run. */
    public Parallel {
      if (maxRunning < 1) {
        throw new IllegalArgumentException("max_running of a key must be at least 1");
      }
    }
  }

  /** What the head of an ordered key does to those behind it when it fails for good. */
  public enum OnDead {
    /** It is put aside, and the next begins (PD-31). */
    PARK,
    /** Nothing of its key begins until an operator skips it or has it tried again. */
    BLOCK
  }

  /**
   * A bound on the starts of each key.
   *
   * @param burst how many may start at once after a pause
   */
  public record Rate(double perSecond, int burst) {
    /** Throws {@link IllegalArgumentException} for one that lets nothing start. */
    public Rate {
      if (!(perSecond > 0) || Double.isInfinite(perSecond) || burst < 1) {
        throw new IllegalArgumentException(
            "the rate of a key must be positive and its burst at least 1");
      }
    }
  }
}
