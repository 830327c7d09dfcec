package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.model.task.TaskStoreCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cancelling and rescheduling through a node. */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // an override is found by its name
final class AmendingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final MessageId X = new MessageId("x");

  private final CrankedWorld world = new CrankedWorld();
  private final RouteId route = world.store.route("a");

  @BeforeEach
  void create_topics() {
    world.createTopics("a", 1);
  }

  @Test
  void amending_an_id_that_is_not_pending_says_so() {
    CrankedNode node = world.node("a").begin();

    assertThat(node.node.amend(route, X, new Amendment.Cancel(), PATIENCE))
        .hasValue(AmendmentOutcome.UNKNOWN_ID);
  }

  @Test
  void a_waiting_message_is_cancelled_at_once() {
    CrankedNode node = world.node("a").begin();
    delay("x", "PT1H");
    node.takeIn("a");

    assertThat(node.node.amend(route, X, new Amendment.Cancel(), Duration.ZERO))
        .hasValue(AmendmentOutcome.APPLIED);
    assertThat(world.store.lookAtAll()).isEmpty();
  }

  @Test
  void what_another_node_holds_in_memory_that_node_decides_and_never_sends() {
    CrankedNode holder = world.node("a").begin();
    CrankedNode asked = world.node("a").begin();
    delay("x", "PT1S");
    holder.takeIn("a");
    assertThat(holder.node.status().held()).isEqualTo(1);

    world.meanwhile(() -> holder.crank("amend"));
    Optional<AmendmentOutcome> outcome =
        asked.node.amend(route, X, new Amendment.Cancel(), PATIENCE);

    assertThat(outcome).hasValue(AmendmentOutcome.APPLIED);
    holder.live(Duration.ofSeconds(2));
    holder.crank("claim", "fire");
    assertThat(world.records("a-out")).isEmpty();
    assertThat(holder.node.status().held()).isZero();
  }

  @Test
  void what_another_node_has_sent_cannot_be_amended() {
    CrankedNode holder = world.node("a").begin();
    CrankedNode asked = world.node("a").begin();
    delay("x", "PT1S");
    holder.takeIn("a");
    world.letPass(Duration.ofSeconds(1));
    holder.crank("fire");

    world.meanwhile(() -> holder.crank("amend"));
    Optional<AmendmentOutcome> outcome =
        asked.node.amend(route, X, new Amendment.Cancel(), PATIENCE);

    assertThat(outcome).hasValue(AmendmentOutcome.TOO_LATE);
    assertThat(world.records("a-out")).hasSize(1);
  }

  @Test
  void an_amendment_whose_holder_does_not_answer_in_time_stays_and_may_still_be_applied() {
    CrankedNode holder = world.node("a").begin();
    CrankedNode asked = world.node("a").begin();
    delay("x", "PT1S");
    holder.takeIn("a");

    assertThat(asked.node.amend(route, X, new Amendment.Cancel(), Duration.ofMillis(100)))
        .isEmpty();

    holder.crank("amend");
    assertThat(world.store.lookAtAll()).isEmpty();
  }

  @Test
  void a_rescheduled_message_goes_out_once_at_its_new_time() {
    CrankedNode node = world.node("a").begin();
    delay("x", "PT1S");
    node.takeIn("a");
    world.meanwhile(() -> node.crank("amend"));
    long due = EpochMicros.of(world.trueTime().plusSeconds(2));

    assertThat(node.node.amend(route, X, new Amendment.Reschedule(due), PATIENCE))
        .hasValue(AmendmentOutcome.APPLIED);

    node.live(Duration.ofSeconds(1));
    node.crank("claim", "fire");
    assertThat(world.records("a-out")).isEmpty();
    node.live(Duration.ofSeconds(1));
    node.crank("claim", "fire", "settle");
    assertThat(world.records("a-out")).hasSize(1);
    assertThat(world.store.lookAtAll()).isEmpty();
  }

  @Test
  void a_message_that_is_rescheduled_while_it_is_being_deferred_is_not_held_as_well() {
    CrankedNode[] itself = new CrankedNode[1];
    MessageStore messages =
        TaskStoreCalls.overridden(
            MessageStore.class,
            world.store,
            new Object() {
              public void defer(List<ClaimedMessage> held, long untilMicros) {
                long due = held.getFirst().message().dueMicros() + 1_000_000;
                world.store.request(
                    new AmendRequest(
                        route,
                        held.getFirst().message().id(),
                        new Amendment.Reschedule(due),
                        new ReplyTo.Caller()));
                itself[0].crank("amend");
                world.store.defer(held, untilMicros);
              }
            });
    CrankedNode node =
        new CrankedNode(
            world,
            TightConfig.of(100, DelayConfig.defaults().claiming().batch()),
            CrankedWorld.with(messages, world.ports(DelayEvents.NONE)),
            "a");
    itself[0] = node.begin();
    for (int i = 0; i < 60; i++) {
      delay("id-" + i, "PT0.2S");
    }
    node.takeIn("a");
    world.broker.setDead("a-out", 0, true);
    world.letPass(Duration.ofMillis(300));
    node.crank("fire", "claim");

    long rowsHeld =
        world.store.lookAtAll().stream().filter(row -> row.holder().isPresent()).count();
    assertThat(rowsHeld).isLessThan(60);
    assertThat((long) node.node.status().held()).isEqualTo(rowsHeld);
  }

  private void delay(String id, String length) {
    world.send("a", "key", ControlHeaders.ID, id, ControlHeaders.DELAY, length);
  }
}
