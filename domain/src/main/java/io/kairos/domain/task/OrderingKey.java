package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;

/**
 * The key of tasks of one handler that must not overtake each other: tasks with equal keys are
 * performed one at a time and in due order, or as the handler's key policy says.
 */
public record OrderingKey(String value) {
  /** The rule for a key, for messages. */
  public static final String RULE = KeyText.RULE;

  /** Throws {@link IllegalArgumentException} for a key outside {@link #RULE}. */
  public OrderingKey {
    require(KeyText.isValid(value), "a key has " + RULE);
  }

  @Override
  public String toString() {
    return value;
  }
}
