package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.regex.Pattern;

/**
 * The W3C trace context that a task carries from its caller to its worker.
 *
 * @param traceparent the value of the header of that name
 */
public record TraceContext(String traceparent) {
  /** The header in calls, on every protocol. */
  public static final String HEADER = "traceparent";

  /** Version 00, and additions of later versions. */
  private static final Pattern VALID =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?");

  /** Throws {@link IllegalArgumentException} for what is no W3C trace context. */
  public TraceContext {
    require(isValid(traceparent), "not a W3C trace context");
  }

  public static boolean isValid(String traceparent) {
    return VALID.matcher(traceparent).matches();
  }

  @Override
  public String toString() {
    return traceparent;
  }
}
