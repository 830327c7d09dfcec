package io.kairos.domain.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TopicName;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostedIdTest {
  private static final long NOW = 1_900_000_000_000L;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 77, (1 << 20) - 1})
  void an_id_says_its_route_whatever_chance_brings(int number) {
    for (long random : new long[] {0, -1, 0x1234_5678_9ABC_DEF0L}) {
      PostedId id = PostedId.at(NOW, new RouteId(number), random);

      assertThat(PostedId.isOne(id.value())).isTrue();
      assertThat(id.route()).isEqualTo(new RouteId(number));
      assertThat(new PostedId(UUID.fromString(id.message().value()))).isEqualTo(id);
    }
  }

  @Test
  void ids_of_the_same_moment_differ_by_chance_and_later_ones_sort_after() {
    RouteId route = new RouteId(3);
    PostedId first = PostedId.at(NOW, route, 1);

    assertThat(PostedId.at(NOW, route, 2)).isNotEqualTo(first);
    assertThat(PostedId.at(NOW + 1, route, 0).toString()).isGreaterThan(first.toString());
  }

  @Test
  void what_comes_again_under_its_key_has_the_same_id_and_nothing_else_has() {
    RouteId route = new RouteId(3);
    PostedId first = PostedId.once(NOW, route, null, "beat/1-10-77");

    assertThat(PostedId.once(NOW, route, null, "beat/1-10-77")).isEqualTo(first);
    assertThat(first.route()).isEqualTo(route);
    assertThat(
            Set.of(
                first,
                PostedId.once(NOW, route, null, "beat/1-10-78"),
                PostedId.once(NOW + 1, route, null, "beat/1-10-77"),
                PostedId.once(NOW, new RouteId(4), null, "beat/1-10-77"),
                PostedId.once(NOW, route, new TopicName("orders"), "beat/1-10-77"),
                PostedId.once(NOW, route, new TopicName("bills"), "beat/1-10-77")))
        .hasSize(6);
  }

  @Test
  void the_id_of_a_task_is_none() {
    assertThat(PostedId.isOne(TaskId.at(NOW, -1, -1).value())).isFalse();
    assertThatThrownBy(() -> PostedId.at(NOW, new RouteId(1 << 20), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
