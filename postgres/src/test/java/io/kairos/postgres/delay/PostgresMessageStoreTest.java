package io.kairos.postgres.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.DelayStores;
import io.kairos.contracts.MessageStoreContract;
import io.kairos.domain.delay.RouteId;
import java.util.OptionalLong;
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
    long first = micros(1);
    storeWaiting(message(forgotten, "a", first), message(forgotten, "b", first + 1));
    storeHeld(node, message(forgotten, "c", micros(3)));

    assertThat(ContractStores.backlogByRoute())
        .containsEntry("forgotten", new RouteBacklog(3, OptionalLong.of(first)))
        .containsEntry("never-used", new RouteBacklog(0, OptionalLong.empty()));
  }
}
