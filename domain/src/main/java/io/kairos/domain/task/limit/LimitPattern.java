package io.kairos.domain.task.limit;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names for which a limit holds: one name, or with a star all that begin alike, each of which
 * is counted by itself.
 */
public record LimitPattern(String value) {
  /** The rule for a pattern, for messages. */
  public static final String RULE =
      LimitName.RULE + ", or such a beginning of names and a star, as in tenant:*";

  private static final String STAR = "*";
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}\\*?");

  /** Throws {@link IllegalArgumentException} for a pattern outside {@link #RULE}. */
  public LimitPattern {
    require(VALID.matcher(value).matches(), "a limit is for " + RULE);
  }

  public boolean isPrefix() {
    return value.endsWith(STAR);
  }

  public boolean matches(LimitName name) {
    return isPrefix()
        ? name.value().startsWith(value.substring(0, value.length() - 1))
        : name.value().equals(value);
  }

  /** Returns the pattern whose limit holds for a name: the name itself, or else the longest. */
  public static Optional<LimitPattern> of(LimitName name, Collection<LimitPattern> limited) {
    return limited.stream()
        .filter(pattern -> pattern.matches(name))
        .max(
            Comparator.<LimitPattern, Boolean>comparing(pattern -> !pattern.isPrefix())
                .thenComparingInt(pattern -> pattern.value().length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
