package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EventGraphTest extends EventsOfAGraph {
  @Test
  void two_events_in_one_place_are_a_fork_and_the_forker_is_named_no_more() {
    Event first = event(1, 1);
    EventGraph graph = graph(List.of(first, event(1, 2, first)));
    assertThat(graph.forkers()).isEmpty();
    assertThat(graph.freshHeads()).hasSize(1);

    graph.add(event(1, 3, first), 1, true);
    assertThat(graph.forkers()).containsExactly(CREATOR);
    assertThat(graph.freshHeads()).isEmpty();
    graph.clear();
    assertThat(graph.forkers()).containsExactly(CREATOR);
  }

  @Test
  void one_who_begins_again_after_all_it_made_is_ancient_has_not_forked() {
    EventGraph graph = graph(List.of(event(1, 1)));
    graph.add(event(30, 2), 2, true);
    assertThat(graph.forkers()).isEmpty();

    graph.add(event(30, 3), 30, true); // its last one is not ancient
    assertThat(graph.forkers()).containsExactly(CREATOR);
  }

  /** An event that says of its parent that it was born in the first round. */
  private Event belying(long birthRound, long coin, Event parent) {
    Event truth = event(birthRound, coin, parent);
    List<Event.Parent> parents = List.of(new Event.Parent(CREATOR, 1, parent.hash()));
    Event.Body body =
        new Event.Body(
            CREATOR, birthRound, truth.body().created(), coin, parents, List.of(new byte[1]));
    return Event.sign(body, "cluster", keys);
  }

  @Test
  void a_parent_of_which_an_event_says_falsely_that_it_is_ancient_is_none() {
    Event first = event(30, 1);
    Event second = belying(30, 2, first);
    EventGraph graph = graph(List.of(first));
    assertThat(graph.disagreement(second, 2)).isEmpty();
    graph.add(second, 2, true);
    assertThat(graph.forkers()).containsExactly(CREATOR);
    assertThat(
            reconciliation(graph).lackedWith(asking(List.of(second.hash())), Integer.MAX_VALUE, 9))
        .containsExactly(first);

    EventGraph reversed = new EventGraph(config);
    reversed.add(second, 2, true);
    reversed.add(first, 2, true);
    assertThat(reversed.forkers()).containsExactly(CREATOR);
    assertThat(
            reconciliation(reversed)
                .lackedWith(asking(List.of(second.hash())), Integer.MAX_VALUE, 9))
        .containsExactly(first);
  }

  @Test
  void nobody_is_named_who_is_shown_to_have_forked_by_the_ancestors_of_an_event() {
    Event one = event(2, 1);
    Event other = event(2, 2);
    Event byOther = event(OTHER, 2, 3, one);
    Event byThird = event(THIRD, 2, 4, other);
    EventGraph graph = graph(List.of(one, other, byOther, byThird));
    Event next = event(OTHER, 2, 5, byOther, other);
    assertThat(graph.disagreement(next, 1)).contains(Occurrence.PARENT_MISMATCH);
    assertThat(graph.disagreement(next, 3)).isEmpty();
    assertThat(graph.disagreement(event(2, 6, one, byThird), 1)).isEmpty();
    assertThat(graph.disagreement(event(OTHER, 2, 7, byOther, event(2, 8, one)), 1))
        .contains(Occurrence.PARENT_MISMATCH); // which is not here

    Event both = event(OTHER, 2, 9, byOther, byThird);
    assertThat(graph.disagreement(both, 1)).isEmpty();
    graph.add(both, 1, true);
    Event later = event(2, 10, other);
    graph.add(later, 1, false);
    assertThat(graph.disagreement(event(THIRD, 2, 11, byThird, later), 1)).isEmpty();
    assertThat(graph.disagreement(event(THIRD, 2, 12, byThird, later, both), 1))
        .contains(Occurrence.PARENT_MISMATCH);
  }

  @Test
  void events_of_a_forker_are_passed_on_with_what_builds_on_them_and_named_to_those_who_did() {
    Event one = event(1, 1);
    Event fork = event(1, 2);
    EventGraph graph = graph(List.of(one, fork));
    Reconciliation reconciliation = reconciliation(graph);
    Event late = event(1, 3, fork);
    Event later = event(1, 4, late);
    Event honest = event(THIRD, 1, 5, one);
    assertThat(graph.add(late, 1, false)).isEmpty();
    assertThat(graph.add(honest, 1, true)).containsExactly(honest);
    assertThat(graph.add(later, 1, false)).isEmpty();
    assertThat(graph.undecided()).isEqualTo(3);
    reconciliation.sent(late.hash(), OTHER);
    reconciliation.sent(later.hash(), OTHER);
    reconciliation.sent(late.hash(), OTHER);
    assertThat(reconciliation.names(OTHER, 9)).contains(later.hash()).doesNotContain(late.hash());
    assertThat(reconciliation.names(THIRD, 9)).doesNotContain(later.hash());
    assertThat(reconciliation.lackedWith(asking(List.of()), 99_999, 9))
        .containsExactly(one, fork, honest);

    Event backing = event(OTHER, 1, 6, later);
    assertThat(graph.add(backing, 1, true)).containsExactly(late, later, backing);
    assertThat(graph.undecided()).isEqualTo(6);
    assertThat(graph.feed(honest.hash()))
        .extracting(EventGraph.Fed::event)
        .containsExactly(one, honest);
    assertThat(graph.feed(backing.hash()))
        .extracting(EventGraph.Fed::event)
        .containsExactly(fork, late, later, backing);
    assertThat(graph.feed(backing.hash())).isEmpty();
    assertThat(reconciliation.names(THIRD, 9)).contains(later.hash());
    assertThat(reconciliation.lackedWith(asking(List.of()), 99_999, 9))
        .containsExactly(one, fork, honest, late, later, backing);
  }

  @Test
  void own_events_of_a_round_are_counted_with_what_they_cost_and_heads_that_descend_from_them() {
    Event first = event(config.self(), 2, 1);
    Event other = event(2, 1);
    Event own = event(config.self(), 2, 2, first, other);
    EventGraph graph = graph(List.of(first, other, own));
    long cost = first.size() + own.size();
    assertThat(graph.ownChain(2))
        .isEqualTo(
            new EventGraph.Chain(
                2, cost + 2 * (EventGraph.EVENT_OVERHEAD + EventGraph.REQUEST_OVERHEAD)));
    assertThat(graph.ownChain(3)).isEqualTo(EventGraph.Chain.NONE);

    Event late = event(2, 3, other, first);
    graph.add(late, 1, true);
    assertThat(graph.afterOwn(graph.freshHeads())).isZero();
    Event third = event(THIRD, 2, 4, own);
    graph.add(third, 1, true);
    graph.add(event(2, 5, late, third), 1, true);
    assertThat(graph.freshHeads()).hasSize(2);
    assertThat(graph.afterOwn(graph.freshHeads())).isEqualTo(2);
  }

  @Test
  void what_is_not_backed_is_forgotten_when_it_is_ancient() {
    Event one = event(1, 1);
    Event fork = event(1, 2);
    EventGraph graph = graph(List.of(one, fork));
    Event unbacked = event(1, 3);
    graph.add(unbacked, 1, false);
    graph.prune(1, 2);
    assertThat(graph.has(unbacked.hash())).isFalse();
    assertThat(graph.since(0)).containsExactly(one, fork);
  }

  @Test
  void far_events_of_a_chain_are_found() {
    List<Event> chain = chain(List.of(), 300, 1);
    EventGraph graph = graph(chain);
    for (int i = 0; i < 300; i += 23) {
      Event beside = event(THIRD, 1, 400 + i, chain.get(i));
      graph.add(beside, 1, true);
      assertThat(graph.disagreement(event(OTHER, 1, 700 + i, chain.get(299), beside), 1)).isEmpty();
    }
    List<Event> fork = chain(chain.subList(0, 150), 100, 2);
    fork.subList(150, 250).forEach(event -> graph.add(event, 1, false));
    Event byThird = event(THIRD, 1, 1_000, chain.get(149));
    Event beyond = event(THIRD, 1, 1_001, chain.get(150));
    graph.add(byThird, 1, true);
    graph.add(beyond, 1, true);
    assertThat(graph.disagreement(event(OTHER, 1, 1_002, fork.getLast(), byThird), 1)).isEmpty();
    assertThat(graph.disagreement(event(OTHER, 1, 1_003, fork.getLast(), beyond), 1))
        .contains(Occurrence.PARENT_MISMATCH);
  }

  @Test
  void what_is_pruned_is_forgotten_and_undecided_no_more() {
    Event first = event(1, 1);
    Event second = event(2, 2, first);
    EventGraph graph = graph(List.of(first, second));
    assertThat(graph.undecided()).isEqualTo(2);
    graph.prune(2, 2);
    assertThat(graph.has(first.hash())).isFalse();
    assertThat(graph.since(0)).containsExactly(second);
    assertThat(graph.undecided()).isEqualTo(1);
    assertThat(reconciliation(graph).names(OTHER, 9)).containsExactly(second.hash());

    graph.clear();
    assertThat(graph.size()).isZero();
    assertThat(graph.undecided()).isZero();
  }
}
