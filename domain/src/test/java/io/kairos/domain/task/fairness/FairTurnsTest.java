package io.kairos.domain.task.fairness;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
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
    FairTurns.Charge first = charge();

    turns.refund(first);

    assertThat(turns.next()).isEqualTo(first.key());
    serve(1);
    assertThat(turns.next()).isNotEqualTo(first.key());
  }

  @Test
  void what_was_charged_is_given_back_whatever_the_weight_is_by_then() {
    turns.add("a", 1);
    turns.add("b", 1);
    serve(2_000);
    FairTurns.Charge light = charge();
    assertThat(light.key()).isEqualTo("a");
    turns.add("a", 1_000);
    turns.refund(light);
    turns.add("a", 1);

    assertThat(serve(4)).containsExactly("a", "b", "a", "b");

    turns.add("a", 1_000);
    List<FairTurns.Charge> heavy =
        List.of(requireNonNull(turns.served("a")), requireNonNull(turns.served("a")));
    assertThat(heavy).allMatch(charge -> charge.weight() == 1_000);
    turns.add("a", 1);
    heavy.forEach(turns::refund);

    assertThat(serve(4)).containsExactly("a", "b", "a", "b");
  }

  @Test
  void a_key_that_was_without_work_has_saved_up_nothing() {
    turns.add("a", 1);
    turns.add("b", 1);
    List<FairTurns.Charge> taken = new ArrayList<>();
    while (taken.size() < 20) {
      FairTurns.Charge charge = charge();
      if (charge.key().equals("b")) {
        taken.add(charge);
      }
    }
    turns.remove("b");
    serve(1_000);

    taken.forEach(turns::refund);
    turns.add("b", 1);

    assertThat(serve(12).stream().filter("b"::equals).count()).isBetween(6L, 7L);
  }

  /** A limit that holds back nearly all that is taken out. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void after_many_turns_that_came_to_nothing_a_new_key_waits_for_one_turn_of_each(long seed) {
    Random random = new Random(seed);
    int keys = 1 + random.nextInt(20);
    Map<String, Integer> weights = new HashMap<>();
    for (int key = 0; key < keys; key++) {
      weights.put("key " + key, random.nextInt(4) == 0 ? 1 + random.nextInt(50) : 1);
    }
    weights.forEach(turns::add);

    for (int round = 0; round < 50; round++) {
      for (int batch = 0; batch < 20; batch++) {
        List<FairTurns.Charge> taken = new ArrayList<>();
        for (int turn = random.nextInt(100); turn >= 0; turn--) {
          taken.add(charge());
        }
        Collections.shuffle(taken, random);
        taken.stream().skip(random.nextInt(3)).forEach(turns::refund);
      }
      String fresh = "fresh " + round;
      turns.add(fresh, 1);
      Map<String, Integer> before = new HashMap<>();
      while (!fresh.equals(turns.next())) {
        before.merge(serve(1).getFirst(), 1, Integer::sum);
      }
      int last = round;
      before.forEach((key, number) ->
          assertThat(number)
              .as("seed %d, round %d, %s", seed, last, key)
              .isLessThanOrEqualTo(requireNonNull(weights.get(key)) + 1));
      serve(1);
      turns.remove(fresh);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void turns_that_came_to_nothing_change_nothing_for_new_keys(long seed) {
    Random random = new Random(seed);
    FairTurns undisturbed = new FairTurns();
    for (int round = 0; round < 100; round++) {
      int weight = 1 + random.nextInt(5);
      turns.add("key " + round, weight);
      undisturbed.add("key " + round, weight);
      for (int turn = random.nextInt(30); turn >= 0; turn--) {
        for (int pair = random.nextInt(4); pair > 0; pair--) {
          turns.refund(charge());
        }
        String key = requireNonNull(undisturbed.next());
        undisturbed.served(key);
        assertThat(serve(1)).as("seed %d, round %d", seed, round).containsExactly(key);
      }
    }
  }

  /** The virtual time stands still, so that a key which is ahead is remembered. */
  @Test
  void turns_that_come_to_nothing_let_no_key_come_back_before_its_time() {
    turns.add("a", 1);
    turns.add("b", 1);
    turns.add("ahead", 1);
    for (int turn = 0; turn < 50; turn++) {
      turns.served("ahead");
    }
    turns.remove("ahead");

    for (int turn = 0; turn < 10_000; turn++) {
      turns.refund(charge());
    }
    turns.add("ahead", 1);

    assertThat(serve(90)).doesNotContain("ahead");
  }

  private FairTurns.Charge charge() {
    return requireNonNull(turns.served(requireNonNull(turns.next())));
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
