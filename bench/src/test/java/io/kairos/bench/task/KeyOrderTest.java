package io.kairos.bench.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.task.ExecutionLog.Execution;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
  /** Two keys: the even and the odd. */
  private final KeyOrder order = new KeyOrder(new KeyPlan(2, 0));

  @Test
  void pd18_one_after_the_other_in_order_is_kept_whatever_other_keys_do() {
    performed(0, 10, 20);
    performed(1, 15, 90);
    performed(2, 20, 30);

    assertThat(order.count()).isEqualTo(new KeyOrder.Count(1, 0, 0));
    assertThat(order.count().isKept()).isTrue();
  }

  @Test
  void pd19_a_later_one_that_begins_first_is_out_of_order() {
    performed(2, 10, 20);
    performed(0, 20, 30);

    assertThat(order.count()).isEqualTo(new KeyOrder.Count(1, 1, 0));
  }

  @Test
  void pd18_one_that_begins_before_the_former_has_ended_overlaps() {
    performed(0, 10, 20);
    performed(2, 19, 30);

    assertThat(order.count()).isEqualTo(new KeyOrder.Count(1, 0, 1));
  }

  @Test
  void the_last_end_of_a_task_that_is_performed_again_counts() {
    performed(0, 10, 20);
    performed(2, 25, 30);
    performed(0, 21, 27);

    assertThat(order.count()).isEqualTo(new KeyOrder.Count(1, 0, 1));
  }

  @Test
  void what_was_not_performed_is_no_neighbour() {
    performed(4, 10, 20);
    performed(0, 30, 40);

    assertThat(order.count()).isEqualTo(new KeyOrder.Count(0, 0, 0));
  }

  @Test
  void without_keys_there_is_no_order() {
    KeyOrder none = new KeyOrder(KeyPlan.NONE);

    none.performed(new Execution(7, 1, 0, 0, 5, 6));
    none.performed(new Execution(7, 0, 0, 0, 7, 8));

    assertThat(none.count()).isEqualTo(new KeyOrder.Count(0, 0, 0));
  }

  private void performed(long sequence, long beganNanos, long endedNanos) {
    order.performed(new Execution(7, sequence, 0, 0, beganNanos, endedNanos));
  }
}
