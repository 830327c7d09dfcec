package io.kairos.edge;

import io.kairos.edge.call.ReadyNode;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.poll.StepPolling;
import java.util.Optional;

/** The node as the edge sees it. Called by the edge's threads at any time; must not block. */
public interface NodeView extends ProcessView {
  /** The parts that take calls; empty until the node can work. */
  Optional<ReadyNode.Parts> parts();

  @Override
  default Optional<AuditTrail> audit() {
    return parts().map(ReadyNode.Parts::audit);
  }

  /** Runs the node's steps on request; empty while they cannot run. */
  default Optional<StepPolling> polling() {
    return Optional.empty();
  }
}
