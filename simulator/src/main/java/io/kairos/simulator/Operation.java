package io.kairos.simulator;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.Suspect;
import java.util.List;

/** A call of a store port with what the checkers need of its arguments. */
interface Operation {
  record Accept(IntakeBatch batch) implements Operation {}

  record Claim(ClaimRequest request) implements Operation {}

  record TakeOver(NodeId from, ClaimRequest request) implements Operation {}

  record Delete(List<Claimed> fired) implements Operation {}

  record Defer(List<Claimed> held) implements Operation {}

  record Reset(List<Suspect> suspects) implements Operation {}

  record Request(AmendRequest request) implements Operation {}

  record Decide(NodeId by, List<AmendmentDecision> decisions) implements Operation {}

  record Renew(NodeId node) implements Operation {}

  record Retire(NodeId node) implements Operation {}

  record AdoptUntold(NodeId from, NodeId to) implements Operation {}

  /** Reads, and writes that no rule is about. */
  record Other(String name) implements Operation {}
}
