package io.kairos.testkit.node;

import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;

/** A store of who is alive, as its contract suite needs it. */
public interface LivenessStores {
  LivenessStore liveness();

  /** The store's own clock, exact to a few seconds: suites keep minutes of distance from it. */
  Instant now();

  /**
   * Makes what the store has noted with its own clock (liveness, decisions) that much older,
   * without waiting: a model moves its clock on, a database moves the noted times back. Stamps and
   * due times that callers gave need not move.
   */
  void letPass(Duration duration);
}
