package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeerLinkTest {
  private static final ReplicaId PEER = new ReplicaId(1);
  private static final GossipConfig.Limits LIMITS = GossipConfig.Limits.DEFAULT;
  private static final long SECOND = 1_000_000_000L;
  private static final double SHARE = 0.1;

  private final AtomicLong nanos = new AtomicLong(-SECOND);
  private final LinkFaults faults =
      new LinkFaults(new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE));
  private final PeerLink link = new PeerLink(PEER, LIMITS, SHARE, nanos::get, faults);

  private PeerConnection connection() {
    return new PeerConnection(new Socket(), nanos::get, Duration.ofSeconds(1));
  }

  @Test
  void
      messages_to_one_who_reads_slowly_are_dropped_beyond_a_bound_and_none_wait_for_the_unreached() {
    byte[] message = new byte[1 << 20];
    link.send(message);
    link.begin(connection());
    for (int i = 0; i < 10; i++) {
      link.send(message);
    }

    int fit = LIMITS.outgoingBytes() / (message.length + PeerLink.MESSAGE_OVERHEAD);
    assertThat(faults.of(PEER)).containsOnlyKeys(LinkFault.DROPPED);
    assertThat(faults.of(PEER)).containsEntry(LinkFault.DROPPED, 10L - fit);
  }

  @Test
  void a_message_is_read_when_the_one_before_was_taken_and_is_paid_for() throws IOException {
    PeerConnection connection = connection();
    assertThat(link.tryAdmit(100, connection)).isTrue();
    assertThat(link.tryAdmit(100, connection)).isFalse();

    link.release(SECOND / 2); // of the processor, for which it must wait ten times as long
    assertThat(link.tryAdmit(100, connection)).isFalse();
    nanos.addAndGet(3 * SECOND);
    assertThat(link.tryAdmit(100, connection)).isFalse();
    nanos.addAndGet(2 * SECOND);
    assertThat(link.tryAdmit(100, connection)).isTrue();
  }

  @Test
  void the_bytes_that_are_read_in_a_second_are_bounded() throws IOException {
    PeerConnection connection = connection();
    long read = 0;
    while (link.tryAdmit(1 << 20, connection)) {
      link.release(0);
      read += 1 << 20;
    }
    assertThat(read).isBetween((long) LIMITS.bytesPerSecond(), LIMITS.bytesPerSecond() * 11L / 10);
  }

  @Test
  void a_second_call_ends_the_first() {
    PeerConnection first = connection();
    PeerConnection second = connection();
    link.setCalled(first);
    link.setCalled(second);
    link.clearCalled(first);

    assertThat(link.isHeard()).isTrue();
    assertThatThrownBy(() -> link.tryAdmit(1, first)).isInstanceOf(IOException.class);
  }

  @Test
  void one_who_is_not_reached_is_called_again_after_the_longest_pause_at_the_latest()
      throws InterruptedException {
    long pauses = 0;
    for (int i = 0; i < 10; i++) {
      assertThat(link.awaitCall()).isTrue();
      link.end();
      pauses += LIMITS.reconnect().toNanos();
      nanos.set(-SECOND + pauses); // no longer than the longest pause
    }
    link.close();
    assertThat(link.awaitCall()).isFalse();
  }
}
