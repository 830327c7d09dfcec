package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages that would be fired later than their route allows. */
final class LateMessagesTest {
  private static final Duration BEYOND = Duration.ofSeconds(10);

  private final CrankedWorld world = new CrankedWorld();

  private CrankedNode node() {
    world.createTopics("a", 1);
    world.rejectBeyond = BEYOND;
    return world.node("a").begin();
  }

  @Test
  void pd14_a_message_that_is_too_late_on_arrival_is_parked_and_one_that_is_not_is_fired() {
    CrankedNode node = node();
    sendDueAgo("late", BEYOND.plusMillis(1));
    sendDueAgo("not-so-late", BEYOND);

    node.takeIn("a");
    node.crank("fire", "settle");

    assertThat(world.headers("a-dead", ControlHeaders.ID, ControlHeaders.REASON))
        .containsExactly("late too-late");
    assertThat(world.records("a-out")).hasSize(1);
    assertThat(world.store.lookAtAll()).isEmpty();
  }

  @Test
  void pd14_a_message_that_an_outage_makes_too_late_is_parked() {
    CrankedNode dies = node();
    world.send("a", "key", ControlHeaders.ID, "x", ControlHeaders.DELAY, "PT1S");
    dies.takeIn("a");

    world.letPass(BEYOND.plusMillis(1_001));
    CrankedNode other = world.node("a").begin();
    for (int i = 0; i < 5; i++) {
      other.live(Duration.ofSeconds(1));
      other.crank("takeover", "claim", "fire", "settle");
    }

    assertThat(world.headers("a-dead", ControlHeaders.ID, ControlHeaders.REASON))
        .containsExactly("x too-late");
    assertThat(world.records("a-out")).isEmpty();
  }

  private void sendDueAgo(String id, Duration ago) {
    world.send(
        "a",
        "key",
        ControlHeaders.ID,
        id,
        ControlHeaders.DUE_AT,
        world.trueTime().minus(ago).toString());
  }
}
