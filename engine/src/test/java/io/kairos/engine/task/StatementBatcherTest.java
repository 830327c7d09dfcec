package io.kairos.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.memory.TaskSamples.Heard;
import io.kairos.engine.task.memory.TaskSamples.Signals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests here are lists of numbers, and their answer is the list itself. */
class StatementBatcherTest {
  private static final int MAX_PENDING = 10;
  private static final int MAX_BATCH = 4;

  private final Signals wakeup = new Signals();
  private final List<List<List<Integer>>> batches = new ArrayList<>();
  private RuntimeException trouble = new StoreUnavailable("for the test");
  private boolean fails;
  private final StatementBatcher<List<Integer>, List<Integer>> batcher =
      new StatementBatcher<>(
          new StatementBatcher.Bounds(MAX_PENDING, MAX_BATCH, 100_000_000, 30_000_000),
          List::size,
          request -> request.stream().mapToLong(StatementBatcherTest::bytes).sum(),
          this::work,
          wakeup);

  /** Large numbers stand for requests of so many bytes, small ones for requests of none. */
  private static long bytes(int number) {
    return number < 1_000_000 ? 0 : number;
  }

  private List<List<Integer>> work(List<List<Integer>> requests) {
    if (fails) {
      throw trouble;
    }
    batches.add(requests);
    return requests;
  }

  private Heard<List<Integer>> offered(Integer... items) {
    Heard<List<Integer>> answer = new Heard<>();
    assertThat(batcher.offer(List.of(items), answer)).isTrue();
    return answer;
  }

  @Test
  void what_has_come_is_one_batch_in_its_order_and_each_gets_its_own_answer() {
    Heard<List<Integer>> one = offered(1);
    Heard<List<Integer>> two = offered(2, 3);
    assertThat(wakeup.count).isEqualTo(2);

    assertThat(batcher.runOnce().after()).isZero();
    assertThat(batches).containsExactly(List.of(List.of(1), List.of(2, 3)));
    assertThat(one.value).containsExactly(1);
    assertThat(two.value).containsExactly(2, 3);
    assertThat(batcher.isEmpty()).isTrue();
    assertThat(batcher.runOnce().after()).isPositive();
  }

  @Test
  void a_batch_is_bounded_and_splits_no_request() {
    offered(1, 2, 3);
    offered(4, 5);
    offered(6);
    Heard<List<Integer>> large = offered(7, 8, 9, 10);

    batcher.runOnce();
    batcher.runOnce();
    assertThat(large.isAnswered()).isFalse();
    batcher.runOnce();

    assertThat(batches)
        .containsExactly(
            List.of(List.of(1, 2, 3)),
            List.of(List.of(4, 5), List.of(6)),
            List.of(List.of(7, 8, 9, 10)));
  }

  @Test
  void a_batch_is_bounded_in_bytes_as_well() {
    offered(20_000_000);
    offered(10_000_000);
    offered(1_000_000);

    batcher.runOnce();
    batcher.runOnce();

    assertThat(batches)
        .containsExactly(
            List.of(List.of(20_000_000), List.of(10_000_000)), List.of(List.of(1_000_000)));
  }

  @Test
  void what_waits_is_bounded_in_bytes_until_the_store_has_answered() {
    offered(90_000_000);
    assertThat(batcher.offer(List.of(11_000_000), new Heard<>())).isFalse();
    offered(10_000_000);

    batcher.runOnce();
    assertThat(batcher.offer(List.of(91_000_000), new Heard<>())).isFalse();
    batcher.runOnce();
    offered(500_000_000);
  }

  @Test
  void a_request_larger_than_every_bound_is_taken_when_nothing_else_waits() {
    Heard<List<Integer>> huge = offered(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    Heard<List<Integer>> refused = new Heard<>();
    assertThat(batcher.offer(List.of(13), refused)).isFalse();

    batcher.runOnce();
    assertThat(huge.value).hasSize(12);
    assertThat(refused.isAnswered()).isFalse();
    offered(14);
  }

  @Test
  void full_is_judged_by_items_that_wait() {
    offered(1, 2, 3, 4, 5, 6);
    Heard<List<Integer>> more = new Heard<>();
    assertThat(batcher.offer(List.of(7, 8, 9, 10, 11), more)).isFalse();
    assertThat(batcher.offer(List.of(7, 8, 9, 10), more)).isTrue();
    assertThat(batcher.offer(List.of(12), new Heard<>())).isFalse();

    batcher.runOnce();
    offered(12);
  }

  @Test
  void trouble_fails_its_batch_alone_and_is_thrown_to_the_loop() {
    Heard<List<Integer>> first = offered(1, 2, 3);
    Heard<List<Integer>> second = offered(4, 5);
    fails = true;

    assertThatThrownBy(batcher::runOnce).isSameAs(trouble);
    assertThat(first.failure).isSameAs(trouble);
    assertThat(second.isAnswered()).isFalse();

    fails = false;
    batcher.runOnce();
    assertThat(second.value).containsExactly(4, 5);
  }

  @Test
  void a_closed_one_takes_nothing_and_still_does_what_waits() {
    Heard<List<Integer>> waiting = offered(1);
    batcher.close();
    Heard<List<Integer>> late = offered(2);

    assertThat(late.failure).isInstanceOf(NodeStopping.class);
    assertThat(batcher.isEmpty()).isFalse();
    batcher.runOnce();
    assertThat(waiting.value).containsExactly(1);
    assertThat(batcher.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatever_comes_is_answered_once_and_in_order(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Deque<Heard<List<Integer>>> waiting = new ArrayDeque<>();
    Deque<List<Integer>> asked = new ArrayDeque<>();
    int items = 0;
    for (int i = 0; i < 2_000; i++) {
      if (random.nextInt(3) > 0) {
        List<Integer> request = new ArrayList<>();
        for (int n = random.nextInt(6) + 1; n > 0; n--) {
          request.add(i);
        }
        Heard<List<Integer>> answer = new Heard<>();
        boolean fits = items == 0 || items + request.size() <= MAX_PENDING;
        assertThat(batcher.offer(request, answer)).isEqualTo(fits);
        if (fits) {
          waiting.add(answer);
          asked.add(request);
          items += request.size();
        }
      } else {
        fails = random.nextInt(4) == 0;
        try {
          batcher.runOnce();
        } catch (StoreUnavailable e) {
          assertThat(fails).isTrue();
        }
        int done = 0;
        while (!waiting.isEmpty() && waiting.getFirst().isAnswered()) {
          Heard<List<Integer>> answer = waiting.removeFirst();
          List<Integer> request = asked.removeFirst();
          done += request.size();
          if (!fails) {
            assertThat(answer.value).isEqualTo(request);
          }
        }
        items -= done;
        assertThat(waiting).noneMatch(Heard::isAnswered);
        if (!asked.isEmpty()) {
          assertThat(done + asked.getFirst().size()).isGreaterThan(MAX_BATCH);
        }
      }
      assertThat(batcher.isEmpty()).isEqualTo(waiting.isEmpty());
    }
  }
}
