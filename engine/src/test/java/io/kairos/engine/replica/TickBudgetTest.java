package io.kairos.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import org.junit.jupiter.api.Test;

class TickBudgetTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final byte[] TICK = new byte[21];

  private final TickBudget budget =
      new TickBudget(new ReplicaGroup(3, ReplicaGroup.Faults.CRASH), 5);

  private boolean ticks(ReplicaId from, int component) {
    return budget.take(from, ClientId.ofTicks(from, new ComponentId(component)), TICK);
  }

  private int taken(ReplicaId from) {
    int taken = 0;
    for (int component = 0; component < 100; component++) {
      taken += ticks(from, component) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void cc_l3_a_replica_has_its_budget_for_all_tables_together_and_the_others_have_theirs() {
    assertThat(taken(ONE)).isEqualTo(5);
    assertThat(taken(TWO)).isEqualTo(5);
  }

  @Test
  void a_budget_comes_back_a_part_at_a_time_and_is_saved_up_to_the_whole() {
    taken(ONE);

    budget.refill(2);
    assertThat(taken(ONE)).isEqualTo(2);

    budget.refill(4);
    budget.refill(4);
    budget.refill(Integer.MAX_VALUE);
    assertThat(taken(ONE)).isEqualTo(5);
  }

  @Test
  void what_is_larger_than_any_tick_is_none() {
    ClientId ticks = ClientId.ofTicks(ONE, new ComponentId(1));

    assertThat(budget.take(ONE, ticks, new byte[65])).isFalse();
    assertThat(taken(ONE)).isEqualTo(5);
  }

  @Test
  void other_requests_are_taken_always() {
    taken(ONE);

    assertThat(budget.take(ONE, new ClientId(7), new byte[1_000])).isTrue();
    assertThat(budget.take(ONE, ClientId.ofVotes(ONE), TICK)).isTrue();
  }
}
