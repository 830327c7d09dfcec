package io.kairos.simulator.kernel;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import io.kairos.model.task.TaskStoreCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The liveness of nodes as one process sees it: every call takes virtual time and may fail. */
final class FaultyLivenessStore {
  private final NodeRun process;
  private final LivenessStore liveness;

  private FaultyLivenessStore(NodeRun process, LivenessStore liveness) {
    this.process = process;
    this.liveness = liveness;
  }

  static LivenessStore of(NodeRun process, LivenessStore liveness) {
    return TaskStoreCalls.overridden(
        LivenessStore.class,
        TaskStoreCalls.through(LivenessStore.class, process::other, liveness),
        new FaultyLivenessStore(process, liveness));
  }

  public Instant enrol(NodeId node, Duration lapse) {
    return process.call(
        new PortCall.Renew(node),
        () -> {
          process.world().lives.renewed(node);
          return liveness.enrol(node, lapse);
        });
  }

  public Optional<Instant> renew(NodeId node) {
    return process.call(
        new PortCall.Renew(node),
        () -> {
          Optional<Instant> renewed = liveness.renew(node);
          if (renewed.isPresent()) {
            process.world().lives.renewed(node);
          }
          return renewed;
        });
  }

  public void retire(NodeId node) {
    process.call(
        new PortCall.Retire(node),
        () -> {
          process.world().lives.retired(node);
          liveness.retire(node);
          return true;
        });
  }
}
