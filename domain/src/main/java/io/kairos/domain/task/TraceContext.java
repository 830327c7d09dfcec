package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The W3C trace context that a task carries from its caller to its worker.
 *
 * @param traceparent the value of the header of that name
 */
public record TraceContext(String traceparent) {
  /** The header in calls, on every protocol. */
  public static final String HEADER = "traceparent";

  /** Where the parts of version 00 begin or end. */
  private static final int TRACE = 3;

  private static final int SPAN = TRACE + 33;
  private static final int FLAGS_END = SPAN + 19;

  /** Version 00, and additions of later versions. */
  private static final Pattern VALID =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?");

  /** Throws {@link IllegalArgumentException} for what is no W3C trace context. */
  public TraceContext {
    require(isValid(traceparent), "not a W3C trace context");
  }

  /** True when the caller records its trace: the lowest bit of the flags. */
  public boolean isSampled() {
    return (Character.digit(traceparent.charAt(FLAGS_END - 1), 16) & 1) == 1;
  }

  /** Id of the trace, 32 hexadecimal digits. */
  public String traceId() {
    return traceparent.substring(TRACE, TRACE + 32);
  }

  /** Id of the caller's span, 16 hexadecimal digits. */
  public String spanId() {
    return traceparent.substring(SPAN, SPAN + 16);
  }

  /** The context of a caller that records its trace; empty for others, and for what is none. */
  public static Optional<TraceContext> recorded(String traceparent) {
    return isValid(traceparent)
        ? Optional.of(new TraceContext(traceparent)).filter(TraceContext::isSampled)
        : Optional.empty();
  }

  public static boolean isValid(String traceparent) {
    return VALID.matcher(traceparent).matches();
  }

  @Override
  public String toString() {
    return traceparent;
  }
}
