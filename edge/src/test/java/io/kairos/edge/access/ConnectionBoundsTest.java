package io.kairos.edge.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionBoundsTest {
  private final ConnectionBounds.Unread bound = new ConnectionBounds.Unread();
  private final EmbeddedChannel connection = new EmbeddedChannel(bound);

  private void answersWait() {
    var _ = connection.write(Unpooled.wrappedBuffer(new byte[5 << 20]));
    connection.pipeline().fireChannelReadComplete();
  }

  private void answersAreRead() {
    connection.flush();
    connection.advanceTimeBy(1, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
  }

  @Test
  void a_connection_is_not_read_while_its_answers_wait() {
    assertThat(connection.config().isAutoRead()).isTrue();

    answersWait();
    assertThat(connection.config().isAutoRead()).isFalse();

    answersAreRead();
    assertThat(connection.config().isAutoRead()).isTrue();
  }

  @Test
  void armeria_does_not_begin_to_read_while_answers_wait() {
    connection.config().setAutoRead(false); // a body waits
    answersWait();

    connection.config().setAutoRead(true); // it does no longer
    assertThat(connection.config().isAutoRead()).isFalse();

    answersAreRead();
    assertThat(connection.config().isAutoRead()).isTrue();
  }

  @Test
  void what_armeria_has_stopped_stays_so_when_the_answers_are_read() {
    connection.config().setAutoRead(false);

    answersWait();
    answersAreRead();

    assertThat(connection.config().isAutoRead()).isFalse();
  }

  @Test
  void a_connection_that_ends_is_read_no_more() {
    bound.end();
    assertThat(connection.config().isAutoRead()).isFalse();

    connection.config().setAutoRead(true); // a body does no longer wait
    answersAreRead();

    assertThat(connection.config().isAutoRead()).isFalse();
  }
}
