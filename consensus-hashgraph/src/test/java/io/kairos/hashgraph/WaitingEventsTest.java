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
    assertThat(waiting.add(first, false, _ -> true)).isTrue();
    int fit = 1;
    while (waiting.add(event(1, fit), false, _ -> true)) {
      fit++;
    }
    assertThat(fit).isEqualTo(MOST_BYTES / (first.size() + EventGraph.EVENT_OVERHEAD));
    assertThat(waiting.add(event(2, 0), false, _ -> true)).isTrue();

    waiting.remove(first);
    waiting.remove(first);
    assertThat(waiting.add(event(1, 1_000), false, _ -> true)).isTrue();
    assertThat(waiting.add(event(1, 1_001), false, _ -> true)).isFalse();
  }

  @Test
  void the_ancestors_of_what_is_needed_are_needed_and_found_once() {
    Event oldest = event(1, 0);
    Event older = event(1, 1, oldest);
    Event needed = event(2, 2, older);
    Event other = event(3, 3, older);
    List.of(oldest, older, needed, other).forEach(each -> waiting.add(each, false, _ -> true));
    assertThat(waiting.isNeeded(oldest)).isFalse();

    assertThat(waiting.need(needed)).containsExactly(older, oldest);
    assertThat(waiting.isNeeded(oldest)).isTrue();
    assertThat(waiting.need(other)).isEmpty();
  }

  @Test
  void what_comes_after_its_needed_child_is_needed() {
    Event late = event(1, 0);
    Event needed = event(2, 1, late);
    waiting.add(needed, false, _ -> true);
    waiting.need(needed);

    assertThat(waiting.isNeeded(late)).isTrue();
    assertThat(waiting.childrenOf(late.hash())).containsExactly(needed);
    waiting.remove(needed);
    assertThat(waiting.isNeeded(late)).isFalse();
  }

  @Test
  void what_may_be_accepted_displaces_what_may_not_and_nothing_else() {
    Event first = event(1, 0);
    Event refused = event(1, 1);
    Event ofAnother = event(2, 2);
    waiting.add(first, false, _ -> true);
    waiting.add(refused, false, _ -> false);
    waiting.add(ofAnother, false, _ -> false);
    int last = 3;
    while (waiting.add(event(1, last), false, _ -> false)) {
      last++;
    }
    Event next = event(1, last);

    assertThat(waiting.add(next, true, each -> each.equals(first) || each.equals(next))).isTrue();
    assertThat(List.of(first, next, ofAnother)).allMatch(each -> waiting.has(each.hash()));
    assertThat(waiting.has(refused.hash())).isFalse();
  }
}
