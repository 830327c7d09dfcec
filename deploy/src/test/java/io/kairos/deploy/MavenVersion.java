package io.kairos.deploy;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version in the order of Maven: numbers by their value, then the words that come before a
 * release, the release itself, and other words after it.
 */
record MavenVersion(String text) implements Comparable<MavenVersion> {
  private static final Pattern PART = Pattern.compile("\\d+|[a-z]+");
  private static final List<String> BEFORE =
      List.of("alpha", "beta", "milestone", "rc", "snapshot");
  private static final List<String> RELEASE = List.of("final", "ga", "release", "jre", "android");

  /** Ranks among parts at one place: words before the release, the release, words, numbers. */
  private static final int OF_RELEASE = BEFORE.size();

  private record Part(int rank, String word, long number) implements Comparable<Part> {
    private static final Part NONE = new Part(OF_RELEASE, "", 0);

    static Part of(String text) {
      if (Character.isDigit(text.charAt(0))) {
        long number = Long.parseLong(text);
        return number == 0 ? NONE : new Part(OF_RELEASE + 2, "", number);
      }
      String word =
          switch (text) {
            case "a" -> "alpha";
            case "b" -> "beta";
            case "m" -> "milestone";
            case "cr" -> "rc";
            default -> text;
          };
      int before = BEFORE.indexOf(word);
      return before >= 0
          ? new Part(before, word, 0)
          : RELEASE.contains(word) ? NONE : new Part(OF_RELEASE + 1, word, 0);
    }

    @Override
    public int compareTo(Part other) {
      int byRank = Integer.compare(rank, other.rank);
      int byNumber = byRank != 0 ? byRank : Long.compare(number, other.number);
      return byNumber != 0 ? byNumber : word.compareTo(other.word);
    }
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    Matcher part = PART.matcher(text.toLowerCase(Locale.ROOT));
    while (part.find()) {
      parts.add(Part.of(requireNonNull(part.group())));
    }
    return parts;
  }

  @Override
  public int compareTo(MavenVersion other) {
    List<Part> own = parts();
    List<Part> others = other.parts();
    for (int i = 0; i < Math.max(own.size(), others.size()); i++) {
      Part mine = i < own.size() ? own.get(i) : Part.NONE;
      Part its = i < others.size() ? others.get(i) : Part.NONE;
      if (mine.compareTo(its) != 0) {
        return mine.compareTo(its);
      }
    }
    return 0;
  }
}
