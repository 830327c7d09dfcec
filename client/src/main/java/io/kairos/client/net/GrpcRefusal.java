package io.kairos.client.net;

import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.kairos.client.net.CallRefusal.Code;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Reads refusals from exceptions of gRPC. */
public final class GrpcRefusal {
  private GrpcRefusal() {}

  /**
   * Returns the refusal of a call whose sending was observed.
   *
   * @param thrown exception of the call
   * @param sending the observer of the call's headers
   */
  public static CallRefusal of(Throwable thrown, CallSending sending) {
    CallRefusal refusal = of(thrown);
    return new CallRefusal(
        refusal.code(),
        refusal.description(),
        refusal.cause(),
        refusal.violations(),
        refusal.retryAfter(),
        refusal.nothingDone() || (refusal.isUnavailable() && !sending.hasBegun()),
        refusal.details());
  }

  public static CallRefusal of(Throwable thrown) {
    Status status = Status.fromThrowable(thrown);
    return CallRefusal.of(
        Code.ofNumber(status.getCode().value()),
        status.getDescription(),
        status.getCause(),
        neverSent(status),
        StatusProto.fromThrowable(thrown));
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
