package io.kairos.cli.imports;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name with placeholders: {@code crontab/{command}}. Characters that names may not contain become
 * dashes.
 *
 * @param text name with placeholders in braces
 */
record NamePattern(String text) {
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");
  private static final Pattern NOT_IN_A_NAME = Pattern.compile("[^A-Za-z0-9._/-]+");
  private static final Pattern NOT_IN_A_HANDLER = Pattern.compile("[^A-Za-z0-9._:/-]+");

  /** Leaves room for a number behind it. */
  private static final int LONGEST = 120;

  private static final int LONGEST_HANDLER = 128;

  /**
   * Returns the name of a schedule. Throws {@link IllegalArgumentException} for a placeholder that
   * the source does not have.
   */
  String fill(Map<String, String> values) {
    return name(values, NOT_IN_A_NAME, LONGEST);
  }

  /** Throws {@link IllegalArgumentException} for a placeholder that is none of these. */
  static void requireOnly(String pattern, String... places) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String place : places) {
      values.put(place, place);
    }
    new NamePattern(pattern).handler(values);
  }

  /** Returns the name of a handler, like {@link #fill}; it may have colons. */
  String handler(Map<String, String> values) {
    return name(values, NOT_IN_A_HANDLER, LONGEST_HANDLER);
  }

  private String name(Map<String, String> values, Pattern forbidden, int longest) {
    Matcher place = PLACE.matcher(text);
    StringBuilder name = new StringBuilder();
    while (place.find()) {
      String value = values.get(place.group(1));
      if (value == null) {
        throw new IllegalArgumentException(
            "'%s': there is no {%s} here, only %s"
                .formatted(text, place.group(1), String.join(", ", values.keySet())));
      }
      place.appendReplacement(name, Matcher.quoteReplacement(value));
    }
    place.appendTail(name);
    String clean = forbidden.matcher(name).replaceAll("-").replaceAll("^[-/]+|[-/]+$", "");
    String whole = clean.isEmpty() ? "unnamed" : clean;
    return whole.substring(0, Math.min(longest, whole.length()));
  }
}
