package io.kairos.postgres.sql;

import java.util.Set;

/** Patterns of names, in which {@code *} stands for any characters, as parameters of statements. */
public final class LikePatterns {
  private LikePatterns() {}

  /** The patterns for LIKE, to which other characters than the star have a meaning. */
  public static BinaryArray of(Set<String> patterns) {
    return ColumnBatch.texts(
        patterns.stream().sorted().toList(),
        pattern ->
            pattern
                .replace("\\", "\\\\")
                .replace("%", "\\%")
                .replace("_", "\\_")
                .replace('*', '%'));
  }
}
