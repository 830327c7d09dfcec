package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.RequestOrigin;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RequestEnvelopeTest {
  private static final ReplicaId TWO = new ReplicaId(2);

  @Test
  void a_request_comes_out_of_the_log_as_it_went_in() {
    RequestEnvelope read =
        RequestEnvelope.decode(
                ByteBuffer.wrap(
                    RequestEnvelope.encode(TWO, new ClientId(-7), 9, new byte[] {1, 2})))
            .orElseThrow();

    assertThat(read.origin()).isEqualTo(new RequestOrigin(new ClientId(-7), 9, TWO));
    assertThat(read.command()).containsExactly(1, 2);
  }

  @Test
  void what_is_no_request_is_passed_over() {
    byte[] good = RequestEnvelope.encode(TWO, new ClientId(7), 9, new byte[0]);
    for (int length = 0; length < good.length; length++) {
      assertThat(RequestEnvelope.decode(ByteBuffer.wrap(good, 0, length))).isEmpty();
    }
    byte[] ofNobody = good.clone();
    ofNobody[1] = -1;
    assertThat(RequestEnvelope.decode(ByteBuffer.wrap(ofNobody))).isEmpty();
    byte[] ofLater = good.clone();
    ofLater[0]++;
    assertThat(RequestEnvelope.decode(ByteBuffer.wrap(ofLater))).isEmpty();
    assertThat(
            RequestEnvelope.decode(
                ByteBuffer.wrap(RequestEnvelope.encode(TWO, new ClientId(7), 0, new byte[0]))))
        .isEmpty();
  }
}
