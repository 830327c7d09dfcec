package io.kairos.simulator.kernel;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.LongHeldMessage;
import java.util.List;

/** A call of a store port with what the checkers need of its arguments. */
public interface PortCall {
  record Accept(IntakeBatch batch) implements PortCall {}

  record Claim(ClaimRequest request) implements PortCall {}

  record TakeOver(NodeId from, ClaimRequest request) implements PortCall {}

  record Delete(List<ClaimedMessage> fired) implements PortCall {}

  record Defer(List<ClaimedMessage> held) implements PortCall {}

  record Reset(List<LongHeldMessage> suspects) implements PortCall {}

  record Request(AmendRequest request) implements PortCall {}

  record Decide(NodeId by, List<AmendmentDecision> decisions) implements PortCall {}

  record Renew(NodeId node) implements PortCall {}

  record Retire(NodeId node) implements PortCall {}

  record AdoptUntold(NodeId from, NodeId to) implements PortCall {}

  /** Reads, and writes that no rule is about. */
  record Other(String name) implements PortCall {}
}
