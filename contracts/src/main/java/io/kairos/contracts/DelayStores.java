package io.kairos.contracts;

import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;

/** The delay queue's three store ports on one backend, as a contract suite needs them. */
public interface DelayStores extends LivenessStores {
  MessageStore messages();

  AmendmentStore amendments();
}
