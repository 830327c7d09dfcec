package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.Result;
import io.kairos.client.worker.ResultOutbox.Finished;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResultOutboxTest {
  private final ResultOutbox outbox = new ResultOutbox();

  private LeasedTask add(int number) {
    LeasedTask task = Works.held(number, 0L);
    task.phase = LeasedTask.Phase.ENDED;
    outbox.add(task, Result.newBuilder().setId(task.work.getId()).build());
    return task;
  }

  private List<Finished> next(long now) {
    return Objects.requireNonNull(outbox.next(now));
  }

  @Test
  void the_first_goes_at_once_and_all_that_come_meanwhile_go_together() {
    add(1);
    List<Finished> first = next(0);
    assertThat(first).hasSize(1);
    IntStream.range(2, 502).forEach(this::add);

    assertThat(outbox.next(0)).isNull();
    outbox.answered(first);

    assertThat(next(0)).hasSize(500);
  }

  @Test
  void a_second_call_at_a_time_only_when_one_is_full() {
    add(0);
    next(0);
    IntStream.range(1, 1_000).forEach(this::add);
    assertThat(outbox.next(0)).isNull();
    add(1_000);

    assertThat(next(0)).hasSize(1_000);
    assertThat(outbox.size()).isEqualTo(1_001);
  }

  @Test
  void calls_at_a_time_are_bounded() {
    IntStream.range(0, 6_000).forEach(this::add);

    for (int i = 0; i < 4; i++) {
      assertThat(next(0)).hasSize(1_000);
    }
    assertThat(outbox.next(0)).isNull();
  }

  @Test
  void what_failed_goes_first_after_the_pause() {
    LeasedTask first = add(1);
    List<Finished> batch = next(0);
    LeasedTask second = add(2);

    outbox.failed(batch, 100);

    assertThat(outbox.next(99)).isNull();
    assertThat(next(100)).extracting(Finished::task).containsExactly(first, second);
  }

  @Test
  void da22_the_result_of_a_lost_lease_is_not_sent() {
    add(1).phase = LeasedTask.Phase.GONE;

    assertThat(outbox.next(0)).isNull();
    assertThat(outbox.size()).isZero();
  }
}
