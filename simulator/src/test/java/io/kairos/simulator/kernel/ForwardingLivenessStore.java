package io.kairos.simulator.kernel;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
  public Instant enrol(NodeId node, Duration lapse) {
    return next.enrol(node, lapse);
  }

  @Override
  public Optional<Instant> renew(NodeId node) {
    return next.renew(node);
  }

  @Override
  public void retire(NodeId node) {
    next.retire(node);
  }

  @Override
  public Set<NodeId> alive() {
    return next.alive();
  }

  @Override
  public List<Departed> departed() {
    return next.departed();
  }

  /** The dead and the living alike. */
  protected final List<Departed> everybody() {
    Stream<Departed> living = next.alive().stream().map(node -> new Departed(node, false));
    return Stream.concat(next.departed().stream(), living).toList();
  }

  @Override
  public void bury(Duration grace) {
    next.bury(grace);
  }
}
