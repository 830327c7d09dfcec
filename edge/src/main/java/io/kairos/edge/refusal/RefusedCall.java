package io.kairos.edge.refusal;

import com.google.rpc.Status;

/** A call is refused. Doors write its status in the form of their protocol. */
public final class RefusedCall extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status status;

  RefusedCall(Status status) {
    super(status.getMessage(), null, false, false);
    this.status = status;
  }

  /** The code, the words and the details. */
  public Status status() {
    return status;
  }
}
