package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.domain.task.OrderingKeyPolicy.OnDead;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.OrderingKeyState.Change;
import org.junit.jupiter.api.Test;

class OrderingKeyStateTest {
  private static final TaskId ONE = TaskId.at(1, 0, 0);
  private static final TaskId TWO = TaskId.at(2, 0, 0);
  private static final OrderingKeyPolicy ORDERED = OrderingKeyPolicy.DEFAULT;
  private static final OrderingKeyPolicy BLOCKING =
      new OrderingKeyPolicy(new Ordered(OnDead.BLOCK), null);
  private static final OrderingKeyPolicy TWO_AT_A_TIME =
      new OrderingKeyPolicy(new Parallel(2), null);
  private static final OrderingKeyPolicy RATED =
      new OrderingKeyPolicy(new Parallel(Integer.MAX_VALUE), new Rate(2, 3));
  private static final long NOW = 1_000_000;

  @Test
  void pd18_of_an_ordered_key_only_the_earliest_begins_and_only_when_none_has_begun() {
    OrderingKeyState begun = OrderingKeyState.NEW.begun(ONE, NOW, ORDERED);
    OrderingKeyState retried = begun.after(Change.FAILED_FOR_NOW, ONE, ORDERED);
    OrderingKeyState ended = retried.begun(ONE, NOW, ORDERED).after(Change.ENDED, ONE, ORDERED);

    assertThat(OrderingKeyState.NEW.mayBegin(ONE, true, ORDERED)).isTrue();
    assertThat(OrderingKeyState.NEW.mayBegin(TWO, false, ORDERED)).isFalse();
    assertThat(begun.mayBegin(TWO, true, ORDERED)).isFalse();
    assertThat(retried.mayBegin(TWO, true, ORDERED)).isFalse();
    assertThat(retried.mayBegin(ONE, false, ORDERED)).isTrue();
    assertThat(ended).isEqualTo(OrderingKeyState.NEW);
  }

  @Test
  void new_tasks_are_blocked_where_they_could_not_begin() {
    OrderingKeyState begun = OrderingKeyState.NEW.begun(ONE, NOW, ORDERED);

    assertThat(OrderingKeyState.NEW.blocksNew(true, ORDERED)).isFalse();
    assertThat(OrderingKeyState.NEW.blocksNew(false, ORDERED)).isTrue();
    assertThat(begun.blocksNew(true, ORDERED)).isTrue();
    assertThat(begun.after(Change.FAILED_FOR_NOW, ONE, ORDERED).blocksNew(true, ORDERED)).isTrue();
    assertThat(OrderingKeyState.NEW.blocksNew(false, TWO_AT_A_TIME)).isFalse();
    assertThat(begun.begun(TWO, NOW, TWO_AT_A_TIME).blocksNew(true, TWO_AT_A_TIME)).isTrue();
  }

  @Test
  void pd31_a_dead_head_blocks_its_key_or_not_as_the_policy_says() {
    OrderingKeyState begun = OrderingKeyState.NEW.begun(ONE, NOW, BLOCKING);

    OrderingKeyState blocked = begun.after(Change.FAILED_FOR_GOOD, ONE, BLOCKING);

    assertThat(blocked.blockedBy()).isEqualTo(ONE);
    assertThat(blocked.mayBegin(TWO, true, BLOCKING)).isFalse();
    assertThat(blocked.blocksNew(true, BLOCKING)).isTrue();
    assertThat(blocked.room(BLOCKING)).isZero();
    assertThat(blocked.skipped()).isEqualTo(OrderingKeyState.NEW);
    assertThat(blocked.retried().mayBegin(TWO, true, BLOCKING)).isFalse();
    assertThat(blocked.retried().mayBegin(ONE, false, BLOCKING)).isTrue();
    assertThat(begun.after(Change.FAILED_FOR_GOOD, ONE, ORDERED)).isEqualTo(OrderingKeyState.NEW);
  }

  @Test
  void a_head_that_leaves_is_no_head_any_more() {
    OrderingKeyState retried =
        OrderingKeyState.NEW.begun(ONE, NOW, ORDERED).after(Change.FAILED_FOR_NOW, ONE, ORDERED);

    assertThat(retried.after(Change.LEFT, ONE, ORDERED)).isEqualTo(OrderingKeyState.NEW);
    assertThat(retried.after(Change.LEFT, TWO, ORDERED)).isEqualTo(retried);
  }

  @Test
  void there_is_room_for_as_many_as_the_capacity_allows() {
    OrderingKeyState one = OrderingKeyState.NEW.begun(ONE, NOW, TWO_AT_A_TIME);

    assertThat(OrderingKeyState.NEW.room(TWO_AT_A_TIME)).isEqualTo(2);
    assertThat(one.room(TWO_AT_A_TIME)).isEqualTo(1);
    assertThat(one.begun(TWO, NOW, TWO_AT_A_TIME).room(TWO_AT_A_TIME)).isZero();
    assertThat(one.room(ORDERED)).isZero();
    assertThat(OrderingKeyState.NEW.room(ORDERED)).isEqualTo(1);
  }

  @Test
  void a_rate_lets_a_burst_begin_and_then_one_after_the_other() {
    OrderingKeyState state = OrderingKeyState.NEW;
    for (int i = 0; i < 3; i++) {
      assertThat(state.heldBackMicros(0, NOW, RATED)).isZero();
      state = state.begun(ONE, NOW, RATED);
    }

    assertThat(state.heldBackMicros(0, NOW, RATED)).isEqualTo(500_000);
    assertThat(state.heldBackMicros(2, NOW, RATED)).isEqualTo(1_500_000);
    assertThat(state.heldBackMicros(0, NOW + 400_000, RATED)).isEqualTo(100_000);
    assertThat(state.heldBackMicros(0, NOW + 500_000, RATED)).isZero();
    assertThat(state.heldBackMicros(0, NOW - 500_000, RATED)).isEqualTo(500_000);
    assertThat(state.begun(ONE, NOW + 60_000_000, RATED).heldBackMicros(1, NOW, ORDERED)).isZero();
    OrderingKeyState rested = state.begun(ONE, NOW + 60_000_000, RATED);
    assertThat(rested.heldBackMicros(2, NOW + 60_000_000, RATED)).isEqualTo(500_000);
  }

  @Test
  void policies_that_let_nothing_begin_are_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Parallel(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rate(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rate(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rate(Double.NaN, 1));
  }
}
