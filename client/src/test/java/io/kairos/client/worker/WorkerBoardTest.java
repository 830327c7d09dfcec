package io.kairos.client.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.Result;
import io.kairos.client.encryption.MessageEncryption;
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
    return take(board);
  }

  private static Assignment take(WorkerBoard from) throws InterruptedException {
    return requireNonNull(
        from.take(held ->
            new HandlerRun(
                held.work,
                HandlerRegistration.missing(held.work.getHandler()),
                "worker",
                () -> 0,
                MessageEncryption.NONE)));
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
  void when_abandoned_handlers_have_all_executors_tasks_go_back_and_none_are_asked_for()
      throws InterruptedException {
    TaskDemand one = new TaskDemand(1, 10, 1);
    one.ran(1_000);
    WorkerBoard busy = new WorkerBoard(one, false, () -> true, new NodeTurns(1), time);
    List<Ask> calls = busy.plan().asks();
    LeasedTask waits = Works.held(2, time.nanos());
    busy.arrived(calls.get(0), List.of(task, waits));
    Assignment taken = take(busy);
    assertThat(busy.acknowledged(List.of(task), List.of(Verdict.LOST), time.nanos()).lostRuns())
        .containsExactly(taken.run());

    WorkerBoard.Abandonment abandonment = busy.abandon(taken.run()).orElseThrow();

    assertThat(abandonment.executorsLeft()).isFalse();
    assertThat(abandonment.plan().asks()).isEmpty();
    assertThat(abandonment.plan().results()).hasSize(1);
    ResultOutbox.Finished back = abandonment.plan().results().get(0).get(0);
    assertThat(back.task()).isEqualTo(waits);
    assertThat(back.result().hasNotBegun()).isTrue();
    busy.settled(abandonment.plan().results().get(0));

    LeasedTask late = Works.held(3, time.nanos());
    WorkerBoard.Plan plan = busy.arrived(calls.get(1), List.of(late));
    assertThat(plan.asks()).isEmpty();
    assertThat(plan.results().get(0).get(0).task()).isEqualTo(late);

    assertThat(busy.ended(taken, Result.getDefaultInstance(), 1)).isFalse();
    assertThat(busy.plan().asks()).isNotEmpty();
  }

  @Test
  void a_handler_that_has_ended_is_not_abandoned() throws InterruptedException {
    arrive();
    Assignment taken = take();
    board.ended(taken, Result.getDefaultInstance(), 1);

    assertThat(board.abandon(taken.run())).isEmpty();
    assertThat(demand.hasExecutors()).isTrue();
  }

  @Test
  void the_time_of_an_execution_that_lost_its_lease_is_no_measure() throws InterruptedException {
    TaskDemand measured = new TaskDemand(2, 1_000, 1);
    measured.ran(Duration.ofMillis(2).toNanos());
    int places = measured.places();
    WorkerBoard measuring = new WorkerBoard(measured, false, () -> true, new NodeTurns(1), time);
    measuring.arrived(measuring.plan().asks().get(0), List.of(task));
    Assignment taken = take(measuring);
    time.jump(TOO_LONG);

    measuring.ended(taken, Result.getDefaultInstance(), Duration.ofHours(1).toNanos());

    assertThat(measured.places()).isEqualTo(places);
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
