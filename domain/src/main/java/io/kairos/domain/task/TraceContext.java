package io.kairos.domain.task;

import java.util.regex.Pattern;

/** The W3C trace context that a task carries from who scheduled it to its worker. */
public final class TraceContext {
  /** Its header, on every door. */
  public static final String HEADER = "traceparent";

  /** Version 00, and what later versions may add. */
  private static final Pattern VALID =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?");

  private TraceContext() {}

  public static boolean isValid(String traceparent) {
    return VALID.matcher(traceparent).matches();
  }
}
