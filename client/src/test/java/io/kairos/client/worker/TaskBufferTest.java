package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.TaskResult;
import io.kairos.api.v1.Work;
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
  void da23_the_first_task_of_a_fairness_key_waits_for_one_task_of_each_other_key() {
    LeasedTask flood = put(1, 50, "flood");
    LeasedTask second = put(2, 50, "flood");
    LeasedTask third = put(3, 50, "flood");
    LeasedTask keyless = put(4, 50);
    LeasedTask single = put(5, 50, "single");

    assertThat(buffer.drain()).containsExactly(flood, keyless, single, second, third);
  }

  @Test
  void fairness_keys_change_nothing_between_priorities_because_the_node_has_put_these_in_order() {
    LeasedTask flood = put(1, 50, "flood");
    LeasedTask second = put(2, 50, "flood");
    LeasedTask other = put(3, 10, "flood");
    LeasedTask single = put(4, 50, "single");

    assertThat(buffer.drain()).containsExactly(flood, single, other, second);
  }

  @Test
  void what_a_task_has_waited_for_counts_too() {
    Work join =
        Works.work(1)
            .addPredecessors(
                Work.Predecessor.newBuilder()
                    .setResult(
                        TaskResult.newBuilder().setValue(ByteString.copyFrom(new byte[1_000]))))
            .build();
    buffer.put(new LeasedTask(join, Works.TERMS, 0, 0));

    assertThat(buffer.bytes()).isEqualTo(join.getSerializedSize()).isGreaterThan(1_000);
    buffer.poll();
    assertThat(buffer.bytes()).isZero();
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
    return put(number, priority, "");
  }

  private LeasedTask put(int number, int priority, String fairnessKey) {
    LeasedTask task =
        new LeasedTask(
            Works.work(number).setPriority(priority).setFairnessKey(fairnessKey).build(),
            Works.TERMS,
            0,
            0);
    buffer.put(task);
    return task;
  }
}
