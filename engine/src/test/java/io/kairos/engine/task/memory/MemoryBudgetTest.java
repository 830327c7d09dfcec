package io.kairos.engine.task.memory;

import static io.kairos.engine.task.memory.TaskSamples.MAIL;
import static io.kairos.engine.task.memory.TaskSamples.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueuedTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {
  private static final int MAX_QUEUED = 100;
  private static final int MIB = 1 << 20;
  private static final int MAX_BATCH = 40;
  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final long NOW_MICROS = EpochMicros.of(NOW);
  private static final Fairness MANY = new Fairness("many", 1);
  private static final Fairness FEW = new Fairness("few", 1);
  private static final long LATER = NOW_MICROS + 5_000_000;

  private long nanos;
  private final MemoryBudget budget =
      new MemoryBudget(
          TaskSamples.config(MAX_QUEUED, MIB, 1_000, MAX_BATCH), () -> NOW, () -> nanos);
  private final ReadyQueue queue = queue(1);
  private final ReadyQueue other = queue(2);
  private int lastNumber;

  private ReadyQueue queue(int id) {
    return new ReadyQueue(new QueueId(id), TaskSamples.queue(MAIL, id), budget.newPace());
  }

  private void fill(ReadyQueue some, int tasks, long triggerMicros, int bytes) {
    for (int i = 0; i < tasks; i++) {
      budget.add(some, task(some.id, ++lastNumber, triggerMicros, bytes));
    }
  }

  @Test
  void a_promise_takes_room_until_it_is_filled_or_given_back() {
    assertThat(budget.reserve(queue, 1_000, true, null)).isTrue();
    assertThat(budget.heldBytes()).isEqualTo(1_000);

    budget.unreserve(queue, 1_000);
    assertThat(budget.heldBytes()).isZero();

    assertThat(budget.reserve(queue, 1_000, true, null)).isTrue();
    budget.fill(queue, task(queue.id, 1, NOW_MICROS, 1_000));
    assertThat(budget.heldBytes()).isEqualTo(1_000);
    assertThat(queue.size()).isEqualTo(1);

    budget.take(queue);
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void a_full_queue_is_promised_nothing_and_leaves_the_others_their_room() {
    fill(queue, MAX_QUEUED, NOW_MICROS, 1);

    assertThat(budget.reserve(queue, 1, true, null)).isFalse();
    assertThat(budget.reserve(other, 1, true, null)).isTrue();
  }

  private void fill(Fairness fairness, int tasks, int bytes) {
    for (int i = 0; i < tasks; i++) {
      EnqueuedTask plain = task(queue.id, ++lastNumber, NOW_MICROS, bytes);
      budget.add(
          queue,
          new EnqueuedTask(
              plain.task(),
              queue.id,
              NOW_MICROS,
              NOW_MICROS,
              0,
              null,
              plain.details().withFairness(fairness)));
    }
  }

  @Test
  void a_key_that_fills_the_queue_leaves_room_for_the_share_of_others() {
    fill(MANY, MAX_QUEUED, 1);
    assertThat(budget.reserve(queue, 1, true, MANY)).isFalse();

    assertThat(budget.reserve(queue, 1, true, FEW)).isTrue();
    budget.unreserve(queue, 1);
    fill(FEW, MAX_QUEUED / 2 - 1, 1);
    assertThat(budget.reserve(queue, 1, true, FEW)).isTrue();
    budget.unreserve(queue, 1);
    fill(FEW, 1, 1);

    assertThat(budget.reserve(queue, 1, true, FEW)).isFalse();
    assertThat(budget.reserve(other, 1, true, null)).isTrue();
  }

  @Test
  void a_key_that_takes_its_half_of_the_bytes_leaves_bytes_for_others() {
    fill(MANY, 3, MIB / 5);

    assertThat(budget.reserve(queue, 1, true, MANY)).isFalse();
    assertThat(budget.reserve(queue, MIB / 5 + 1, true, FEW)).isFalse();
    assertThat(budget.reserve(queue, MIB / 5, true, FEW)).isTrue();
  }

  @Test
  void a_queue_never_has_more_than_twice_its_bound() {
    for (int key = 0; key < 3 * MAX_QUEUED; key++) {
      Fairness fairness = new Fairness("key " + key, 1);
      if (budget.reserve(queue, 1, true, fairness)) {
        budget.unreserve(queue, 1);
        fill(fairness, 1, 1);
      }
    }

    assertThat(queue.size()).isEqualTo(2 * MAX_QUEUED);
  }

  @Test
  void the_store_is_asked_for_keys_with_less_than_their_share_first() {
    fill(MANY, 60, 1);
    assertThat(budget.fairRoom(queue)).isEqualTo(new MemoryBudget.FairRoom(Set.of(), 40, 40));

    fill(FEW, 1, 1);
    assertThat(budget.fairRoom(queue))
        .isEqualTo(new MemoryBudget.FairRoom(Set.of(MANY.key()), MAX_BATCH, 39));

    fill(MANY, 100, 1);
    assertThat(budget.fairRoom(queue).others()).isEqualTo(39);
    assertThat(budget.fairRoom(queue).all()).isNegative();
  }

  @ParameterizedTest
  @CsvSource({
    "524288, true, true",
    "524288, false, true",
    "524289, true, true",
    "524289, false, false",
    "1048576, true, true",
    "1048577, true, false"
  })
  void what_is_not_yet_due_takes_half_of_the_bytes_that_are_left(
      int bytes, boolean isDue, boolean granted) {
    assertThat(budget.reserve(queue, bytes, isDue, null)).isEqualTo(granted);
  }

  @Test
  void a_queue_that_is_alone_takes_half_of_the_bytes_and_others_find_some_left() {
    fill(queue, 2, NOW_MICROS, MIB / 4);
    assertThat(budget.room(queue)).isPositive();
    fill(queue, 1, NOW_MICROS, 1);

    assertThat(budget.room(queue)).isZero();
    assertThat(budget.reserve(queue, 1, true, null)).isFalse();
    assertThat(budget.room(other)).isEqualTo(MAX_BATCH);
    assertThat(budget.reserve(other, 1_000, true, null)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 40, true",
    "50, 40, true",
    "51, 40, false",
    "70, 30, false",
    "99, 1, false",
    "100, 0, false"
  })
  void the_room_of_a_queue_with_due_tasks_ends_at_its_bound_and_it_looks_ahead_in_the_first_half(
      int tasks, int room, boolean ahead) {
    fill(queue, tasks, NOW_MICROS, 1);

    assertThat(budget.room(queue)).isEqualTo(tasks == 0 ? MAX_BATCH : room);
    assertThat(budget.mayLookAhead(queue)).isEqualTo(ahead);
  }

  @Test
  void what_is_due_gets_a_little_room_beside_a_memory_full_of_what_is_not() {
    fill(queue, MAX_QUEUED, LATER, MIB / MAX_QUEUED + 1);

    assertThat(budget.bytesLeft()).isZero();
    assertThat(budget.room(queue)).isEqualTo(16);
    assertThat(budget.room(other)).isEqualTo(16);
    assertThat(budget.mayLookAhead(other)).isFalse();
  }

  @Test
  void a_queue_whose_first_task_is_two_seconds_late_is_slow() {
    fill(queue, 1, NOW_MICROS - 2_000_000, 1);
    assertThat(budget.roomForNext(queue)).isEqualTo(MAX_BATCH);

    fill(other, 1, NOW_MICROS - 2_000_001, 1);
    assertThat(budget.roomForNext(other)).isEqualTo(15);
    fill(other, 15, NOW_MICROS, 1);
    assertThat(budget.roomForNext(other)).isZero();
    assertThat(budget.reserve(other, 1, true, null)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"100, 40", "120, 20", "140, 0", "150, 0"})
  void a_full_queue_takes_a_batch_more_of_what_follows_its_tasks(int tasks, int room) {
    fill(queue, tasks, NOW_MICROS, 1);

    assertThat(budget.roomForNext(queue)).isEqualTo(room);
  }

  @Test
  void what_nobody_wants_is_shed_and_what_is_promised_stays() {
    fill(queue, 3, NOW_MICROS, 10);
    budget.reserve(queue, 7, true, null);

    assertThat(budget.shed(queue, true)).isEmpty();
    assertThat(budget.shed(queue, false)).hasSize(3);
    assertThat(budget.heldBytes()).isEqualTo(7);
    assertThat(queue.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void bytes_are_counted_once_and_promises_never_exceed_the_bounds(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<ReadyQueue> queues = List.of(queue, other, queue(3));
    List<EnqueuedTask> promised = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      nanos += random.nextLong(100_000_000);
      ReadyQueue one = queues.get(random.nextInt(queues.size()));
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          EnqueuedTask fresh =
              task(one.id, i, NOW_MICROS + random.nextInt(3) - 1, random.nextInt(MIB / 20));
          boolean isDue = random.nextBoolean();
          long left = budget.bytesLeft();
          if (budget.reserve(one, fresh.details().bytes(), isDue, null)) {
            promised.add(fresh);
            assertThat(fresh.details().bytes())
                .isLessThanOrEqualTo((int) (isDue ? left : left / 2));
            assertThat(one.size()).isLessThanOrEqualTo(MAX_QUEUED);
          }
        }
        case 2 -> {
          if (!promised.isEmpty()) {
            EnqueuedTask first = promised.removeFirst();
            ReadyQueue its = queues.get(first.queue().value() - 1);
            if (random.nextBoolean()) {
              budget.fill(its, first);
            } else {
              budget.unreserve(its, first.details().bytes());
            }
          }
        }
        case 3 -> {
          if (!one.isEmpty()) {
            budget.take(one);
          }
        }
        case 4 -> budget.shorten(one, random.nextInt(MAX_QUEUED));
        default -> budget.shed(one, random.nextInt(4) > 0);
      }

      assertThat(budget.heldBytes())
          .isEqualTo(queues.stream().mapToLong(ReadyQueue::bytes).sum())
          .isBetween(0L, (long) MIB);
      assertThat(budget.room(one)).isBetween(0, MAX_BATCH);
      assertThat(budget.roomForNext(one)).isBetween(0, MAX_BATCH);
    }
  }
}
