package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The store is away until the lives of all nodes have lapsed, and messages that the broker has
 * acknowledged wait to be deleted: they come out once.
 */
final class SettledFirstTest {
  private static final Duration OUTAGE = Duration.ofMinutes(1);
  private static final Duration LAPSE = Duration.ofMillis(1_500);

  private final CrankedWorld world = new CrankedWorld();
  private final CrankedNode node = start();
  private final CrankedNode peer = world.node("a");

  private CrankedNode start() {
    world.createTopics("a", 1);
    return world.node("a").begin();
  }

  @BeforeEach
  void a_message_is_acknowledged_and_not_settled() {
    world.send("a", "key", ControlHeaders.ID, "id", ControlHeaders.DELAY, "PT1S");
    node.takeIn("a");
    node.live(Duration.ofSeconds(10)); // so long that its backstop trusts the output
    node.crank("backstop");
    assertThat(world.records("a-out")).hasSize(1);
  }

  @Test
  void a_node_that_lapsed_in_an_outage_settles_before_its_next_life_takes_over() {
    world.letPass(OUTAGE);
    node.crank("fire", "liveness", "liveness", "takeover", "backstop", "fire");
    node.live(LAPSE);
    node.crank("takeover", "backstop", "claim", "fire");
    assertThat(world.records("a-out")).hasSize(1);

    node.crank("settle", "liveness", "takeover", "backstop", "claim", "fire");

    assertThat(world.records("a-out")).hasSize(1);
    assertThat(world.store.lookAtAll()).isEmpty();
  }

  @Test
  void what_a_former_life_has_not_sent_is_taken_over_once_it_has_settled() {
    world.send("a", "key", ControlHeaders.ID, "later", ControlHeaders.DELAY, "PT10S");
    node.takeIn("a");
    world.letPass(OUTAGE);

    node.crank("fire", "liveness", "liveness", "settle", "liveness", "takeover", "fire");

    assertThat(world.records("a-out")).hasSize(2);
  }

  @Test
  void a_peer_that_saw_the_outage_too_leaves_the_holder_a_lapse_to_settle() {
    peer.begin();
    peer.crank("backstop");
    for (int i = 0; i < 40; i++) {
      world.letPass(Duration.ofMillis(250));
      node.crank("fire", "liveness");
      peer.crank("fire", "liveness", "watch-nodes");
    }
    world.letPass(OUTAGE);
    peer.crank("fire", "liveness", "liveness", "watch-nodes");

    peer.crank("takeover", "backstop", "claim", "fire");

    assertThat(world.records("a-out")).hasSize(1);
  }

  @Test
  void a_peer_that_survived_a_short_outage_leaves_the_holder_a_lapse_to_settle() {
    peer.begin();
    for (int i = 0; i < 20; i++) {
      world.letPass(Duration.ofMillis(250));
      node.crank("fire", "liveness");
      peer.crank("fire", "liveness");
    }
    world.letPass(LAPSE.minusMillis(100));
    peer.crank("fire", "liveness"); // just in time, as the node is not
    world.letPass(Duration.ofMillis(200));

    peer.crank("fire", "liveness", "takeover", "claim", "fire");

    assertThat(world.records("a-out")).hasSize(1);
  }
}
