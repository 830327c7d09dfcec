package io.kairos.edge.refusal;

import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** The {@link Refusals} as exceptions of gRPC, for the doors. */
public final class CallRefusals {
  private CallRefusals() {}

  /** Translates any failure into the status for the caller. */
  public static StatusRuntimeException of(Throwable cause) {
    return switch (cause) {
      case StatusRuntimeException e -> e;
      case StatusException e -> new StatusRuntimeException(e.getStatus(), e.getTrailers());
      default -> StatusProto.toStatusRuntimeException(Refusals.of(cause).status());
    };
  }
}
