package io.kairos.engine.task.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.fairness.FairTurns.Charge;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.EnqueuedTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FairTasksTest {
  private static final Fairness A = new Fairness("a", 1);
  private static final Fairness B = new Fairness("b", 1);

  private static final long PLENTY = Long.MAX_VALUE;

  private final FairTasks tasks = new FairTasks();
  private long lastNumber;

  private EnqueuedTask add(@Nullable Fairness fairness, long triggerMicros) {
    EnqueuedTask task = task(fairness, triggerMicros);
    tasks.add(task);
    return task;
  }

  private EnqueuedTask task(@Nullable Fairness fairness, long triggerMicros) {
    return new EnqueuedTask(
        new FencedTask(TaskId.at(++lastNumber, 0, 0), 1),
        new QueueId(1),
        triggerMicros,
        triggerMicros,
        0,
        null,
        TaskDetails.of(new byte[1]).withFairness(fairness));
  }

  private List<String> keysOf(int next) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < next; i++) {
      Fairness fairness = requireNonNull(tasks.poll()).details().fairness();
      keys.add(fairness == null ? "" : fairness.key());
    }
    return keys;
  }

  @Test
  void keys_take_turns_and_the_earliest_of_each_comes_first() {
    EnqueuedTask second = add(A, 2);
    EnqueuedTask first = add(A, 1);
    EnqueuedTask other = add(B, 3);
    tasks.advance(10);

    assertThat(List.of(requireNonNull(tasks.poll()), requireNonNull(tasks.poll())))
        .containsExactlyInAnyOrder(first, other);
    assertThat(tasks.poll()).isEqualTo(second);
    assertThat(tasks.poll()).isNull();
    assertThat(tasks.size()).isZero();
  }

  @Test
  void the_one_task_of_a_key_waits_for_one_of_the_many_of_another() {
    for (int i = 0; i < 10_000; i++) {
      add(A, i);
    }
    tasks.advance(20_000);
    keysOf(100);

    add(B, 20_000);
    tasks.advance(20_000);

    assertThat(keysOf(2)).contains("b");
  }

  @Test
  void tasks_without_a_key_are_one_turn_taker() {
    for (int i = 0; i < 10; i++) {
      add(null, 1);
      add(A, 1);
      add(B, 1);
    }
    tasks.advance(1);

    List<String> keys = keysOf(15);

    assertThat(keys.stream().filter(""::equals)).hasSize(5);
  }

  @Test
  void what_is_not_due_takes_no_turn() {
    add(A, 1);
    add(A, 50);
    add(A, 2);
    EnqueuedTask later = add(B, 20);
    tasks.advance(10);

    assertThat(keysOf(2)).containsExactly("a", "a");
    assertThat(tasks.peek()).isEqualTo(later);
    tasks.advance(20);
    assertThat(keysOf(2)).containsExactly("b", "a");
  }

  @Test
  void a_task_that_has_not_begun_is_the_next_again() {
    add(A, 1);
    add(A, 2);
    EnqueuedTask only = add(B, 3);
    tasks.advance(10);
    Map<EnqueuedTask, Charge> taken = new HashMap<>();
    for (int i = 0; i < 2; i++) {
      taken.put(requireNonNull(tasks.poll()), requireNonNull(tasks.lastTurn()));
    }

    tasks.giveBack(only, requireNonNull(taken.get(only)));

    assertThat(tasks.poll()).isEqualTo(only);
    assertThat(keysOf(1)).containsExactly("a");
  }

  @Test
  void a_task_that_is_given_back_leaves_the_weight_of_its_key_as_it_is() {
    Fairness heavy = new Fairness("a", 9);
    EnqueuedTask older = add(A, 1);
    for (int i = 0; i < 100; i++) {
      add(B, 1);
    }
    tasks.advance(1);
    assertThat(tasks.poll()).isEqualTo(older);
    Charge charged = requireNonNull(tasks.lastTurn());
    for (int i = 0; i < 100; i++) {
      add(heavy, 2);
    }

    tasks.giveBack(older, charged);
    tasks.advance(2);

    assertThat(keysOf(100).stream().filter("a"::equals).count()).isBetween(89L, 92L);
  }

  @Test
  void the_weight_of_a_key_comes_back_with_its_only_task() {
    EnqueuedTask light = add(A, 1);
    EnqueuedTask last = add(new Fairness("a", 9), 2);
    tasks.advance(2);
    assertThat(tasks.poll()).isEqualTo(light);
    Charge charged = requireNonNull(tasks.lastTurn());
    assertThat(tasks.poll()).isEqualTo(last);
    assertThat(charged.weight()).isEqualTo(9);

    tasks.giveBack(light, charged);
    add(B, 1);

    assertThat(tasks.isBelowShare(B, 20, PLENTY)).isTrue();
    assertThat(tasks.full(10, PLENTY, 9)).containsExactly("b");
  }

  @Test
  void a_task_that_took_no_turn_has_none_to_give_back() {
    add(A, 50);
    EnqueuedTask later = requireNonNull(tasks.poll());
    assertThat(tasks.lastTurn()).isNull();

    tasks.giveBack(later, tasks.lastTurn());

    assertThat(tasks.poll()).isEqualTo(later);
  }

  @Test
  void shortening_leaves_each_key_its_share() {
    for (int i = 0; i < 90; i++) {
      add(A, i);
    }
    EnqueuedTask last = null;
    for (int i = 0; i < 10; i++) {
      last = add(B, 1_000 + i);
    }
    tasks.advance(50);

    List<EnqueuedTask> rest = tasks.shorten(30);

    assertThat(rest).hasSize(70).doesNotContain(requireNonNull(last));
    assertThat(tasks.size()).isEqualTo(30);
    assertThat(byKey(tasks.all())).isEqualTo(Map.of("a", 20L, "b", 10L));
    assertThat(tasks.shorten(0)).hasSize(30);
    assertThat(tasks.poll()).isNull();
  }

  private static Map<String, Long> byKey(List<EnqueuedTask> some) {
    return some.stream()
        .collect(
            Collectors.groupingBy(
                task -> requireNonNull(task.details().fairness()).key(), Collectors.counting()));
  }

  @Test
  void a_key_is_full_when_it_has_its_share_by_weight() {
    for (int i = 0; i < 60; i++) {
      add(A, 1);
    }
    assertThat(tasks.full(61, PLENTY, 9)).isEmpty();
    assertThat(tasks.full(60, PLENTY, 9)).containsExactly("a");

    Fairness heavy = new Fairness("heavy", 2);
    assertThat(tasks.isBelowShare(heavy, 60, PLENTY)).isTrue();
    for (int i = 0; i < 39; i++) {
      add(heavy, 1);
    }
    assertThat(tasks.isBelowShare(heavy, 60, PLENTY)).isTrue();
    add(heavy, 1);
    assertThat(tasks.isBelowShare(heavy, 60, PLENTY)).isFalse();
    assertThat(tasks.full(60, PLENTY, 9)).isEqualTo(Set.of("a", "heavy"));
    assertThat(tasks.full(60, PLENTY, 1)).containsExactly("a");
    assertThat(tasks.isBelowShare(heavy, 1_000, 39)).isFalse();
    assertThat(tasks.full(1_000, 59, 9)).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothing_is_lost_and_each_key_keeps_its_order(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Map<TaskId, EnqueuedTask> model = new HashMap<>();
    List<EnqueuedTask> out = new ArrayList<>();
    Map<EnqueuedTask, Charge> charged = new HashMap<>();
    long now = 0;
    for (int i = 0; i < 3_000; i++) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          int key = random.nextInt(5);
          EnqueuedTask task =
              add(
                  key == 0 ? null : new Fairness("key " + key, 1 + random.nextInt(5)),
                  now + random.nextInt(20) - 10);
          model.put(task.task().id(), task);
        }
        case 3, 4 -> {
          EnqueuedTask task = tasks.poll();
          assertThat(task == null).isEqualTo(model.isEmpty());
          if (task != null) {
            assertThat(model.remove(task.task().id())).isEqualTo(task);
            assertThat(model.values())
                .as("seed %d", seed)
                .noneMatch(other ->
                    isOfSameKey(task, other) && other.triggerMicros() < task.triggerMicros());
            out.add(task);
            Charge turn = tasks.lastTurn();
            if (turn != null) {
              charged.put(task, turn);
            }
          }
        }
        case 5 -> {
          if (!out.isEmpty()) {
            EnqueuedTask task = out.remove(random.nextInt(out.size()));
            if (random.nextBoolean()) {
              tasks.giveBack(task, charged.remove(task));
              model.put(task.task().id(), task);
            } else {
              tasks.notBegun(charged.remove(task));
            }
          }
        }
        case 6 -> tasks.advance(now += random.nextInt(10));
        default -> {
          int size = random.nextInt(30);
          int before = tasks.size();
          List<EnqueuedTask> rest = tasks.shorten(size);
          assertThat(rest).hasSize(Math.max(0, before - size));
          rest.forEach(task -> model.remove(task.task().id()));
        }
      }

      assertThat(tasks.size()).isEqualTo(model.size());
      assertThat(tasks.peek() == null).isEqualTo(model.isEmpty());
    }
    assertThat(tasks.all()).containsExactlyInAnyOrderElementsOf(model.values());
  }

  private static boolean isOfSameKey(EnqueuedTask one, EnqueuedTask other) {
    Fairness a = one.details().fairness();
    Fairness b = other.details().fairness();
    return a == null ? b == null : b != null && a.key().equals(b.key());
  }
}
