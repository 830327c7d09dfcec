package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaderIntakeTest {
  private static final ReplicaId ZERO = new ReplicaId(0);
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ComponentId TABLE = new ComponentId(7);

  private final LeaderIntake intake =
      new LeaderIntake(new ReplicaGroup(3, ReplicaGroup.Faults.CRASH), 40);

  private Optional<String> refusal(ReplicaId from, ClientId client, int bytes) {
    return intake.refusal(
        ByteBuffer.wrap(RequestEnvelope.encode(from, client, 1, new byte[bytes])));
  }

  private int ordered(ReplicaId from, int ticks) {
    int ordered = 0;
    for (int i = 0; i < ticks; i++) {
      ordered += refusal(from, ClientId.ofTicks(from, TABLE), 21).isEmpty() ? 1 : 0;
    }
    return ordered;
  }

  @Test
  void cc_l3_ticks_beyond_the_budget_of_their_replica_are_not_ordered() {
    assertThat(ordered(ONE, 100)).isEqualTo(40);
    assertThat(refusal(ONE, ClientId.ofTicks(ONE, TABLE), 21).orElseThrow())
        .contains("replica 1")
        .contains("replica.ticks-per-second");

    intake.refill();
    assertThat(ordered(ONE, 100)).as("a twentieth in a twentieth of a second").isEqualTo(2);
    assertThat(ordered(ZERO, 100)).isEqualTo(40);
  }

  @Test
  void cc_l3_a_tick_in_the_name_of_another_replica_is_not_ordered() {
    assertThat(refusal(ZERO, ClientId.ofTicks(ONE, TABLE), 21).orElseThrow())
        .contains("replica 0")
        .contains("in the name of another");
    assertThat(refusal(ZERO, ClientId.ofVotes(ONE), 21)).isPresent();

    assertThat(ordered(ONE, 100)).as("it costs the other nothing").isEqualTo(40);
  }

  @Test
  void requests_of_clients_are_ordered_and_no_other_bytes() {
    ordered(ONE, 100);

    assertThat(refusal(ONE, new ClientId(5), 1_000)).isEmpty();
    assertThat(refusal(ONE, ClientId.ofEffects(ONE), 1_000)).isEmpty();
    assertThat(refusal(new ReplicaId(3), new ClientId(5), 10)).isPresent();
    assertThat(intake.refusal(ByteBuffer.allocate(30))).isPresent();
    assertThat(intake.refusal(ByteBuffer.allocate(0))).isPresent();
  }
}
