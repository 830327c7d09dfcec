package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StrangerRoomTest {
  private static final GossipConfig.Limits LIMITS = GossipConfig.Limits.DEFAULT;

  private final StrangerRoom room = new StrangerRoom(LIMITS);

  private static PeerConnection connection() {
    return new PeerConnection(new Socket(), () -> 0, Duration.ofSeconds(1));
  }

  @Test
  void the_oldest_goes_when_all_places_are_taken_and_one_who_leaves_makes_room() {
    PeerConnection first = connection();
    PeerConnection second = connection();
    assertThat(room.enter(first)).isEmpty();
    assertThat(room.enter(second)).isEmpty();
    for (int i = 2; i < LIMITS.strangers(); i++) {
      assertThat(room.enter(connection())).isEmpty();
    }
    assertThat(room.enter(connection())).contains(first);
    room.leave(second);
    assertThat(room.enter(connection())).isEmpty();
  }

  @Test
  void so_many_come_in_a_second_and_no_more() {
    int accepted = 0;
    while (room.tryAccept(0)) {
      accepted++;
    }
    assertThat(accepted).isBetween(LIMITS.acceptsPerSecond(), LIMITS.acceptsPerSecond() + 1);
    assertThat(room.tryAccept(Duration.ofSeconds(1).toNanos())).isTrue();
  }

  @Test
  void it_is_of_the_host_that_was_found_last() {
    InetAddress host = InetAddress.getLoopbackAddress();
    assertThat(room.isOf(host)).isFalse();
    room.setCalled(host);
    assertThat(room.isOf(host)).isTrue();
  }
}
