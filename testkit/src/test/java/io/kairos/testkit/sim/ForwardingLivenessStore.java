package io.kairos.testkit.sim;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.LivenessStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Passes every call on; a mutant overrides what it breaks. */
public abstract class ForwardingLivenessStore implements LivenessStore {
  protected final LivenessStore next;

  protected ForwardingLivenessStore(LivenessStore next) {
    this.next = next;
  }

  @Override
  public Instant time() {
    return next.time();
  }

  @Override
  public Instant enrol(NodeId node) {
    return next.enrol(node);
  }

  @Override
  public Optional<Instant> renew(NodeId node, Duration lapse) {
    return next.renew(node, lapse);
  }

  @Override
  public void retire(NodeId node) {
    next.retire(node);
  }

  @Override
  public Set<NodeId> alive(Duration lapse) {
    return next.alive(lapse);
  }

  @Override
  public List<Departed> departed(Duration lapse) {
    return next.departed(lapse);
  }

  @Override
  public void bury(Duration lapse, Duration grace) {
    next.bury(lapse, grace);
  }
}
