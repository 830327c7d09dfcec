package io.kairos.client;

import io.kairos.api.v1.CallModuleResponse;

/** The answer of a user's module of a replicated cron. Immutable. */
public final class CronReply {
  private final CallModuleResponse wire;

  CronReply(CallModuleResponse wire) {
    this.wire = wire;
  }

  /** Returns the message {@code kairos.v1.CallModuleResponse} of the API, for tools. */
  public byte[] message() {
    return wire.toByteArray();
  }

  /** Sequence number of the request in the log. */
  public long sequence() {
    return wire.getSequence();
  }

  /** Returns a copy of the answer. */
  public byte[] body() {
    return wire.getReply().toByteArray();
  }

  /** Without the answer, which may be secret. */
  @Override
  public String toString() {
    return "CronReply[" + sequence() + "]";
  }
}
