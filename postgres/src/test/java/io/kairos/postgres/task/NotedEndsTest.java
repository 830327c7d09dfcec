package io.kairos.postgres.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NotedEndsTest {
  private long micros;
  private final NotedEnds noted = new NotedEnds();

  private void find(int moved, int found, long last) {
    noted.passed(new NotedEnds.Page(moved, found, last, micros), 10);
  }

  @Test
  void a_full_page_is_followed_by_the_next_and_the_last_by_the_first() {
    find(10, 10, 10);
    assertThat(noted.after()).isEqualTo(10);
    find(0, 10, 20);
    assertThat(noted.after()).isEqualTo(20);
    assertThat(noted.isWithin(20)).isTrue();
    find(3, 3, 23);
    assertThat(noted.after()).isZero();
    assertThat(noted.isWithin(0)).isFalse();
  }

  @Test
  void what_was_removed_a_while_ago_is_not_passed_over_again_but_once_in_a_while() {
    find(5, 5, 5);
    later();
    find(5, 5, 10);
    assertThat(noted.after()).isZero();
    later();
    find(1, 1, 11);
    assertThat(noted.after()).isEqualTo(10);
    for (int i = 0; i < 3; i++) {
      later();
      find(0, 0, 0);
      assertThat(noted.after()).isEqualTo(11);
    }
    later();
    find(0, 0, 0);
    assertThat(noted.after()).isZero();
    find(0, 0, 0);
    assertThat(noted.after()).isEqualTo(11);
  }

  @Test
  void what_is_left_is_looked_at_again() {
    for (int i = 0; i < 4; i++) {
      later();
      find(9, 10, 10);
      find(3, 3, 20);
      assertThat(noted.after()).isZero();
    }
  }

  private void later() {
    micros += 10_000_000L;
  }
}
