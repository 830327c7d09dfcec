package io.kairos.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.StoreUnavailable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A store that takes nothing in while the broker goes on: a full disk. */
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

  private CrankedNode node() {
    world.createTopics("a", 1);
    return world
        .node(CrankedWorld.with(takingNothing(world.store), world.ports(DelayEvents.NONE)), "a")
        .begin();
  }

  private MessageStore takingNothing(MessageStore store) {
    return (MessageStore)
        Proxy.newProxyInstance(
            MessageStore.class.getClassLoader(),
            new Class<?>[] {MessageStore.class},
            (_, method, arguments) -> {
              if (diskFull && method.getName().equals("accept")) {
                throw new StoreUnavailable("no space left on device");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
