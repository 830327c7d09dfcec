package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency key of a task, which keeps it from being scheduled twice: while the window of the
 * first task lasts, tasks of its handler with an equal key are the same task.
 *
 * @param maxWait bound of a debounce: a task that is replaced is due at most this long after its
 *     acceptance; null for no bound
 */
public record TaskIdempotency(
    String key, Window window, OnConflict onConflict, @Nullable Duration maxWait) {
  /** The rule for a key, for messages. */
  public static final String RULE = KeyText.RULE;

  /** The beginning of keys that Kairos itself makes; callers may not choose such a key. */
  public static final String RESERVED_PREFIX = "kairos-";

  public static final Duration LONGEST = Duration.ofDays(3_650);

  /** The window in which a key names the task that was scheduled first with it. */
  public sealed interface Window {
    /** Until the task has ended, however it ends. */
    record WhileUnfinished() implements Window {}

    /** While the task waits: until it has ended or a worker performs it. */
    record WhileWaiting() implements Window {}

    /** For this length from its acceptance, however long the task takes. */
    record For(Duration length) implements Window {
      public For {
        require(
            length.isPositive() && length.compareTo(LONGEST) <= 0,
            "a window is more than nothing, at most 3650 days");
      }
    }

    record Forever() implements Window {}

    /**
     * One period of the calendar, in which the task is due. Each period has a key of its own.
     *
     * @param untilMicros until when the key is kept, microseconds since 1970
     */
    record Period(PeriodUnit unit, long startMicros, long untilMicros) implements Window {
      public Period {
        requireNonNull(unit, "unit");
        require(untilMicros > startMicros, "a period is more than nothing");
      }
    }
  }

  /** The handling of a task whose key is taken. */
  public enum OnConflict {
    /** The first task stays as it is, and is returned. */
    KEEP,
    /** The first task, while it waits, gets the content of the second one, under its own id. */
    REPLACE,
    /** The second task is refused. */
    ERROR
  }

  /** Throws {@link IllegalArgumentException} for a key outside {@link #RULE}. */
  public TaskIdempotency {
    requireNonNull(window, "window");
    requireNonNull(onConflict, "onConflict");
    require(KeyText.isValid(key), "an idempotency key has " + RULE);
    require(
        maxWait == null || (onConflict == OnConflict.REPLACE && maxWait.isPositive()),
        "max_wait is more than nothing, and only for REPLACE");
  }

  public TaskIdempotency(String key, Window window, OnConflict onConflict) {
    this(key, window, onConflict, null);
  }

  /**
   * The key under which the task is remembered: that of a period is none that a caller could
   * choose.
   */
  public String storedKey() {
    return window instanceof Window.Period(PeriodUnit unit, long startMicros, _)
        ? key + "\n" + unit + " " + startMicros
        : key;
  }
}
