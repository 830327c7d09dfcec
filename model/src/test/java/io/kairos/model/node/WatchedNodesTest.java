package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessConfig;
import io.kairos.engine.node.LivenessEvents;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.LivenessStore.Departed;
import io.kairos.engine.node.NodeLife;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who is declared dead, and when, while the store's clock steps. */
final class WatchedNodesTest {
  private static final LivenessConfig CONFIG = LivenessConfig.DEFAULT;
  private static final NodeId SILENT = new NodeId(new UUID(0, 7));

  private final HandCrank crank = new HandCrank();
  private Duration ahead = Duration.ZERO;
  private final ModelLivenessStore store = new ModelLivenessStore(this::storeNow);
  private long lastId;

  private Instant storeNow() {
    return crank.clock().instant().plus(ahead);
  }

  private NodeLife startNode() {
    NodeLife life = node();
    life.activities().forEach(crank::drive);
    return life;
  }

  private NodeLife node() {
    return new NodeLife(
        CONFIG,
        new LivenessPorts(
            store,
            this::storeNow,
            crank::nanos,
            crank::wakeup,
            () -> new NodeId(new UUID(1, ++lastId)),
            LivenessEvents.NONE));
  }

  @Test
  void a_node_that_is_silent_for_its_lapse_is_declared_dead_and_not_before() {
    startNode();
    crank.pass(CONFIG.renewInterval());
    store.enrol(SILENT, CONFIG.lapse());

    crank.pass(CONFIG.lapse());
    assertThat(store.departed()).isEmpty();

    crank.pass(CONFIG.renewInterval());
    assertThat(store.departed()).containsExactly(new Departed(SILENT, false));
  }

  @Test
  void no_step_of_the_stores_clock_makes_a_live_node_dead() {
    NodeLife one = startNode();
    NodeLife other = startNode();
    crank.pass(Duration.ofSeconds(3));
    NodeId first = one.id().orElseThrow();

    for (long seconds : new long[] {10, -10, 3_600, 0, -3_600}) {
      ahead = Duration.ofSeconds(seconds);
      crank.pass(Duration.ofSeconds(3));
    }

    assertThat(store.departed()).isEmpty();
    assertThat(one.id()).contains(first);
    assertThat(other.actingAs()).isPresent();
  }

  @Test
  void no_step_of_the_stores_clock_keeps_a_dead_node_alive() {
    startNode();
    ahead = Duration.ofHours(1);
    store.enrol(SILENT, CONFIG.lapse());
    ahead = Duration.ZERO;

    crank.pass(Duration.ofSeconds(3));

    assertThat(store.departed()).containsExactly(new Departed(SILENT, false));
  }

  @Test
  void a_node_is_judged_by_its_own_lapse() {
    startNode();
    store.enrol(SILENT, CONFIG.lapse().multipliedBy(4));

    crank.pass(CONFIG.lapse().multipliedBy(3));
    assertThat(store.departed()).isEmpty();

    crank.pass(CONFIG.lapse().multipliedBy(2));
    assertThat(store.departed()).hasSize(1);
  }

  @Test
  void a_node_that_has_stood_still_watches_anew() {
    store.enrol(SILENT, CONFIG.lapse());
    NodeLife life = node();
    beat(life, 2);

    crank.pass(CONFIG.lapse().multipliedBy(2));
    beat(life, 1);
    assertThat(store.departed()).isEmpty();

    beat(life, 6);
    assertThat(store.departed()).hasSize(1);
  }

  @Test
  void in_a_process_without_a_delay_queue_the_departed_are_buried_a_grace_later() {
    NodeLife life = startNode();
    crank.drive(life.burial(Duration.ofSeconds(33)));
    store.enrol(SILENT, CONFIG.lapse());
    store.retire(SILENT);

    crank.pass(Duration.ofSeconds(30));
    assertThat(store.departed()).hasSize(1);

    crank.pass(Duration.ofSeconds(15));
    assertThat(store.departed()).isEmpty();
  }

  private void beat(NodeLife life, int times) {
    for (int i = 0; i < times; i++) {
      life.activities().forEach(activity -> activity.step().runOnce());
      crank.pass(CONFIG.renewInterval());
    }
  }
}
