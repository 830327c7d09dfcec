package io.kairos.simulator.kernel;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.LivenessStore.Departed;
import io.kairos.engine.node.LivenessStore.Renewal;
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
            Stream<Departed> living =
                next.alive().stream().map(renewal -> new Departed(renewal.node(), false));
            return Stream.concat(next.departed().stream(), living).toList();
          }
        });
  }

  /** A node that renews later than its lapse is retired by that, as after an outage. */
  public static LivenessStore retiredWhenLapsed(LivenessStore next) {
    return TaskStoreCalls.overridden(
        LivenessStore.class,
        next,
        new Object() {
          public Optional<Instant> renew(NodeId node) {
            lapsed(next)
                .filter(renewal -> renewal.node().equals(node))
                .forEach(_ -> next.retire(node));
            return next.renew(node);
          }
        });
  }

  /** A node has departed when its lapse has passed by the store's clock, which may jump. */
  public static LivenessStore lapsesByTheStoresClock(LivenessStore next) {
    return TaskStoreCalls.overridden(
        LivenessStore.class,
        next,
        new Object() {
          public List<Departed> departed() {
            Stream<Departed> lapsed =
                lapsed(next).map(renewal -> new Departed(renewal.node(), false));
            return Stream.concat(next.departed().stream(), lapsed).toList();
          }
        });
  }

  private static Stream<Renewal> lapsed(LivenessStore store) {
    Instant now = store.time();
    return store.alive().stream()
        .filter(renewal -> !now.isBefore(renewal.at().plus(renewal.lapse())));
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
