package io.kairos.postgres.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.DelayStores;
import io.kairos.contracts.MessageStoreContract;
import io.kairos.domain.delay.RouteId;
import org.junit.jupiter.api.Test;

final class PostgresMessageStoreTest extends MessageStoreContract {
  @Override
  protected DelayStores freshStores() {
    return ContractStores.fresh();
  }

  @Test
  void every_route_is_known_with_its_waiting_and_ready_messages() {
    RouteId forgotten = messages.route("forgotten");
    messages.route("never-used");
    storeWaiting(message(forgotten, "a", micros(1)), message(forgotten, "b", micros(2)));
    storeHeld(node, message(forgotten, "c", micros(3)));

    assertThat(ContractStores.pendingByRoute())
        .containsEntry("forgotten", 3)
        .containsEntry("never-used", 0);
  }
}
