package io.kairos.client.net;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.kairos.api.text.ProtoTime;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status and details of a failed call.
 *
 * @param violations fields that break a rule
 * @param retryAfter wait that the node asks for before another call; null for none
 * @param nothingDone true when the call had no effect, because no node was reached or the node says
 *     so; such a call can be retried safely
 * @param details details by name, such as the position in an expression
 */
public record CallRefusal(
    Status status,
    List<Violation> violations,
    @Nullable Duration retryAfter,
    boolean nothingDone,
    Map<String, String> details) {
  /** The reason in the status of a call that had no effect. */
  private static final String NOTHING_DONE = "NOTHING_DONE";

  /** A field and the rule that it breaks. */
  public record Violation(String field, String rule) {}

  /**
   * Returns the refusal of a call whose sending was observed.
   *
   * @param thrown exception of the call
   * @param sending the observer of the call's headers
   */
  public static CallRefusal of(Throwable thrown, CallSending sending) {
    CallRefusal refusal = of(thrown);
    return new CallRefusal(
        refusal.status,
        refusal.violations,
        refusal.retryAfter,
        refusal.nothingDone || (refusal.isUnavailable() && !sending.hasBegun()),
        refusal.details);
  }

  public static CallRefusal of(Throwable thrown) {
    List<Violation> violations = new ArrayList<>();
    @Nullable Duration retryAfter = null;
    Status status = Status.fromThrowable(thrown);
    boolean nothingDone = neverSent(status);
    Map<String, String> more = new HashMap<>();
    com.google.rpc.@Nullable Status details = StatusProto.fromThrowable(thrown);
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
        status, List.copyOf(violations), retryAfter, nothingDone, Map.copyOf(more));
  }

  /** True when the node could not be reached, or is starting or stopping. */
  public boolean isUnavailable() {
    return status.getCode() == Status.Code.UNAVAILABLE;
  }

  /**
   * True when the node does not do what the call asks for: it does not know the method, because it
   * is older than this client, or it lacks what a field needs. Another node may do it.
   */
  public boolean isUnimplemented() {
    return status.getCode() == Status.Code.UNIMPLEMENTED;
  }

  public boolean isExhausted() {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED;
  }

  /** Status code and description, for messages. */
  public String text() {
    String description = status.getDescription();
    return description == null ? status.getCode().name() : status.getCode() + ": " + description;
  }

  private static boolean neverSent(Status status) {
    if (status.getCode() != Status.Code.UNAVAILABLE) {
      return false;
    }
    for (Throwable at = status.getCause(); at != null; at = at.getCause()) {
      if (at instanceof ConnectException
          || at instanceof UnknownHostException
          || at instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }
}
