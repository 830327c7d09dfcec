package io.kairos.engine.task.memory;

import static io.kairos.engine.task.memory.TaskSamples.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.EnqueuedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyQueueTest {
  private static final QueueId ID = new QueueId(1);

  /** Sorts stably, so that of one trigger the first to come is the first. */
  private static final Comparator<EnqueuedTask> IN_ORDER =
      Comparator.comparingLong(EnqueuedTask::triggerMicros);

  private final ReadyQueue queue =
      new ReadyQueue(
          ID,
          TaskSamples.queue(TaskSamples.MAIL, 50),
          new QueuePace(100, Duration.ofMinutes(1), 0));

  @Test
  void an_empty_queue_has_no_first() {
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.poll()).isNull();
    assertThat(queue.firstTriggerMicros()).isEqualTo(Long.MAX_VALUE);
    assertThat(queue.firstBytes()).isZero();
  }

  @Test
  void promised_room_counts_as_taken_and_holds_no_task() {
    queue.reserve(100);

    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.bytes()).isEqualTo(100);
    assertThat(queue.isEmpty()).isTrue();

    queue.unreserve(100);
    assertThat(queue.size()).isZero();
    assertThat(queue.bytes()).isZero();
  }

  @Test
  void a_closed_queue_opens_by_itself_when_its_time_has_come() {
    queue.close(queue.openings(), 1_000);

    assertThat(queue.isOpen(999)).isFalse();
    assertThat(queue.nanosToOpening(400)).isEqualTo(600);
    assertThat(queue.isOpen(1_000)).isTrue();
    assertThat(queue.nanosToOpening(1_000)).isZero();
  }

  @Test
  void what_was_tried_before_it_was_opened_does_not_close_it() {
    int before = queue.openings();
    queue.open();

    queue.close(before, 1_000);
    assertThat(queue.isOpen(0)).isTrue();

    queue.close(queue.openings(), 1_000);
    assertThat(queue.isOpen(0)).isFalse();
    queue.open();
    assertThat(queue.isOpen(0)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void it_hands_out_in_order_and_counts_what_it_has(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<EnqueuedTask> model = new ArrayList<>();
    List<Integer> promised = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          EnqueuedTask fresh = task(ID, i, random.nextLong(50), random.nextInt(100));
          queue.add(fresh);
          model.add(fresh);
          model.sort(IN_ORDER);
        }
        case 3, 4 ->
            assertThat(queue.poll()).isEqualTo(model.isEmpty() ? null : model.removeFirst());
        case 5 -> {
          promised.add(random.nextInt(100));
          queue.reserve(promised.getLast());
        }
        case 6 -> {
          if (!promised.isEmpty()) {
            queue.unreserve(promised.removeLast());
          }
        }
        default -> {
          int size = random.nextInt(20);
          List<EnqueuedTask> last = model.subList(Math.min(size, model.size()), model.size());
          assertThat(queue.shorten(size)).containsExactlyInAnyOrderElementsOf(last);
          last.clear();
        }
      }

      assertThat(queue.size()).isEqualTo(model.size() + promised.size());
      assertThat(queue.bytes())
          .isEqualTo(
              model.stream().mapToLong(one -> one.details().bytes()).sum()
                  + promised.stream().mapToLong(bytes -> bytes).sum());
      assertThat(queue.firstTriggerMicros())
          .isEqualTo(model.isEmpty() ? Long.MAX_VALUE : model.getFirst().triggerMicros());
      assertThat(queue.firstBytes())
          .isEqualTo(model.isEmpty() ? 0 : model.getFirst().details().bytes());
    }
    Set<FencedTask> here = new HashSet<>();
    queue.addTo(here);
    assertThat(here).hasSize(model.size());
  }
}
