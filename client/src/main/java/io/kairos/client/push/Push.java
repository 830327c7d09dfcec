package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an execution, as a node has sent it. The execution id and the body are signed; the
 * other fields are not. Immutable, except that the bytes of the body are not copied.
 */
public final class Push {
  private final String executionId;
  private final Function<String, @Nullable String> header;
  private final byte[] body;

  Push(String executionId, Function<String, @Nullable String> header, byte[] body) {
    this.executionId = executionId;
    this.header = header;
    this.body = body;
  }

  /** Returns this push with another body. */
  Push with(byte[] otherBody) {
    return new Push(executionId, header, otherBody);
  }

  /**
   * Id of the execution, which is the same in all attempts. Use it to make the effect idempotent.
   */
  public String executionId() {
    return executionId;
  }

  /** The exact bytes of the body, not copied. */
  public byte[] body() {
    return body;
  }

  /** The body as UTF-8. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Number of the attempt, from 1; 0 when the request does not say. */
  public int attempt() {
    return (int) number(PushHeaders.ATTEMPT);
  }

  /**
   * Fencing token, which grows with each attempt. Store it with the effect, and refuse writes with
   * a lower fence.
   */
  public long fence() {
    return number(PushHeaders.FENCE);
  }

  /** Name of the schedule whose fire this is; empty for none. */
  public Optional<String> schedule() {
    return header(PushHeaders.SCHEDULE);
  }

  /** Fire time of the schedule; empty for none. */
  public Optional<Instant> fireTime() {
    try {
      return header(PushHeaders.FIRE_TIME).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** Token that ends the attempt after {@link PushReply#later}. */
  public Optional<String> completionToken() {
    return header(PushHeaders.TOKEN);
  }

  /** W3C trace context of the caller that scheduled the execution; empty for none. */
  public Optional<String> traceparent() {
    return header("traceparent");
  }

  /** Value of a header of the request; empty when it is missing. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(header.apply(name));
  }

  /** Returns a header as a number; 0 when it is missing or no number. */
  private long number(String name) {
    String value = header.apply(name);
    return value != null && value.matches("[0-9]{1,18}") ? Long.parseLong(value) : 0;
  }
}
