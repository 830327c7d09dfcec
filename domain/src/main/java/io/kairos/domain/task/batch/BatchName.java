package io.kairos.domain.task.batch;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.queue.HandlerName;
import java.util.regex.Pattern;

/** What its creator calls a batch; no two batches of a handler have one name. */
public record BatchName(String value) {
  /** The rule for a name, for messages. */
  public static final String RULE = HandlerName.RULE;

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public BatchName {
    require(VALID.matcher(value).matches(), "a batch's name has " + RULE);
  }

  @Override
  public String toString() {
    return value;
  }
}
