package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.MessageId;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.model.task.TaskStoreCalls;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store that takes nothing in while the broker goes on: a full disk. */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // an override is found by its name
final class FailingStoreTest {
  private final CrankedWorld world = new CrankedWorld();
  private boolean diskFull = true;

  @Test
  void ch14_what_is_late_goes_out_once_however_often_its_batch_cannot_be_stored() {
    CrankedNode node = node();
    world.send("a", "key", ControlHeaders.ID, "late", ControlHeaders.DELAY, "0");
    world.send("a", "key", ControlHeaders.ID, "later", ControlHeaders.DELAY, "PT10S");
    world.send("a", "key", ControlHeaders.DELAY, "PT1M");

    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> node.takeIn("a")).isInstanceOf(StoreUnavailable.class);
    }
    assertThat(world.records("a-out")).hasSize(1);
    assertThat(world.records("a-dead")).hasSize(1);

    diskFull = false;
    node.takeIn("a");
    node.live(Duration.ofSeconds(20));

    assertThat(world.records("a-out")).hasSize(2);
    assertThat(world.records("a-dead")).hasSize(1);
  }

  @Test
  void an_id_that_went_out_is_free_again_for_the_next_record() {
    CrankedNode node = node();
    world.send("a", "key", ControlHeaders.ID, "id", ControlHeaders.DELAY, "0");
    assertThatThrownBy(() -> node.takeIn("a")).isInstanceOf(StoreUnavailable.class);
    world.send("a", "key", ControlHeaders.ID, "id", ControlHeaders.DELAY, "0");

    diskFull = false;
    node.takeIn("a");

    assertThat(world.records("a-out")).hasSize(2);
  }

  @Test
  void what_may_have_gone_out_before_its_batch_could_be_stored_is_too_late_to_cancel() {
    CrankedNode node = node();
    world.send("a", "key", ControlHeaders.ID, "late", ControlHeaders.DELAY, "0");
    world.setSilent(true);
    assertThatThrownBy(() -> node.takeIn("a")).isInstanceOf(StoreUnavailable.class);
    world.answer();

    diskFull = false;
    node.live(Duration.ofSeconds(1));
    node.takeIn("a");
    world.meanwhile(() -> node.crank("amend"));

    assertThat(cancel(node, "late")).hasValue(AmendmentOutcome.TOO_LATE);
    assertThat(world.records("a-out")).hasSize(1);
  }

  @Test
  void what_precedes_a_stopped_record_is_read_again_when_its_batch_could_not_be_stored() {
    world.createTopics("a", 1);
    world.broker.setDead("a-dead", 0, true);
    CrankedNode node = nodeOf();
    world.send("a", "key", ControlHeaders.ID, "good", ControlHeaders.DELAY, "PT1H");
    world.send("a", "key", ControlHeaders.ID, "bad", ControlHeaders.DELAY, "no length");
    assertThatThrownBy(() -> node.takeIn("a")).isInstanceOf(StoreUnavailable.class);
    node.live(Duration.ofSeconds(6)); // the stopped record's next try is due

    diskFull = false;
    node.takeIn("a").takeIn("a");

    assertThat(world.store.lookAtAll()).hasSize(1);
  }

  @Test
  void
      what_is_late_and_finds_its_output_closed_is_too_late_to_cancel_as_another_may_have_sent_it() {
    diskFull = false;
    CrankedNode node = node();
    world.setSilent(true);
    world.send("a", "key", ControlHeaders.ID, "closes the lane", ControlHeaders.DELAY, "0");
    node.takeIn("a");
    node.live(Duration.ofSeconds(1));
    world.send("a", "key", ControlHeaders.ID, "late", ControlHeaders.DELAY, "0");
    node.takeIn("a");
    world.meanwhile(() -> node.crank("amend"));

    assertThat(cancel(node, "late")).hasValue(AmendmentOutcome.TOO_LATE);
  }

  @Test
  void ch12_of_two_late_records_with_an_id_only_the_first_may_come_out_when_it_has_no_answer() {
    diskFull = false;
    CrankedNode node = node();
    world.setSilent(true);
    world.send("a", "key", ControlHeaders.ID, "id", ControlHeaders.DELAY, "0");
    world.send("a", "key", ControlHeaders.ID, "id", ControlHeaders.DELAY, "0");
    node.takeIn("a");
    world.setSilent(false);
    world.answer();

    assertThat(world.records("a-out")).hasSize(1);
    assertThat(world.store.lookAtAll()).hasSize(1);
  }

  @Test // PD-22, CH-24
  void a_batch_is_acknowledged_to_the_broker_only_when_the_whole_of_it_is_stored() {
    world.createTopics("a", 1);
    CrankedNode node = nodeOf();
    world.send("a", "key", ControlHeaders.ID, "one", ControlHeaders.DELAY, "PT1H");
    world.send("a", "key", ControlHeaders.ID, "two", ControlHeaders.DELAY, "PT1H");

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> node.takeIn("a")).isInstanceOf(StoreUnavailable.class);
    }
    assertThat(world.broker.committed("kairos", "a-in")).isEmpty();
    assertThat(world.store.lookAtAll()).isEmpty();

    diskFull = false;
    node.takeIn("a");

    assertThat(world.store.lookAtAll()).hasSize(2);
    assertThat(world.broker.committed("kairos", "a-in")).isEqualTo(Map.of(0, 2L));
  }

  private Optional<AmendmentOutcome> cancel(CrankedNode node, String id) {
    return node.node.amend(
        world.store.route("a"), new MessageId(id), new Amendment.Cancel(), Duration.ofSeconds(1));
  }

  private CrankedNode node() {
    world.createTopics("a", 1);
    return nodeOf();
  }

  private CrankedNode nodeOf() {
    return world
        .node(CrankedWorld.with(takingNothing(world.store), world.ports(DelayEvents.NONE)), "a")
        .begin();
  }

  private MessageStore takingNothing(MessageStore store) {
    return TaskStoreCalls.overridden(
        MessageStore.class,
        store,
        new Object() {
          public IntakeResult accept(IntakeBatch batch) {
            if (diskFull) {
              throw new StoreUnavailable("no space left on device");
            }
            return store.accept(batch);
          }
        });
  }
}
