package io.kairos.domain.task.limit;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.regex.Pattern;

/**
 * A name by which tasks say which limit holds for them, such as {@code api:stripe} or {@code
 * tenant:acme}. It limits nothing until an operator sets a limit for it.
 */
public record LimitName(String value) implements Comparable<LimitName> {
  /** The rule for a name, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ : / -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public LimitName {
    require(VALID.matcher(value).matches(), "a limit's name has " + RULE);
  }

  /** By code point, which is the order in which stores lock the uses of names. */
  @Override
  public int compareTo(LimitName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
