package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingEventsTest {
  private static final int MOST_BYTES = 8 << 10;

  private final List<EventKeys> keys = SimulatedKeys.cheap(4, 1);
  private final WaitingEvents waiting =
      new WaitingEvents(new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE), MOST_BYTES);

  private Event event(int creator, long coin, Event... parents) {
    List<Event.Parent> named =
        List.of(parents).stream()
            .map(each -> new Event.Parent(each.creator(), each.birthRound(), each.hash()))
            .toList();
    Event.Body body =
        new Event.Body(new ReplicaId(creator), 1, SimulatedReplica.START, coin, named, List.of());
    return Event.sign(body, "cluster", keys.get(creator));
  }

  @Test
  void each_creator_has_room_for_so_many_bytes_which_come_back() {
    Event first = event(1, 0);
    assertThat(waiting.add(first)).isTrue();
    int fit = 1;
    while (waiting.add(event(1, fit))) {
      fit++;
    }
    assertThat(fit).isEqualTo(MOST_BYTES / (first.size() + EventGraph.EVENT_OVERHEAD));
    assertThat(waiting.add(event(2, 0))).isTrue();

    waiting.remove(first);
    waiting.remove(first);
    assertThat(waiting.add(event(1, 1_000))).isTrue();
    assertThat(waiting.add(event(1, 1_001))).isFalse();
  }

  @Test
  void what_waits_for_an_event_is_found() {
    Event late = event(1, 0);
    Event child = event(2, 1, late);
    waiting.add(child);

    assertThat(waiting.childrenOf(late.hash())).containsExactly(child);
    waiting.remove(child);
    assertThat(waiting.childrenOf(late.hash())).isEmpty();
  }
}
