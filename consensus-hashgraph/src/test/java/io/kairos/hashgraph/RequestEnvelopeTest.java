package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import org.junit.jupiter.api.Test;

class RequestEnvelopeTest {
  private static final ReplicaId CREATOR = new ReplicaId(2);
  private static final ReplicaId OTHER = new ReplicaId(3);

  @Test
  void a_request_comes_from_the_creator_of_its_event() {
    byte[] bytes = RequestEnvelope.encode(new ClientId(5), 7, new byte[] {1, 2});
    RequestEnvelope envelope = RequestEnvelope.decode(CREATOR, bytes).orElseThrow();

    assertThat(envelope.origin().replica()).isEqualTo(CREATOR);
    assertThat(envelope.origin().client()).isEqualTo(new ClientId(5));
    assertThat(envelope.origin().request()).isEqualTo(7);
    assertThat(envelope.command()).containsExactly(1, 2);
  }

  @Test
  void nobody_makes_ticks_votes_or_calls_in_the_name_of_another() {
    ComponentId component = new ComponentId(9);
    byte[] tick = RequestEnvelope.encode(ClientId.ofTicks(OTHER, component), 1, new byte[1]);
    byte[] vote = RequestEnvelope.encode(ClientId.ofVotes(OTHER), 1, new byte[1]);
    byte[] call = RequestEnvelope.encode(ClientId.ofCalls(OTHER, 5), 1, new byte[1]);

    assertThat(RequestEnvelope.decode(CREATOR, tick)).isEmpty();
    assertThat(RequestEnvelope.decode(CREATOR, vote)).isEmpty();
    assertThat(RequestEnvelope.decode(CREATOR, call)).isEmpty();
    assertThat(RequestEnvelope.decode(OTHER, tick)).isPresent();
    assertThat(RequestEnvelope.decode(OTHER, call)).isPresent();
  }

  @Test
  void other_bytes_are_no_request() {
    assertThat(RequestEnvelope.decode(CREATOR, new byte[0])).isEmpty();
    assertThat(RequestEnvelope.decode(CREATOR, new byte[40])).isEmpty();
    byte[] zero = RequestEnvelope.encode(new ClientId(5), 0, new byte[1]);
    assertThat(RequestEnvelope.decode(CREATOR, zero)).isEmpty();
  }
}
