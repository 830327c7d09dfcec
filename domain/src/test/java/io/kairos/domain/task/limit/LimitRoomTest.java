package io.kairos.domain.task.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.queue.TaskQueueLimit;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LimitRoomTest {
  private static final TaskQueueLimit FIVE = new TaskQueueLimit(5, null, null);
  private static final TaskQueueLimit TEN_A_SECOND = new TaskQueueLimit(null, 10.0, 3);

  @Test
  void as_many_begin_as_there_are_places() {
    LimitRoom room = new LimitRoom(FIVE, 3, 0, 0, 0);

    assertThat(room.admits(false)).isTrue();
    room.take(false);
    room.take(false);

    assertThat(room.admits(false)).isFalse();
    assertThat(room.refuse(false)).isEmpty();
  }

  @Test
  void a_task_that_was_not_woken_leaves_room_for_the_line() {
    LimitRoom room = new LimitRoom(FIVE, 2, 0, 1, 2);

    assertThat(room.admits(false)).isFalse();
    assertThat(room.admits(true)).isTrue();
    assertThat(new LimitRoom(FIVE, 2, 0, 1, 1).admits(false)).isTrue();
  }

  @Test
  void a_task_that_comes_after_its_turn_was_lost_makes_no_room() {
    LimitRoom room = new LimitRoom(FIVE, 4, 0, 0, 0);

    assertThat(room.admits(true)).isTrue();
    room.take(true);

    assertThat(room.admits(false)).isFalse();
  }

  @Test
  void a_turn_that_is_given_up_is_for_the_next() {
    LimitRoom room = new LimitRoom(FIVE, 4, 0, 3, 1);
    assertThat(room.toWake(100)).isZero();

    room.giveUp();

    assertThat(room.toWake(100)).isEqualTo(1);
  }

  @Test
  void more_run_than_a_lowered_limit_allows() {
    LimitRoom room = new LimitRoom(FIVE, 9, 0, 4, 0);

    assertThat(room.admits(true)).isFalse();
    assertThat(room.toWake(100)).isZero();
  }

  @Test
  void as_many_are_woken_as_there_are_places_for_those_that_are_not_awake() {
    assertThat(new LimitRoom(FIVE, 1, 0, 10, 1).toWake(100)).isEqualTo(3);
    assertThat(new LimitRoom(FIVE, 1, 0, 2, 0).toWake(100)).isEqualTo(2);
    assertThat(new LimitRoom(FIVE, 1, 0, 10, 0).toWake(1)).isEqualTo(1);
    assertThat(new LimitRoom(TaskQueueLimit.NONE, 0, 0, 10, 0).toWake(100)).isEqualTo(10);
  }

  @Test
  void those_that_a_rate_refuses_have_turns_one_after_the_other() {
    LimitRoom room = new LimitRoom(TEN_A_SECOND, 0, 1.5, 0, 0);

    assertThat(room.admits(false)).isTrue();
    room.take(false);

    assertThat(room.refuse(false)).isEqualTo(OptionalLong.of(50_000));
    assertThat(room.refuse(false)).isEqualTo(OptionalLong.of(150_000));
  }

  @Test
  void a_woken_task_that_comes_too_early_has_its_turn_again() {
    LimitRoom room = new LimitRoom(TEN_A_SECOND, 0, 0.9, 20, 8);

    assertThat(room.admits(true)).isFalse();
    assertThat(room.refuse(true)).isEqualTo(OptionalLong.of(10_000));
  }

  @Test
  void a_turn_that_is_too_far_ahead_is_not_given() {
    TaskQueueLimit seldom = new TaskQueueLimit(null, 0.1, 1);
    LimitRoom room = new LimitRoom(seldom, 0, 0.5, 0, 0);

    assertThat(room.refuse(false)).isEmpty();
    assertThat(room.toWake(100)).isZero();
    assertThat(new LimitRoom(seldom, 0, 0.9, 5, 0).toWake(100)).isEqualTo(1);
  }

  @Test
  void a_rate_wakes_those_whose_turns_are_near() {
    LimitRoom room = new LimitRoom(TEN_A_SECOND, 0, 1, 100, 4);

    assertThat(room.toWake(1_000)).isEqualTo(17);
    assertThat(room.turnOfWoken(0)).isEqualTo(400_000);
    assertThat(room.turnOfWoken(16)).isEqualTo(2_000_000);
  }

  @Test
  void a_bucket_fills_up_to_its_burst() {
    assertThat(LimitRoom.tokens(TEN_A_SECOND, 0.5, 100_000)).isEqualTo(1.5);
    assertThat(LimitRoom.tokens(TEN_A_SECOND, 0.5, 60_000_000)).isEqualTo(3);
    assertThat(LimitRoom.tokens(TEN_A_SECOND, 0.5, -60_000_000)).isEqualTo(0.5);
  }
}
