package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;

/**
 * Whose share of a queue a task uses up. Tasks of one queue are handed out by turns between their
 * fairness keys, tenants for instance; a key of weight 2 gets two tasks for each one of a key of
 * weight 1.
 */
public record Fairness(String key, int weight) {
  /** The rule for a key, for messages. */
  public static final String RULE = KeyText.RULE;

  /** The weight of a key to which none is given, and of the tasks without a key. */
  public static final int LIGHTEST = 1;

  public static final int HEAVIEST = 1_000;

  /** The rule for a weight, for messages. */
  public static final String WEIGHT_RULE = "from 1 to 1000";

  /** Throws {@link IllegalArgumentException} for a key outside {@link #RULE} or such a weight. */
  public Fairness {
    require(KeyText.isValid(key), "a fairness key has " + RULE);
    require(weight >= LIGHTEST && weight <= HEAVIEST, "a fairness weight is " + WEIGHT_RULE);
  }
}
