package io.kairos.domain.check;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Refuses arguments with an {@link IllegalArgumentException} that says the rule. */
public final class ArgumentCheck {
  private ArgumentCheck() {}

  /** Throws with this text unless the rule holds. */
  public static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /**
   * Throws with this text and the value unless the rule holds. The text is only made when it is
   * needed.
   *
   * @param given the value that breaks the rule; it ends the text
   */
  public static void require(boolean holds, String rule, Object given) {
    if (!holds) {
      throw new IllegalArgumentException(rule + given);
    }
  }

  /** True for whole milliseconds from {@code least} to {@code most}, both included. */
  public static boolean isWholeMillis(Duration length, Duration least, Duration most) {
    return length.compareTo(least) >= 0
        && length.compareTo(most) <= 0
        && length.equals(length.truncatedTo(ChronoUnit.MILLIS));
  }

  /** False for a text with control characters or with half of a surrogate pair. */
  public static boolean isPlain(String text) {
    return text.codePoints().noneMatch(ArgumentCheck::isNotPlain);
  }

  /** Half of a surrogate pair has no form in UTF-8. */
  private static boolean isNotPlain(int point) {
    return Character.isISOControl(point)
        || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }
}
