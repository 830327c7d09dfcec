package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.worker.TaskDemand.Ask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class TaskDemandTest {
  private static List<Ask> all(TaskDemand demand, int occupied, int buffered, IntPredicate rests) {
    List<Ask> asks = new ArrayList<>();
    for (Ask ask = demand.next(occupied, buffered, rests);
        ask != null;
        ask = demand.next(occupied, buffered, rests)) {
      asks.add(ask);
    }
    return asks;
  }

  private static boolean noneRests(int node) {
    return false;
  }

  private static TaskDemand quick(int concurrency, int buffer, int nodes) {
    TaskDemand demand = new TaskDemand(concurrency, buffer, nodes);
    demand.ran(Duration.ofNanos(2_000).toNanos());
    return demand;
  }

  @Test
  void da13_no_more_is_asked_for_than_executors_can_begin() {
    TaskDemand demand = new TaskDemand(4, 1_000, 1);

    List<Ask> asks = all(demand, 0, 0, TaskDemandTest::noneRests);

    assertThat(asks.stream().mapToInt(Ask::maxTasks).sum()).isEqualTo(4);
    assertThat(all(demand, 0, 0, TaskDemandTest::noneRests)).isEmpty();
  }

  @Test
  void slow_handlers_have_no_buffer_and_quick_ones_what_they_do_in_a_moment() {
    TaskDemand demand = new TaskDemand(4, 1_000, 1);

    demand.ran(Duration.ofSeconds(1).toNanos());
    assertThat(demand.places()).isEqualTo(4);

    for (int i = 0; i < 999; i++) {
      demand.ran(Duration.ofMillis(1).toNanos());
    }
    assertThat(demand.places()).isEqualTo(4 + 100); // 2 ms in the mean

    TaskDemand quick = new TaskDemand(4, 1_000, 1);
    for (int i = 0; i < 100; i++) {
      quick.ran(Duration.ofNanos(2_000).toNanos());
    }
    assertThat(quick.places()).isEqualTo(1_004);
  }

  @Test
  void abandoned_handlers_leave_no_room_for_tasks_that_would_wait_behind_them() {
    TaskDemand demand = new TaskDemand(4, 1_000, 1);
    demand.ran(Duration.ofMillis(2).toNanos());
    assertThat(demand.places()).isEqualTo(4 + 100);

    demand.abandoned();
    demand.abandoned();
    assertThat(demand.places()).isEqualTo(4 + 50);

    demand.abandoned();
    demand.abandoned();
    assertThat(demand.hasExecutors()).isFalse();
    assertThat(demand.places()).isEqualTo(4);
    assertThat(demand.next(4, 0, TaskDemandTest::noneRests)).isNull();

    demand.returned();
    assertThat(demand.hasExecutors()).isTrue();
    assertThat(demand.next(3, 0, TaskDemandTest::noneRests)).isNotNull();
  }

  @Test
  void a_slow_one_among_thousands_is_not_forgotten() {
    TaskDemand demand = new TaskDemand(4, 1_000, 1);

    for (int i = 0; i < 20_000; i++) {
      demand.ran(
          i % 1_000 == 0 ? Duration.ofSeconds(15).toNanos() : Duration.ofNanos(2_000).toNanos());
    }

    assertThat(demand.places()).isBetween(4 + 10, 4 + 20);
  }

  @Test
  void several_calls_overlap_each_for_a_share_of_hundreds() {
    List<Ask> asks = all(quick(4, 1_000, 1), 0, 0, TaskDemandTest::noneRests);

    assertThat(asks).extracting(Ask::maxTasks).containsExactly(335, 335, 334);
  }

  @Test
  void while_executors_have_work_only_a_good_share_is_asked_for() {
    TaskDemand demand = quick(4, 1_000, 1);
    List<Ask> asks = all(demand, 0, 0, TaskDemandTest::noneRests);
    demand.answered(asks.get(0));

    assertThat(demand.next(335, 331, TaskDemandTest::noneRests)).isNull();
    assertThat(demand.next(300, 296, TaskDemandTest::noneRests)).isNull();
    assertThat(demand.next(100, 96, TaskDemandTest::noneRests)).isEqualTo(new Ask(0, 235));
  }

  @Test
  void an_idle_executor_is_asked_for_at_once() {
    TaskDemand demand = new TaskDemand(4, 0, 1);
    all(demand, 0, 0, TaskDemandTest::noneRests).forEach(demand::answered);

    assertThat(demand.next(3, 0, TaskDemandTest::noneRests)).isEqualTo(new Ask(0, 1));
    assertThat(demand.next(3, 0, TaskDemandTest::noneRests)).isNull();
    assertThat(demand.next(4, 0, TaskDemandTest::noneRests)).isNull();
  }

  @Test
  void every_node_is_asked_because_each_gives_out_its_own_work() {
    TaskDemand demand = quick(8, 100, 3);

    List<Ask> asks = all(demand, 0, 0, TaskDemandTest::noneRests);

    assertThat(asks).extracting(Ask::node).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void a_node_that_rests_is_not_asked() {
    TaskDemand demand = quick(8, 100, 2);

    assertThat(all(demand, 0, 0, node -> node == 0)).extracting(Ask::node).containsOnly(1);
    assertThat(all(demand, 0, 0, TaskDemandTest::noneRests)).extracting(Ask::node).containsOnly(0);
  }
}
