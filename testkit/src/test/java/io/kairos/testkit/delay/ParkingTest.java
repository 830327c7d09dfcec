package io.kairos.testkit.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Partitions that stop because a dead letter cannot be written. */
final class ParkingTest {
  private final CrankedWorld world = new CrankedWorld();

  @Test
  void a_stopped_partition_goes_on_when_its_dead_letter_can_be_written() {
    world.createTopics("a", 1);
    world.broker.setDead("a-dead", 0, true);
    CrankedNode node = world.node("a").begin();
    world.send("a", "key", ControlHeaders.ID, "bad", ControlHeaders.DELAY, "no length");
    world.send("a", "key", ControlHeaders.ID, "good", ControlHeaders.DELAY, "PT1H");
    node.takeIn("a");
    for (int tries = 0; tries < 3; tries++) {
      node.live(Duration.ofSeconds(6));
      node.takeIn("a");
      assertThat(world.store.lookAtAll()).isEmpty();
    }

    world.broker.setDead("a-dead", 0, false);
    node.live(Duration.ofSeconds(6));
    node.takeIn("a");

    assertThat(world.records("a-dead")).hasSize(1);
    assertThat(world.store.lookAtAll()).hasSize(1);
  }
}
