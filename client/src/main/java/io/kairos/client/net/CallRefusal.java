package io.kairos.client.net;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.kairos.api.text.ProtoTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status and details of a failed call.
 *
 * @param description the node's words; null for none
 * @param cause what kept the call from its node; null for none
 * @param violations fields that break a rule
 * @param retryAfter wait that the node asks for before another call; null for none
 * @param nothingDone true when the call had no effect, because no node was reached or the node says
 *     so; such a call can be retried safely
 * @param details details by name, such as the position in an expression
 */
public record CallRefusal(
    Code code,
    @Nullable String description,
    @Nullable Throwable cause,
    List<Violation> violations,
    @Nullable Duration retryAfter,
    boolean nothingDone,
    Map<String, String> details) {
  /** The reason in the status of a call that had no effect. */
  private static final String NOTHING_DONE = "NOTHING_DONE";

  /** A field and the rule that it breaks. */
  public record Violation(String field, String rule) {}

  /** The codes of gRPC, in the order of their numbers. */
  public enum Code {
    OK,
    CANCELLED,
    UNKNOWN,
    INVALID_ARGUMENT,
    DEADLINE_EXCEEDED,
    NOT_FOUND,
    ALREADY_EXISTS,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    FAILED_PRECONDITION,
    ABORTED,
    OUT_OF_RANGE,
    UNIMPLEMENTED,
    INTERNAL,
    UNAVAILABLE,
    DATA_LOSS,
    UNAUTHENTICATED;

    private static final List<Code> ALL = List.of(values());

    static Code ofNumber(int number) {
      return number >= 0 && number < ALL.size() ? ALL.get(number) : UNKNOWN;
    }
  }

  /** Returns the refusal that a node of this process has made: a serialized google.rpc.Status. */
  public static CallRefusal ofStatus(byte[] serialized) {
    try {
      Status status = Status.parseFrom(serialized);
      return of(Code.ofNumber(status.getCode()), status.getMessage(), null, false, status);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no google.rpc.Status", e);
    }
  }

  /** Returns the refusal of a call without an answer, because this process gave up the wait. */
  public static CallRefusal noAnswer(Duration within) {
    return of(Code.DEADLINE_EXCEEDED, "no answer within " + within, null, false, null);
  }

  /**
   * @param details what the node has said; null for a call that did not reach one
   */
  static CallRefusal of(
      Code code,
      @Nullable String description,
      @Nullable Throwable cause,
      boolean neverSent,
      @Nullable Status details) {
    List<Violation> violations = new ArrayList<>();
    @Nullable Duration retryAfter = null;
    boolean nothingDone = neverSent;
    Map<String, String> more = new HashMap<>();
    if (details != null) {
      for (Any detail : details.getDetailsList()) {
        try {
          if (detail.is(BadRequest.class)) {
            detail
                .unpack(BadRequest.class)
                .getFieldViolationsList()
                .forEach(
                    one -> violations.add(new Violation(one.getField(), one.getDescription())));
          } else if (detail.is(ErrorInfo.class)) {
            ErrorInfo info = detail.unpack(ErrorInfo.class);
            nothingDone |= info.getReason().equals(NOTHING_DONE);
            more.putAll(info.getMetadataMap());
          } else if (detail.is(RetryInfo.class)) {
            retryAfter = ProtoTime.of(detail.unpack(RetryInfo.class).getRetryDelay());
          }
        } catch (InvalidProtocolBufferException e) {
          // the status and its text remain
        }
      }
    }
    return new CallRefusal(
        code,
        description,
        cause,
        List.copyOf(violations),
        retryAfter,
        nothingDone,
        Map.copyOf(more));
  }

  /** True when the node could not be reached, or is starting or stopping. */
  public boolean isUnavailable() {
    return code == Code.UNAVAILABLE;
  }

  /**
   * True when the node does not do what the call asks for: it does not know the method, because it
   * is older than this client, or it lacks what a field needs. Another node may do it.
   */
  public boolean isUnimplemented() {
    return code == Code.UNIMPLEMENTED;
  }

  public boolean isExhausted() {
    return code == Code.RESOURCE_EXHAUSTED;
  }

  /** Status code and description, for messages. */
  public String text() {
    return description == null ? code.name() : code + ": " + description;
  }
}
