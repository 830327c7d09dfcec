package io.kairos.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeTurnsTest {
  private static final Duration UNSAID = Duration.ZERO;

  @Test
  void nodes_are_asked_in_turn() {
    NodeTurns nodes = new NodeTurns(3);

    assertThat(new int[] {nodes.next(0), nodes.next(0), nodes.next(0), nodes.next(0)})
        .containsExactly(0, 1, 2, 0);
  }

  @Test
  void one_that_failed_rests_longer_each_time_and_is_good_again_when_it_answers() {
    NodeTurns nodes = new NodeTurns(2);

    Duration first = nodes.failed(0, 0, UNSAID);
    Duration second = nodes.failed(0, first.toNanos(), UNSAID);

    assertThat(second).isEqualTo(first.multipliedBy(2));
    assertThat(nodes.rests(0, first.toNanos())).isTrue();
    assertThat(new int[] {nodes.next(0), nodes.next(0), nodes.next(0)}).containsOnly(1);

    nodes.works(0);

    assertThat(nodes.rests(0, 0)).isFalse();
  }

  @Test
  void the_rest_is_bounded_but_as_long_as_the_node_asks() {
    NodeTurns nodes = new NodeTurns(1);
    for (int i = 0; i < 30; i++) {
      nodes.failed(0, 0, UNSAID);
    }

    assertThat(nodes.failed(0, 0, UNSAID)).isEqualTo(Duration.ofSeconds(2));
    assertThat(nodes.failed(0, 0, Duration.ofSeconds(9))).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void when_all_rest_the_one_whose_rest_ends_first_is_asked() {
    NodeTurns nodes = new NodeTurns(2);
    nodes.failed(0, 0, Duration.ofSeconds(3));
    nodes.failed(1, 0, Duration.ofSeconds(1));

    assertThat(nodes.next(0)).isEqualTo(1);
    assertThat(nodes.next(0)).isEqualTo(1);
    assertThat(nodes.allRest(0)).isTrue();
    assertThat(nodes.allRest(Duration.ofSeconds(2).toNanos())).isFalse();
  }

  @Test
  void nodes_that_are_left_out_are_not_asked_even_if_the_others_rest() {
    NodeTurns nodes = new NodeTurns(3);
    nodes.failed(2, 0, Duration.ofSeconds(1));

    assertThat(nodes.next(0, Set.of(0))).isEqualTo(1);
    assertThat(nodes.next(0, Set.of(0, 1))).isEqualTo(2);
  }
}
