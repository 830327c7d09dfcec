package io.kairos.domain.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds the known key or name that a user may have meant: close in spelling, equal words in another
 * order, or an equal last word elsewhere; in upper or lower case.
 */
public final class SpellingSuggestion {
  private SpellingSuggestion() {}

  /** Returns the nearest known name; empty when none is near. */
  public static Optional<String> of(String unknown, Collection<String> known) {
    String wanted = plain(unknown);
    return known.stream()
        .filter(key -> distance(wanted, plain(key)) <= tolerance(wanted))
        .min(
            Comparator.comparingInt((String key) -> distance(wanted, plain(key)))
                .thenComparing(key -> key));
  }

  /** Returns a question for the end of a message; an empty text when no name is near. */
  public static String question(String unknown, Collection<String> known) {
    return of(unknown, known).map(near -> "; did you mean " + near + "?").orElse("");
  }

  private static String plain(String key) {
    return key.replaceAll("([a-z0-9])([A-Z])", "$1-$2").replace('_', '-').toLowerCase(Locale.ROOT);
  }

  private static int tolerance(String wanted) {
    return Math.max(2, wanted.length() / 4);
  }

  private static int distance(String wanted, String key) {
    int spelled = edits(wanted, key);
    if (words(wanted).equals(words(key))) {
      return Math.min(spelled, 1);
    }
    return lastWord(wanted).equals(lastWord(key)) ? Math.min(spelled, 2) : spelled;
  }

  private static List<String> words(String key) {
    return Pattern.compile("[.-]").splitAsStream(key).sorted().toList();
  }

  private static String lastWord(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  /** Levenshtein's distance. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
