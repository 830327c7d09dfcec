package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How a task is kept from being scheduled twice: tasks of one handler that carry the same
 * idempotency key are the same task for as long as the window of the first lasts.
 */
public record Idempotency(String key, Window window, OnConflict onConflict) {
  /** What a key may be, for messages. */
  public static final String RULE = KeyText.RULE;

  public static final Duration LONGEST = Duration.ofDays(3_650);

  /** For how long a key names the task that was scheduled first with it. */
  public sealed interface Window {
    /** Until the task has ended, however it ends. */
    record WhileUnfinished() implements Window {}

    /** From when it was accepted, however long the task takes. */
    record For(Duration length) implements Window {
      public For {
        if (!length.isPositive() || length.compareTo(LONGEST) > 0) {
          throw new IllegalArgumentException("a window is more than nothing, at most 3650 days");
        }
      }
    }

    record Forever() implements Window {}
  }

  /** What becomes of a task whose key is taken. */
  public enum OnConflict {
    /** The first stays as it is, and is the answer. */
    KEEP,
    /** The first, while it waits, becomes what the second asks for, under its own id. */
    REPLACE,
    /** The second is refused. */
    ERROR
  }

  /** Throws {@link IllegalArgumentException} for a key outside {@link #RULE}. */
  public Idempotency {
    requireNonNull(window, "window");
    requireNonNull(onConflict, "onConflict");
    if (!KeyText.isValid(key)) {
      throw new IllegalArgumentException("an idempotency key has " + RULE);
    }
  }
}
