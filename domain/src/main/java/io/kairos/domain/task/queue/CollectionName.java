package io.kairos.domain.task.queue;

import static io.kairos.domain.check.ArgumentCheck.require;

/** A labelled subset of one handler's tasks, which can be paused or dropped together. */
public record CollectionName(String value) {
  /** The rule for a name, for messages. */
  public static final String RULE = HandlerName.RULE;

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public CollectionName {
    require(HandlerName.VALID.matcher(value).matches(), "a collection's name has " + RULE);
  }

  @Override
  public String toString() {
    return value;
  }
}
