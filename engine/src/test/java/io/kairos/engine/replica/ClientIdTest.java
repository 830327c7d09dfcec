package io.kairos.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientIdTest {
  @Test
  void a_reserved_id_belongs_to_one_replica() {
    for (int number = 0; number < ReplicaGroup.LARGEST; number++) {
      ReplicaId replica = new ReplicaId(number);
      ReplicaId other = new ReplicaId((number + 1) % ReplicaGroup.LARGEST);
      List<ClientId> ids =
          List.of(
              ClientId.ofTicks(replica, new ComponentId(0)),
              ClientId.ofTicks(replica, new ComponentId((1L << 32) - 1)),
              ClientId.ofCalls(replica, 0),
              ClientId.ofCalls(replica, ClientId.CALLS - 1),
              ClientId.ofVotes(replica),
              ClientId.ofEffects(replica),
              ClientId.ofSchedules(replica));

      assertThat(ids).allMatch(id -> id.belongsTo(replica)).noneMatch(id -> id.belongsTo(other));
    }
  }

  @Test
  void ticks_are_told_from_other_requests_by_their_id() {
    for (int number = 0; number < ReplicaGroup.LARGEST; number++) {
      ReplicaId replica = new ReplicaId(number);

      assertThat(
              List.of(
                  ClientId.ofTicks(replica, new ComponentId(0)),
                  ClientId.ofTicks(replica, new ComponentId((1L << 32) - 1))))
          .allMatch(ClientId::isOfTicks);
      assertThat(
              List.of(
                  ClientId.ofCalls(replica, 0),
                  ClientId.ofCalls(replica, ClientId.CALLS - 1),
                  ClientId.ofVotes(replica),
                  ClientId.ofEffects(replica),
                  ClientId.ofSchedules(replica),
                  new ClientId(number),
                  new ClientId(Long.MAX_VALUE)))
          .noneMatch(ClientId::isOfTicks);
    }
  }

  @Test
  void the_requests_of_callers_are_told_from_those_of_the_replica() {
    ReplicaId replica = new ReplicaId(ReplicaGroup.LARGEST - 1);

    assertThat(
            List.of(
                new ClientId(0),
                new ClientId(Long.MAX_VALUE),
                ClientId.ofCalls(new ReplicaId(0), 0),
                ClientId.ofCalls(replica, ClientId.CALLS - 1)))
        .allMatch(ClientId::isOfCallers);
    assertThat(
            List.of(
                ClientId.ofTicks(replica, new ComponentId(0)),
                ClientId.ofTicks(replica, new ComponentId((1L << 32) - 1)),
                ClientId.ofVotes(replica),
                ClientId.ofEffects(replica),
                ClientId.ofSchedules(replica)))
        .noneMatch(ClientId::isOfCallers);
  }

  @Test
  void the_id_of_a_client_belongs_to_no_replica() {
    assertThat(new ClientId(0).belongsTo(new ReplicaId(0))).isFalse();
    assertThat(new ClientId(17).belongsTo(new ReplicaId(17))).isFalse();
  }
}
