package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

/**
 * What tasks of one handler that must not overtake each other have in common (PD-18): those with
 * the same key are performed one at a time and in due order, or as the handler's key policy says.
 */
public record OrderingKey(String value) {
  /** What a key may be, for messages. */
  public static final String RULE = KeyText.RULE;

  /** Throws {@link IllegalArgumentException} for a key outside {@link #RULE}. */
  public OrderingKey {
    requireNonNull(value, "value");
    if (!KeyText.isValid(value)) {
      throw new IllegalArgumentException("a key has " + RULE);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
