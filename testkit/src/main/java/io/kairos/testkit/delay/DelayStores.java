package io.kairos.testkit.delay;

import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.LivenessStore;
import io.kairos.engine.delay.port.MessageStore;
import java.time.Duration;
import java.time.Instant;

/** The delay queue's three store ports on one backend, as a contract suite needs them. */
public interface DelayStores {
  MessageStore messages();

  AmendmentStore amendments();

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
