package io.kairos.simulator.kernel;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.LivenessStore.Departed;
import io.kairos.model.task.TaskStoreCalls;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The liveness of nodes, broken on purpose. */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // found by their names
public final class BrokenLiveness {
  private BrokenLiveness() {}

  /** The living count as departed, like the dead. */
  public static LivenessStore everybodyHasDeparted(LivenessStore next) {
    return TaskStoreCalls.overridden(
        LivenessStore.class,
        next,
        new Object() {
          public List<Departed> departed() {
            Stream<Departed> living = next.alive().stream().map(node -> new Departed(node, false));
            return Stream.concat(next.departed().stream(), living).toList();
          }
        });
  }

  /** A node that is told that it has lapsed is retired by that. */
  public static LivenessStore retiredWhenLapsed(LivenessStore next) {
    return TaskStoreCalls.overridden(
        LivenessStore.class,
        next,
        new Object() {
          public Optional<Instant> renew(NodeId node) {
            Optional<Instant> renewed = next.renew(node);
            if (renewed.isEmpty()) {
              next.retire(node);
            }
            return renewed;
          }
        });
  }

  /** A node that has lapsed is renewed as if nothing had happened. */
  public static LivenessStore nobodyLapses(LivenessStore next) {
    return TaskStoreCalls.overridden(
        LivenessStore.class,
        next,
        new Object() {
          public Optional<Instant> renew(NodeId node) {
            return next.renew(node).or(() -> Optional.of(next.time()));
          }
        });
  }
}
