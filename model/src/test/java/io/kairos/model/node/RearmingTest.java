package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.model.task.TaskStoreCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An id is used again by whoever has just received its message. */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // an override is found by its name
final class RearmingTest {
  private final CrankedWorld world = new CrankedWorld();
  private boolean storeAway;

  @BeforeEach
  void create_topics() {
    world.createTopics("a", 1);
  }

  private CrankedNode nodeThatHasFired() {
    DelayPorts ports =
        CrankedWorld.with(
            TaskStoreCalls.overridden(
                MessageStore.class,
                world.store,
                new Object() {
                  public List<ClaimedMessage> delete(List<ClaimedMessage> fired) {
                    if (storeAway) {
                      throw new StoreUnavailable("away");
                    }
                    return world.store.delete(fired);
                  }
                }),
            world.ports(DelayEvents.NONE));
    CrankedNode node = world.node(ports, "a").begin();
    delay("PT1S");
    node.takeIn("a");
    node.live(Duration.ofSeconds(1));
    assertThat(world.records("a-out")).hasSize(1);
    assertThat(node.node.status().unsettled()).isEqualTo(1);
    return node;
  }

  @Test
  void a_message_with_the_id_of_one_that_has_just_fired_is_taken_in_and_fired() {
    CrankedNode node = nodeThatHasFired();
    delay("PT1S");
    world.meanwhile(() -> node.crank("settle"));

    node.takeIn("a");

    assertThat(world.store.lookAtAll()).hasSize(1);
    node.live(Duration.ofSeconds(1));
    node.crank("fire");
    assertThat(world.records("a-out")).hasSize(2);
  }

  @Test
  void one_that_is_late_on_arrival_is_taken_in_as_well() {
    CrankedNode node = nodeThatHasFired();
    delay("PT0S");
    world.meanwhile(() -> node.crank("settle"));

    node.takeIn("a");

    assertThat(world.records("a-out")).hasSize(2);
  }

  @Test
  void it_is_taken_in_when_the_store_is_back_if_that_is_away() {
    CrankedNode node = nodeThatHasFired();
    storeAway = true;
    delay("PT10S");

    assertThat(catchThrowable(() -> node.crank("intake-a"))).isInstanceOf(StoreUnavailable.class);

    storeAway = false;
    node.crank("settle");
    node.live(Duration.ofSeconds(1)); // it has lapsed meanwhile: nobody else drives it here
    node.takeIn("a");
    assertThat(world.store.lookAtAll()).hasSize(1);
    assertThat(node.node.status().held()).isEqualTo(1);
  }

  @Test
  void it_is_taken_in_by_a_new_life_that_begins_before_the_first_one_is_deleted() {
    CrankedNode node = nodeThatHasFired();
    endOfLife(node);
    delay("PT10S");
    world.meanwhile(() -> node.crank("settle"));

    node.takeIn("a").crank("settle");

    assertThat(world.store.lookAtAll()).hasSize(1);
    assertThat(node.node.status().held()).isEqualTo(1);
  }

  @Test
  void it_is_taken_in_when_the_send_of_a_former_life_is_acknowledged_in_the_next() {
    CrankedNode node = world.node("a").begin();
    delay("PT1S");
    node.takeIn("a");
    world.setSilent(true);
    node.live(Duration.ofSeconds(1));
    endOfLife(node);
    world.setSilent(false);
    world.answer();
    delay("PT10S");
    world.meanwhile(() -> node.crank("settle"));

    node.takeIn("a").crank("settle");

    assertThat(world.records("a-out")).hasSize(1);
    assertThat(node.node.status().held()).isEqualTo(1);
  }

  @Test
  void a_send_of_a_former_life_that_fails_is_forgotten() {
    CrankedNode node = world.node("a").begin();
    delay("PT1S");
    node.takeIn("a");
    world.setSilent(true);
    node.live(Duration.ofSeconds(1));
    endOfLife(node);
    world.setSilent(false);
    world.broker.setDead("a-out", 0, true);
    world.answer();
    delay("PT10S");
    Instant before = world.trueTime();

    node.crank("intake-a");

    assertThat(world.trueTime()).isEqualTo(before);
  }

  private void endOfLife(CrankedNode node) {
    world.letPass(Duration.ofSeconds(3));
    world.store.alive().forEach(world.store::declareDead);
    node.crank("fire", "liveness");
    assertThat(node.life.id()).isEmpty();
    node.crank("liveness", "liveness");
    assertThat(node.life.actingAs()).isPresent();
  }

  private void delay(String length) {
    world.send("a", "key", ControlHeaders.ID, "x", ControlHeaders.DELAY, length);
  }
}
