package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.Origin;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
  private static final ReplicaId TWO = new ReplicaId(2);

  @Test
  void a_request_comes_out_of_the_log_as_it_went_in() {
    Envelope read =
        Envelope.decode(
                ByteBuffer.wrap(Envelope.encode(TWO, new ClientId(-7), 9, new byte[] {1, 2})))
            .orElseThrow();

    assertThat(read.origin()).isEqualTo(new Origin(new ClientId(-7), 9, TWO));
    assertThat(read.command()).containsExactly(1, 2);
  }

  @Test
  void what_is_no_request_is_passed_over() {
    byte[] good = Envelope.encode(TWO, new ClientId(7), 9, new byte[0]);
    for (int length = 0; length < good.length; length++) {
      assertThat(Envelope.decode(ByteBuffer.wrap(good, 0, length))).isEmpty();
    }
    byte[] ofNobody = good.clone();
    ofNobody[1] = -1;
    assertThat(Envelope.decode(ByteBuffer.wrap(ofNobody))).isEmpty();
    byte[] ofLater = good.clone();
    ofLater[0]++;
    assertThat(Envelope.decode(ByteBuffer.wrap(ofLater))).isEmpty();
    assertThat(
            Envelope.decode(ByteBuffer.wrap(Envelope.encode(TWO, new ClientId(7), 0, new byte[0]))))
        .isEmpty();
  }
}
