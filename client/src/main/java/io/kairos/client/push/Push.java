package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an execution, as a node has sent it. The execution id and the body are signed; all
 * else came with them but is not. Immutable but for the bytes of the body, which are not copied.
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

  /** The same in all attempts: what has been done under it must not be done again. */
  public String executionId() {
    return executionId;
  }

  /** The exact bytes. */
  public byte[] body() {
    return body;
  }

  /** The body as UTF-8. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Counted from 1. */
  public int attempt() {
    return (int) number(PushHeaders.ATTEMPT);
  }

  /** Grows with each attempt: whoever keeps the effect can refuse a lower one than it has seen. */
  public long fence() {
    return number(PushHeaders.FENCE);
  }

  /** Name of the schedule that it is a fire of; empty when it is of none. */
  public Optional<String> schedule() {
    return header(PushHeaders.SCHEDULE);
  }

  /** The instant that the schedule names; empty when it is of no schedule. */
  public Optional<Instant> fireTime() {
    try {
      return header(PushHeaders.FIRE_TIME).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** By which the attempt is ended after {@link Reply#later}. */
  public Optional<String> completionToken() {
    return header(PushHeaders.TOKEN);
  }

  /** W3C trace context of who scheduled it. */
  public Optional<String> traceparent() {
    return header("traceparent");
  }

  /** Any header of the request. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(header.apply(name));
  }

  /** 0 for none. */
  private long number(String name) {
    String value = header.apply(name);
    return value != null && value.matches("[0-9]{1,18}") ? Long.parseLong(value) : 0;
  }
}
