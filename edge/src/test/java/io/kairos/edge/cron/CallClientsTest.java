package io.kairos.edge.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CallClientsTest {
  private static final ReplicaId SELF = new ReplicaId(3);

  private final CallClients clients = new CallClients(SELF, new SplittableRandom(1));

  @Test
  void changes_one_after_another_are_of_one_client_with_rising_requests() {
    CallClients.Turn first = clients.take();
    clients.executed(first);
    CallClients.Turn second = clients.take();

    assertThat(first.request()).isEqualTo(1);
    assertThat(first.client().belongsTo(SELF)).as("so that nobody else uses it").isTrue();
    assertThat(first.client().isOfCallers()).isTrue();
    assertThat(second).isEqualTo(new CallClients.Turn(first.client(), 2));
  }

  @Test
  void changes_at_a_time_have_a_client_each_and_one_in_doubt_is_not_used_again() {
    Set<ClientId> used = new HashSet<>();
    CallClients.Turn inDoubt = clients.take();
    for (int i = 0; i < 100; i++) {
      CallClients.Turn one = clients.take();
      CallClients.Turn other = clients.take();
      used.add(one.client());
      used.add(other.client());
      clients.executed(one);
      clients.executed(other);
    }

    assertThat(used).hasSize(2).doesNotContain(inDoubt.client());
  }
}
