package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.node.NodeId;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node whose clock is set wrong between two comparisons with the store's must not fire early. */
final class ClockStepTest {
  private final CrankedWorld world = new CrankedWorld();
  private final CrankedNode node = start();

  private CrankedNode start() {
    world.createTopics("a", 1);
    return world.node("a").begin();
  }

  @BeforeEach
  void hold_a_message_for_later() {
    delay("held", "PT10S");
    node.takeIn("a");
    assertThat(node.node.status().held()).isEqualTo(1);
  }

  @Test
  void what_is_held_does_not_go_out_when_the_clock_jumps_ahead() {
    world.setWallOffset(Duration.ofHours(1));

    node.crank("fire");

    assertThat(world.records("a-out")).isEmpty();
    assertThat(node.life.actingAs()).isEmpty();
  }

  @Test // CH-23
  void what_comes_in_is_not_late_when_the_clock_jumps_ahead_while_the_node_waits_for_it() {
    world.meanwhile(() -> {
      world.setWallOffset(Duration.ofHours(1));
      delay("new", "PT30M");
    });

    node.crank("intake-a", "intake-a");
    assertThat(world.records("a-out")).isEmpty();

    world.setWallOffset(Duration.ZERO);
    node.takeIn("a");
    assertThat(world.records("a-out")).isEmpty();
    assertThat(world.store.lookAtAll()).hasSize(2);
  }

  @Test // TW-L4
  void the_node_goes_on_when_the_clock_is_right_again_before_the_next_comparison() {
    world.setWallOffset(Duration.ofHours(1));
    node.crank("fire");
    world.setWallOffset(Duration.ZERO);
    node.crank("liveness");

    node.live(Duration.ofSeconds(11));

    assertThat(world.headers("a-out")).hasSize(1);
  }

  @Test
  void a_node_whose_clock_is_wrong_pauses_and_goes_on_when_it_is_right_before_a_lapse() {
    NodeId life = node.life.id().orElseThrow();
    world.setWallOffset(Duration.ofHours(1));
    node.live(Duration.ofSeconds(1));
    assertThat(node.life.actingAs()).isEmpty();

    world.setWallOffset(Duration.ZERO);
    node.live(Duration.ofSeconds(1));

    assertThat(node.life.actingAs()).contains(life);
  }

  @Test // CH-21, CH-L6
  void the_life_of_a_node_whose_clock_stays_wrong_ends_after_a_lapse() {
    world.setWallOffset(Duration.ofHours(1));

    node.live(Duration.ofSeconds(2));

    assertThat(node.life.id()).isEmpty();
    assertThat(node.life.isClockWithinBound()).isFalse();
  }

  private void delay(String id, String length) {
    world.send("a", "key", ControlHeaders.ID, id, ControlHeaders.DELAY, length);
  }
}
