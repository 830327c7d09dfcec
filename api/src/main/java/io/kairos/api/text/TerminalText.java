package io.kairos.api.text;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Escapes text of others for terminals and text logs. Control characters could move the cursor or
 * forge a line, marks of writing direction could show a text in another order than it has.
 */
public final class TerminalText {
  private static final String DIRECTION_MARKS =
      "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
  private static final Pattern IN_A_LINE = Pattern.compile("[\\p{Cc}" + DIRECTION_MARKS + "]");
  private static final Pattern IN_LINES =
      Pattern.compile("[\\p{Cc}" + DIRECTION_MARKS + "&&[^\\n\\r\\t]]");

  private TerminalText() {}

  /**
   * Writes each such character, ends of lines included, as a backslash, {@code u} and four digits.
   */
  public static String line(String text) {
    return escaped(IN_A_LINE, text);
  }

  /** Does the same for a text of several lines: line ends and tabs stay as they are. */
  public static String lines(String text) {
    return escaped(IN_LINES, text);
  }

  private static String escaped(Pattern escaped, String text) {
    return escaped
        .matcher(text)
        .replaceAll(one -> String.format(Locale.ROOT, "\\\\u%04x", (int) one.group().charAt(0)));
  }
}
