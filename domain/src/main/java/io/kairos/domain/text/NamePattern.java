package io.kairos.domain.text;

/** Patterns of names, in which {@code *} stands for any characters. */
public final class NamePattern {
  private NamePattern() {}

  /**
   * True when the whole name matches. Without a regular expression: each star takes as little as
   * the rest needs.
   */
  public static boolean matches(String pattern, String name) {
    String[] parts = pattern.split("\\*", -1);
    if (parts.length == 1) {
      return pattern.equals(name);
    }
    String last = parts[parts.length - 1];
    if (!name.startsWith(parts[0])) {
      return false;
    }
    int at = parts[0].length();
    for (int i = 1; i < parts.length - 1; i++) {
      int found = name.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    return name.length() - last.length() >= at && name.endsWith(last);
  }
}
