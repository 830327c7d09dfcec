package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ListFailureGroupsRequest;
import java.time.Instant;

/** Selects failed and dead tasks to group: those that meet all conditions. Immutable. */
public final class FailureQuery {
  private final ListFailureGroupsRequest wire;

  private FailureQuery(ListFailureGroupsRequest wire) {
    this.wire = wire;
  }

  /** Selects all failed and dead tasks. */
  public static FailureQuery all() {
    return new FailureQuery(ListFailureGroupsRequest.getDefaultInstance());
  }

  /** Selects only tasks of this handler. */
  public FailureQuery handler(String name) {
    return new FailureQuery(wire.toBuilder().setHandler(Conditions.text("handler", name)).build());
  }

  /** Selects only tasks that ended then or later. */
  public FailureQuery endedFrom(Instant first) {
    return new FailureQuery(wire.toBuilder().setEndedNotBefore(ProtoTime.of(first)).build());
  }

  ListFailureGroupsRequest wire() {
    return wire;
  }
}
