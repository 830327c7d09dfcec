package io.kairos.domain.task.fairness;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FairTurnsTest {
  private final FairTurns turns = new FairTurns();
  private final Map<String, Integer> served = new HashMap<>();

  @Test
  void equal_keys_take_turns() {
    turns.add("a", 1);
    turns.add("b", 1);
    turns.add("c", 1);

    assertThat(serve(6)).containsExactly("a", "b", "c", "a", "b", "c");
  }

  @Test
  void a_heavier_key_has_more_turns_and_they_are_spread() {
    turns.add("a", 3);
    turns.add("b", 1);

    assertThat(serve(40).stream().filter("a"::equals)).hasSize(30);
    for (int first = 0; first < 9; first++) {
      assertThat(serve(4)).containsOnlyOnce("b");
    }
  }

  @Test
  void a_key_that_comes_with_its_first_work_waits_for_one_turn_of_another() {
    turns.add("a", 1);
    serve(1_000_000);

    turns.add("b", 1);

    assertThat(serve(2)).contains("b");
  }

  @Test
  void a_key_that_comes_and_goes_gets_no_more_than_one_that_stays() {
    for (int key = 0; key < 10; key++) {
      turns.add("stays " + key, 1);
    }

    for (int turn = 0; turn < 11_000; turn++) {
      turns.add("comes", 1);
      if (serve(1).contains("comes")) {
        turns.remove("comes");
      }
    }

    assertThat(served.get("comes")).isBetween(995, 1_005);
  }

  @Test
  void keys_that_come_only_once_leave_the_others_their_share() {
    turns.add("stays", 1);

    for (int turn = 0; turn < 1_000; turn++) {
      turns.add("once " + turn, 1);
      serve(1).stream().filter(key -> !key.equals("stays")).forEach(turns::remove);
    }

    assertThat(served.get("stays")).isGreaterThan(1_000 / 60);
  }

  @Test
  void new_keys_one_after_the_other_are_one_competitor() {
    turns.add("stays", 1);
    turns.add("new 0", 1);

    for (int turn = 0; turn < 1_000; turn++) {
      String key = serve(1).getFirst();
      if (!key.equals("stays")) {
        turns.remove(key);
        turns.add("new " + (turn + 1), 1);
      }
    }

    assertThat(served.get("stays")).isBetween(495, 505);
  }

  @Test
  void a_turn_that_comes_to_nothing_is_given_again() {
    turns.add("a", 1);
    turns.add("b", 1);
    List<String> first = serve(1);

    turns.refund(first.getFirst());

    assertThat(turns.next()).isEqualTo(first.getFirst());
    serve(1);
    assertThat(turns.next()).isNotEqualTo(first.getFirst());
  }

  @Test
  void the_last_weight_counts() {
    turns.add("a", 1);
    turns.add("b", 1);
    turns.add("a", 1_000);

    assertThat(serve(1_001).stream().filter("b"::equals).count()).isBetween(1L, 2L);
  }

  @Test
  void without_work_nobody_is_next() {
    turns.add("a", 1);
    turns.remove("a");
    turns.remove("unknown");
    turns.served("a");

    assertThat(turns.next()).isNull();
    assertThat(turns.size()).isZero();
  }

  @Test
  void a_weight_outside_its_range_is_refused() {
    assertThatThrownBy(() -> turns.add("a", 0)).hasMessageContaining("weight");
    assertThatThrownBy(() -> turns.add("a", 1_001)).hasMessageContaining("weight");
  }

  /** The bound of the share: of keys that always have work, none is two turns from its share. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void no_key_is_two_turns_from_its_share(long seed) {
    Random random = new Random(seed);
    int keys = 2 + random.nextInt(60);
    Map<String, Integer> weights = new HashMap<>();
    for (int key = 0; key < keys; key++) {
      weights.put("key " + key, random.nextInt(4) == 0 ? 1 + random.nextInt(1_000) : 1);
    }
    weights.forEach(turns::add);
    long all = weights.values().stream().mapToInt(weight -> weight).sum();

    for (int turn = 1; turn <= 20_000; turn++) {
      serve(1);
      if (turn % 97 == 0) {
        for (Map.Entry<String, Integer> key : weights.entrySet()) {
          double share = (double) turn * key.getValue() / all;
          assertThat(served.getOrDefault(key.getKey(), 0) - share)
              .as("seed %d, turn %d, %s of weight %d", seed, turn, key.getKey(), key.getValue())
              .isLessThan(2)
              .isGreaterThan(-bound(weights));
        }
      }
    }
  }

  /** The turns by which a key may be behind: one of each other key, by its own weight. */
  private static double bound(Map<String, Integer> weights) {
    return 1 + weights.size();
  }

  /** The bound of one turn: the first work of a key, whenever it comes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void a_first_task_waits_for_one_turn_of_each_equal_key(long seed) {
    Random random = new Random(seed);
    int keys = 1 + random.nextInt(20);
    for (int key = 0; key < keys; key++) {
      turns.add("key " + key, 1);
    }

    for (int round = 0; round < 200; round++) {
      serve(random.nextInt(100));
      String fresh = "fresh " + round;
      turns.add(fresh, 1);
      List<String> before = new ArrayList<>();
      while (!fresh.equals(turns.next())) {
        before.addAll(serve(1));
      }
      assertThat(before).as("seed %d, round %d", seed, round).doesNotHaveDuplicates();
      serve(1);
      turns.remove(fresh);
    }
  }

  @Test
  void only_so_many_keys_without_work_are_remembered() {
    turns.add("stays", 1);
    for (int key = 0; key < 2 * FairTurns.MOST_REMEMBERED; key++) {
      String name = "key " + key;
      turns.add(name, 1);
      turns.served(name);
      turns.remove(name);
    }

    assertThat(turns.size()).isOne();
    assertThat(turns.next()).isEqualTo("stays");
  }

  private List<String> serve(int times) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      String key = requireNonNull(turns.next());
      turns.served(key);
      served.merge(key, 1, Integer::sum);
      keys.add(key);
    }
    return keys;
  }
}
