package io.kairos.contracts;

import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;

/** A liveness store as its contract suite needs it. */
public interface LivenessStores {
  LivenessStore liveness();

  /** The store's own clock, exact to a few seconds: suites keep minutes of distance from it. */
  Instant now();

  /**
   * Makes all times of the store's own clock (liveness, decisions) that much older, without
   * waiting: a model moves its clock on, a database moves the noted times back. Stamps and due
   * times that callers gave need not move.
   */
  void letPass(Duration duration);
}
