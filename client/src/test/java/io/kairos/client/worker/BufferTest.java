package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BufferTest {
  private final Buffer buffer = new Buffer();

  @Test
  void da13_higher_priorities_first_and_within_one_in_the_order_of_their_coming() {
    Held low = put(1, 10);
    Held high = put(2, 90);
    Held middle = put(3, 50);
    Held middleToo = put(4, 50);

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
    Held lost = put(1, 50);
    Held kept = put(2, 50);
    Held alone = put(3, 60);
    lost.phase = Held.Phase.GONE;
    alone.phase = Held.Phase.GONE;

    buffer.purge();

    assertThat(buffer.size()).isEqualTo(1);
    assertThat(buffer.drain()).containsExactly(kept);
  }

  private Held put(int number, int priority) {
    Held task = Works.held(number, priority);
    buffer.put(task);
    return task;
  }
}
