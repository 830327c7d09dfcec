package io.kairos.simulator.kernel;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The liveness of nodes as one process sees it: every call takes virtual time and may fail. */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // found by their names
final class FaultyLivenessStore {
  private FaultyLivenessStore() {}

  static LivenessStore of(NodeRun<?> process, LivenessStore liveness) {
    LivenessHistory lives = process.world.lives;
    return process.faulty(
        LivenessStore.class,
        liveness,
        new Object() {
          public Instant enrol(NodeId node, Duration lapse) {
            return process.call(
                new PortCall.Renew(node),
                () -> {
                  lives.renewed(node);
                  return liveness.enrol(node, lapse);
                });
          }

          public Optional<Instant> renew(NodeId node) {
            return process.call(
                new PortCall.Renew(node),
                () -> {
                  Optional<Instant> renewed = liveness.renew(node);
                  renewed.ifPresent(_ -> lives.renewed(node));
                  return renewed;
                });
          }

          public void retire(NodeId node) {
            process.run(
                new PortCall.Retire(node),
                () -> {
                  lives.retired(node);
                  liveness.retire(node);
                });
          }
        });
  }
}
