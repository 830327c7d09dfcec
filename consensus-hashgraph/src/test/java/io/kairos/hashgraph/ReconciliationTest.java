package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReconciliationTest extends EventsOfAGraph {
  @Test
  void two_who_know_none_of_each_others_last_events_find_what_they_share() {
    List<Event> shared = chain(List.of(), 200, 1);
    List<Event> ours = chain(shared, 30, 2);
    Reconciliation here = reconciliation(graph(ours));
    Reconciliation other = reconciliation(graph(chain(shared, 30, 3)));
    List<Event> lacked =
        here.lackedWith(
            asking(other.names(OTHER, PeerMessage.MOST_NAMES)), Integer.MAX_VALUE, 1_000);

    assertThat(lacked)
        .isEqualTo(ours.subList(166, 230)); // the other names its 64th before the last
    assertThat(here.lackedWith(asking(List.of()), Integer.MAX_VALUE, 1_000)).isEqualTo(ours);
    assertThat(here.lackedWith(asking(List.of(ours.getLast().hash())), 1_000_000, 1_000)).isEmpty();
  }

  @Test
  void what_another_has_sent_is_not_sent_again_however_many_chains_there_are() {
    List<Event> first = chain(List.of(), 300, 1);
    List<Event> second = chain(List.of(), 100, 2);
    EventGraph one = graph(first);
    EventGraph other = graph(first);
    second.forEach(event -> one.add(event, 1, true));
    second.forEach(event -> other.add(event, 1, true));
    one.add(event(OTHER, 1, 3, first.getLast()), 1, true);
    one.add(event(THIRD, 1, 4, second.getLast()), 1, true);
    List<Event> lacked =
        List.of(event(OTHER, 1, 5, first.getLast()), event(THIRD, 1, 6, second.getLast()));
    lacked.forEach(event -> other.add(event, 1, true));

    Reconciliation asking = reconciliation(one);
    Reconciliation asked = reconciliation(other);
    for (int i = 0; i < 9; i++) {
      PeerMessage.Sync question = asking(asking.names(OTHER, PeerMessage.MOST_NAMES));
      for (Event event : asked.lackedWith(question, Integer.MAX_VALUE, PeerMessage.MOST_EVENTS)) {
        if (!one.has(event.hash())) {
          one.add(event, 1, true);
        }
        asking.sent(event.hash(), OTHER);
      }
    }
    assertThat(lacked).allMatch(event -> one.has(event.hash()));
  }
}
