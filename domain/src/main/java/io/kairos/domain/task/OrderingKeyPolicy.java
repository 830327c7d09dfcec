package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The policy by which a handler's tasks of one ordering key run; it holds for all keys of the
 * handler.
 *
 * @param rate a bound on the starts of each key; null for none
 */
public record OrderingKeyPolicy(Mode mode, @Nullable Rate rate) {
  /** One at a time in due order; a task that fails for good is passed over. */
  public static final OrderingKeyPolicy DEFAULT =
      new OrderingKeyPolicy(new Ordered(OnDead.PARK), null);

  public OrderingKeyPolicy {
    requireNonNull(mode, "mode");
  }

  /** The order of the tasks of a key. */
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
      require(maxRunning >= 1, "max_running of a key must be at least 1");
    }
  }

  /** The effect of an ordered key's head that fails for good on the tasks behind it. */
  public enum OnDead {
    /** The head is put aside, and the next task begins. */
    PARK,
    /** No task of the key begins until an operator skips the head or retries it. */
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
      require(
          perSecond > 0 && !Double.isInfinite(perSecond) && burst >= 1,
          "the rate of a key must be positive and its burst at least 1");
    }
  }
}
