package io.kairos.client.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.Result;
import io.kairos.client.net.NodeTurns;
import io.kairos.client.time.ManualTime;
import io.kairos.client.worker.TaskDemand.Ask;
import io.kairos.client.worker.WorkerBoard.Assignment;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process that stood still finds at once what is due and what was answered meanwhile. */
class WorkerBoardTest {
  private static final Duration TOO_LONG = Duration.ofNanos(Works.TERMS.safeNanos());
  private static final Duration BEFORE_THE_END = Duration.ofMillis(500);

  private final ManualTime time = new ManualTime();
  private final TaskDemand demand = new TaskDemand(2, 0, 1);
  private final WorkerBoard board =
      new WorkerBoard(demand, false, () -> true, new NodeTurns(1), time);
  private final List<Ask> asks = board.plan().asks();
  private final LeasedTask task = Works.held(1, time.nanos());

  private void arrive() {
    board.arrived(asks.get(0), List.of(task));
  }

  private void answerIsHeard(long sentAtNanos) {
    board.acknowledged(List.of(task), List.of(Verdict.EXTENDED), sentAtNanos);
  }

  private Assignment take() throws InterruptedException {
    return requireNonNull(
        board.take(held ->
            new HandlerRun(
                held.work,
                HandlerRegistration.missing(held.work.getHandler()),
                "worker",
                () -> 0)));
  }

  @Test
  void a_lease_whose_result_came_too_late_is_not_revived_by_an_older_heartbeat()
      throws InterruptedException {
    arrive();
    Assignment taken = take();
    time.jump(BEFORE_THE_END);
    long sentAtNanos = time.nanos();
    time.jump(TOO_LONG.minus(BEFORE_THE_END));

    assertThat(board.ended(taken, Result.getDefaultInstance(), 1)).isFalse();
    answerIsHeard(sentAtNanos);

    assertThat(board.expired().lost()).containsExactly(task);
  }

  @Test
  void a_lease_whose_task_was_not_begun_any_more_is_not_revived_by_an_older_heartbeat()
      throws InterruptedException {
    arrive();
    time.jump(BEFORE_THE_END);
    long sentAtNanos = time.nanos();
    time.jump(TOO_LONG.minus(BEFORE_THE_END));
    LeasedTask next = Works.held(2, time.nanos());
    board.arrived(asks.get(1), List.of(next));

    assertThat(take().task()).isEqualTo(next);
    answerIsHeard(sentAtNanos);

    assertThat(board.expired().lost()).containsExactly(task);
  }

  @Test
  void a_lease_that_nobody_has_given_up_is_revived() {
    arrive();
    time.jump(BEFORE_THE_END);
    long sentAtNanos = time.nanos();
    time.jump(TOO_LONG.minus(BEFORE_THE_END));

    answerIsHeard(sentAtNanos);

    assertThat(board.expired().lost()).isEmpty();
  }
}
