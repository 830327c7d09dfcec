package io.kairos.engine.task.memory;

import static io.kairos.engine.task.memory.TaskSamples.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.engine.task.port.FairEnqueueResult;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyCursorTest {
  private static final QueueId ID = new QueueId(1);

  private final KeyCursor cursor = new KeyCursor();

  /** One request from where the cursor is to that key. */
  private boolean move(String to, boolean isWhole, Set<String> without, EnqueuedTask... tasks) {
    FairEnqueueRequest request =
        new FairEnqueueRequest(
            new NodeId(new UUID(1, 1)),
            ID,
            10,
            100,
            without,
            cursor.after(),
            Duration.ZERO,
            Duration.ofMinutes(1));
    return cursor.moved(request, new FairEnqueueResult(List.of(tasks), to, isWhole));
  }

  private boolean move(String to, EnqueuedTask... tasks) {
    return move(to, false, Set.of(), tasks);
  }

  @Test
  void keys_without_tasks_are_looked_at_once() {
    for (int lap = 0; lap < 3; lap++) {
      assertThat(move("c")).isTrue();
      assertThat(move("f")).isTrue();
      assertThat(move("i")).isTrue();
      assertThat(move("b")).isFalse();
      assertThat(cursor.after()).isEqualTo("b");
    }
  }

  @Test
  void the_lap_begins_anew_where_there_were_tasks() {
    assertThat(move("c")).isTrue();
    assertThat(move("f", task(ID, 1, 0, 1))).isTrue();
    assertThat(move("i")).isTrue();
    assertThat(move("c")).isTrue();
    assertThat(move("e")).isTrue();
    assertThat(move("f")).isFalse();
  }

  @Test
  void a_request_that_has_come_round_is_a_lap() {
    assertThat(move("c")).isTrue();
    assertThat(move("d", true, Set.of())).isFalse();
    assertThat(move("d", true, Set.of(), task(ID, 1, 0, 1))).isTrue();
  }

  @Test
  void a_key_that_is_gone_ends_the_lap_too() {
    assertThat(move("m", task(ID, 1, 0, 1))).isTrue();
    assertThat(move("x")).isTrue();
    assertThat(move("k")).isTrue();
    assertThat(move("n")).isFalse();
  }

  @Test
  void what_leaves_keys_out_neither_ends_a_lap_nor_goes_on() {
    assertThat(move("c")).isTrue();
    assertThat(move("i", false, Set.of("d"))).isFalse();
    assertThat(move("b", false, Set.of("d"))).isFalse();
    assertThat(move("i")).isTrue();
    assertThat(move("b")).isFalse();
  }

  @Test
  void keys_are_in_the_order_of_their_code_points() {
    assertThat(FairEnqueueRequest.KEY_ORDER.compare("\uFFFD", "\uD83D\uDE00")).isNegative();
    assertThat(FairEnqueueRequest.KEY_ORDER.compare("a", "ab")).isNegative();
    assertThat(FairEnqueueRequest.KEY_ORDER.compare("b", "ab")).isPositive();
  }
}
