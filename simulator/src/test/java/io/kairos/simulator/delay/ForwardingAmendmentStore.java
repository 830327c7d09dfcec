package io.kairos.simulator.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.PendingAmendment;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Passes every call on; a mutant overrides what it breaks. */
public abstract class ForwardingAmendmentStore implements AmendmentStore {
  protected final AmendmentStore next;

  protected ForwardingAmendmentStore(AmendmentStore next) {
    this.next = next;
  }

  @Override
  public long request(AmendRequest request) {
    return next.request(request);
  }

  @Override
  public Optional<AmendmentOutcome> outcome(long number) {
    return next.outcome(number);
  }

  @Override
  public List<PendingAmendment> undecided(NodeId holder, int limit) {
    return next.undecided(holder, limit);
  }

  @Override
  public List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions) {
    return next.decide(by, decisions);
  }

  @Override
  public List<AmendmentResult> untold(
      NodeId decidedBy, RouteId route, long afterNumber, int limit) {
    return next.untold(decidedBy, route, afterNumber, limit);
  }

  @Override
  public void told(Collection<Long> numbers) {
    next.told(numbers);
  }

  @Override
  public void adoptUntold(NodeId from, NodeId to, Set<RouteId> routes) {
    next.adoptUntold(from, to, routes);
  }
}
