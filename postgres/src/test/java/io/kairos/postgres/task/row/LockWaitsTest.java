package io.kairos.postgres.task.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.node.StoreUnavailable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LockWaitsTest {
  private static final Duration LONGEST = Duration.ofMillis(250);

  private final LockWaits waits = new LockWaits();
  private final List<Integer> made = new ArrayList<>();
  private final List<Integer> obstructed = new ArrayList<>();
  private Duration waited = Duration.ZERO;
  private int attempts;

  @Test
  void who_is_in_the_way_is_found_and_the_others_are_done() {
    together(1_000, Set.of(617));

    assertThat(obstructed).containsExactly(617);
    assertThat(made).hasSize(999);
    assertThat(waited).isLessThanOrEqualTo(LONGEST.multipliedBy(2).plusMillis(10));
    assertThat(attempts).isLessThan(25);
  }

  @Test
  void many_that_are_in_the_way_cost_no_more_waiting_than_one_and_a_moment_each() {
    together(64, Set.copyOf(numbers(64)));

    assertThat(obstructed).containsExactlyElementsOf(numbers(64));
    assertThat(waited).isLessThanOrEqualTo(LONGEST.multipliedBy(2).plusMillis(2 * 64));
  }

  @Test
  void waits_of_one_call_add_up() {
    for (int i = 0; i < 50; i++) {
      together(1, Set.of(0));
    }

    assertThat(obstructed).hasSize(50);
    assertThat(waited).isLessThanOrEqualTo(LONGEST.multipliedBy(2).plusMillis(50));
  }

  private void together(int size, Set<Integer> busy) {
    waits.together(
        numbers(size),
        (some, longestWait) -> {
          attempts++;
          if (some.stream().anyMatch(busy::contains)) {
            waited = waited.plus(longestWait);
            throw new StoreUnavailable("it waits", new SQLException("lock timeout", "55P03"));
          }
          made.addAll(some);
        },
        obstructed::add);
  }

  private static List<Integer> numbers(int size) {
    return IntStream.range(0, size).boxed().toList();
  }
}
