package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskBufferTest {
  private TaskBuffer buffer = new TaskBuffer(false);

  @Test
  void tasks_begin_in_the_order_of_their_arrival_because_the_node_has_put_them_in_order() {
    LeasedTask low = put(1, 10);
    LeasedTask high = put(2, 90);

    assertThat(buffer.drain()).containsExactly(low, high);
  }

  @Test
  void da13_a_strict_worker_begins_higher_priorities_first_in_the_order_of_their_arrival() {
    buffer = new TaskBuffer(true);
    LeasedTask low = put(1, 10);
    LeasedTask high = put(2, 90);
    LeasedTask middle = put(3, 50);
    LeasedTask middleToo = put(4, 50);

    assertThat(buffer.drain()).containsExactly(high, middle, middleToo, low);
    assertThat(buffer.poll()).isNull();
  }

  @Test
  void tasks_and_bytes_are_counted() {
    put(1, 10);
    put(2, 20);
    assertThat(buffer.size()).isEqualTo(2);
    assertThat(buffer.bytes()).isEqualTo(4);

    buffer.poll();

    assertThat(buffer.size()).isEqualTo(1);
    assertThat(buffer.bytes()).isEqualTo(2);
  }

  @Test
  void da22_lost_tasks_are_dropped() {
    LeasedTask lost = put(1, 50);
    LeasedTask kept = put(2, 50);
    LeasedTask alone = put(3, 60);
    lost.phase = LeasedTask.Phase.GONE;
    alone.phase = LeasedTask.Phase.GONE;

    buffer.purge();

    assertThat(buffer.size()).isEqualTo(1);
    assertThat(buffer.drain()).containsExactly(kept);
  }

  private LeasedTask put(int number, int priority) {
    LeasedTask task = Works.held(number, priority);
    buffer.put(task);
    return task;
  }
}
