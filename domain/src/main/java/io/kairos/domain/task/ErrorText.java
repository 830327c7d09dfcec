package io.kairos.domain.task;

import java.nio.charset.StandardCharsets;

/** Makes error texts of attempts that every store can keep. */
public final class ErrorText {
  /** In UTF-16 units. */
  public static final int LONGEST = 2_000;

  /** The longest class of an error, in UTF-16 units. */
  public static final int LONGEST_CLASS = 200;

  /** The longest stack of an error, in UTF-16 units. */
  public static final int LONGEST_STACK = 8_000;

  private ErrorText() {}

  /**
   * Returns the beginning of the text, without U+0000 and with a question mark for half of a
   * surrogate pair.
   */
  public static String bounded(String text) {
    return bounded(text, LONGEST);
  }

  /** As {@link #bounded}, for the class of an error. */
  public static String boundedClass(String name) {
    return bounded(name, LONGEST_CLASS);
  }

  /** As {@link #bounded}, for the stack of an error. */
  public static String boundedStack(String stack) {
    return bounded(stack, LONGEST_STACK);
  }

  static String bounded(String text, int longest) {
    if (text.isEmpty()) {
      return text;
    }
    String plain = text.replace("\0", "");
    int end = Math.min(plain.length(), longest);
    if (end < plain.length() && Character.isHighSurrogate(plain.charAt(end - 1))) {
      end--;
    }
    byte[] utf8 = plain.substring(0, end).getBytes(StandardCharsets.UTF_8);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
