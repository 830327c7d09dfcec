package io.kairos.edge.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TlsHandshakeTest {
  private final EmbeddedChannel connection =
      new EmbeddedChannel(
          new TlsHandshake(() -> Instant.EPOCH, new HandshakeFailures(new SimpleMeterRegistry())));

  private void passFiveSeconds() {
    connection.advanceTimeBy(5, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
  }

  @Test
  void a_handshake_that_does_not_complete_ends_its_connection() {
    passFiveSeconds();
    assertThat(connection.isOpen()).isTrue();

    passFiveSeconds();

    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void a_connection_whose_handshake_is_complete_stays() {
    connection.pipeline().fireUserEventTriggered(SslHandshakeCompletionEvent.SUCCESS);

    passFiveSeconds();
    passFiveSeconds();

    assertThat(connection.isOpen()).isTrue();
  }
}
