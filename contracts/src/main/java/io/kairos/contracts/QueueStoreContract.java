package io.kairos.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.RetiredQueues;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.HandlerCounts.Counting;
import io.kairos.engine.task.port.operator.HandlerPatterns;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.TaskView.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every {@link TaskStore} for queues, checked from outside through the port. */
public abstract class QueueStoreContract extends TaskContract {
  private static final int PATIENCE = 1_000;

  private static final CollectionName SPRING = new CollectionName("spring");
  private static final CollectionName AUTUMN = new CollectionName("autumn");

  private static TaskQueueLimit most(int running) {
    return new TaskQueueLimit(running, null, null);
  }

  private static TaskQueueLimit rate(double perSecond, int burst) {
    return new TaskQueueLimit(null, perSecond, burst);
  }

  private List<FencedTask> enqueuedTasks(int count) {
    return Stream.generate(() -> enqueued()).limit(count).toList();
  }

  private ClaimResult claim(List<FencedTask> some) {
    return tasks.claim(some.stream().map(task -> claimOn(task, WORKER)).toList(), LEASE);
  }

  private SettlementResult end(FencedTask claimed) {
    return tasks.settle(List.of(finish(claimed.next(), TaskState.SUCCEEDED)));
  }

  private int running(QueueId queue) {
    return requireNonNull(tasks.limits().get(queue)).running();
  }

  // Limits

  @Test // DA-23, PD-L11
  void a_limited_queue_begins_the_first_for_which_there_is_room_and_holds_the_others_back() {
    tasks.setLimit(mail, most(2));
    List<FencedTask> five = enqueuedTasks(5);

    ClaimResult claims = claim(five);

    assertThat(claims.claimed()).containsExactlyInAnyOrderElementsOf(five.subList(0, 2));
    assertThat(claims.heldBack()).containsOnlyKeys(five.subList(2, 5));
    assertThat(claims.heldBack().values()).containsOnly(ClaimResult.UNTIL_CHANGED);
    assertThat(five.subList(2, 5)).allMatch(task -> stateOf(task) == TaskState.ENQUEUED);
    assertThat(tasks.limits()).isEqualTo(Map.of(mail, new QueueUse(most(2), 2)));
  }

  @Test
  void each_end_of_a_task_makes_room_for_another_and_says_so() {
    tasks.setLimit(mail, most(5));
    List<FencedTask> some = enqueuedTasks(10);
    claim(some);

    FencedTask done = some.get(0).next();
    FencedTask failed = some.get(1).next();
    FencedTask retried = some.get(2).next();
    FencedTask back = some.get(3).next();
    FencedTask snoozed = some.get(4).next();
    Settlement success = finish(done, TaskState.SUCCEEDED);
    Settlement death = finish(failed, TaskState.DEAD);
    Settlement retry = new Settlement.Retry(retried, LONG, "why");
    SettlementResult settled =
        tasks.settle(
            List.of(
                success,
                death,
                retry,
                new Settlement.NotBegun(back),
                new Settlement.Snooze(snoozed, LONG),
                success));

    assertThat(settled.tasks()).containsExactlyInAnyOrder(done, failed, retried, back, snoozed);
    assertThat(settled.roomIn()).containsExactly(mail);
    assertThat(running(mail)).isZero();
    assertThat(claim(some.subList(5, 10)).claimed()).hasSize(5);
  }

  @Test
  void a_lapse_and_a_cancel_make_room_as_well() {
    tasks.setLimit(mail, most(2));
    List<FencedTask> some = enqueuedTasks(2);
    claim(some);
    tasks.cancel(some.getLast().id());
    stores.letPass(LONG);

    reap(new Settlement.Retry(some.getFirst().next(), LONG, "lapsed"));
    settle(new Settlement.Retry(some.getLast().next(), LONG, "again"));

    assertThat(stateOf(some.getLast())).isEqualTo(TaskState.CANCELLED);
    assertThat(running(mail)).isZero();
  }

  @Test
  void a_stale_claim_takes_no_room_from_later_batches() {
    tasks.setLimit(mail, most(1));
    FencedTask stale = enqueued();
    tasks.release(List.of(stale), ENQUEUE_TIMEOUT);

    assertThat(claim(List.of(stale))).isEqualTo(ClaimResult.NONE);

    assertThat(running(mail)).isZero();
    assertThat(claim(enqueuedTasks(1)).claimed()).hasSize(1);
  }

  @Test
  void a_limit_of_one_queue_is_none_of_another() {
    tasks.setLimit(mail, most(0));
    FencedTask mailed = enqueued();
    FencedTask printed = enqueued(task(print, micros(0), new byte[0]));

    ClaimResult claims =
        tasks.claim(
            List.of(
                new TaskClaim(mailed, mail, WORKER, null),
                new TaskClaim(printed, print, WORKER, null)),
            LEASE);

    assertThat(claims.claimed()).containsExactly(printed);
    assertThat(claims.heldBack()).containsOnlyKeys(mailed);
    assertThat(tasks.settle(List.of(finish(printed.next(), TaskState.SUCCEEDED))).roomIn())
        .isEmpty();
  }

  @Test
  void a_limit_that_is_set_while_tasks_run_counts_them() {
    List<FencedTask> three = enqueuedTasks(3);
    claim(three);

    tasks.setLimit(mail, most(4));

    assertThat(running(mail)).isEqualTo(3);
    List<FencedTask> more = enqueuedTasks(2);
    assertThat(claim(more).claimed()).hasSize(1);
    end(three.getFirst());
    assertThat(claim(more.subList(1, 2)).claimed()).hasSize(1);
  }

  @Test
  void a_limit_can_be_changed_and_removed() {
    tasks.setLimit(mail, most(1));
    List<FencedTask> some = enqueuedTasks(4);
    claim(some.subList(0, 1));

    tasks.setLimit(mail, most(2));
    assertThat(running(mail)).isEqualTo(1);
    assertThat(claim(some.subList(1, 3)).claimed()).hasSize(1);
    tasks.setLimit(mail, TaskQueueLimit.NONE);

    assertThat(tasks.limits()).isEmpty();
    assertThat(claim(some.subList(2, 4)).claimed()).hasSize(2);
  }

  @Test
  void a_recount_finds_nothing_wrong_where_nothing_is() {
    tasks.setLimit(mail, most(5));
    claim(enqueuedTasks(3));

    tasks.recountLimits();

    assertThat(running(mail)).isEqualTo(3);
  }

  @Test // PD-L14, TW-16
  void a_rate_lets_a_burst_begin_and_then_one_after_the_other() {
    tasks.setLimit(mail, rate(1.0 / 600, 2)); // one in ten minutes
    List<FencedTask> some = enqueuedTasks(6);

    ClaimResult burst = claim(some);

    assertThat(burst.claimed()).containsExactlyInAnyOrderElementsOf(some.subList(0, 2));
    assertThat(burst.heldBack().values())
        .allSatisfy(
            wait -> assertThat(wait).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10)));
    stores.letPass(Duration.ofMinutes(11));
    ClaimResult next = claim(some.subList(2, 6));
    assertThat(next.claimed()).containsExactly(some.get(2));
    stores.letPass(Duration.ofHours(10));
    assertThat(claim(some.subList(3, 6)).claimed()).hasSize(2);
  }

  @Test
  void the_burst_of_a_rate_is_a_second_of_it_when_it_is_not_given() {
    tasks.setLimit(mail, new TaskQueueLimit(null, 2.5, null));

    // The store's clock goes on, so more than three may begin, but hardly ten.
    assertThat(claim(enqueuedTasks(10)).claimed()).hasSizeBetween(3, 9);
  }

  // Pauses

  private static TaskPause pause(
      @Nullable CollectionName collection, TaskPause.Mode mode, @Nullable Instant until) {
    return new TaskPause(MAIL.handler(), collection, mode, until, "a note");
  }

  private static TaskPause pause() {
    return pause(null, TaskPause.Mode.PAUSE, null);
  }

  private NewTask of(CollectionName collection) {
    return task(mail, micros(-60), TaskDetails.of(new byte[] {7}).withCollection(collection));
  }

  @Test
  void da4_nothing_of_a_paused_handler_begins_and_what_runs_goes_on() {
    FencedTask running = processing();
    FencedTask enqueued = enqueued();
    storeWaiting(task(micros(-60)), task(print, micros(-60), new byte[0]));

    tasks.setPause(pause());

    assertThat(claim(List.of(enqueued))).isEqualTo(ClaimResult.NONE);
    assertThat(stateOf(enqueued)).isEqualTo(TaskState.NEW);
    assertThat(enqueue(NODE)).extracting(EnqueuedTask::queue).containsExactly(print);
    assertThat(settle(finish(running, TaskState.SUCCEEDED))).containsExactly(running);
  }

  @Test
  void da4_after_a_pause_tasks_begin_in_the_order_in_which_they_are_due() {
    FencedTask enqueued = enqueued(task(micros(-30)));
    NewTask later = storedWaiting(task(micros(-20)));
    tasks.setPause(pause());
    claim(List.of(enqueued));

    assertThat(tasks.endPause(MAIL.handler(), null)).isTrue();

    assertThat(ids(enqueue(NODE))).containsExactly(enqueued.id(), later.id());
    assertThat(tasks.endPause(MAIL.handler(), null)).isFalse();
    assertThat(tasks.pauses()).isEmpty();
  }

  @Test
  void da4_a_paused_collection_is_held_back_and_the_others_of_its_handler_are_not() {
    NewTask spring = of(SPRING);
    NewTask autumn = of(AUTUMN);
    NewTask none = task(micros(-60));
    FencedTask enqueued = enqueued(of(SPRING));
    storeWaiting(spring, autumn, none);

    tasks.setPause(pause(SPRING, TaskPause.Mode.PAUSE, null));

    assertThat(claim(List.of(enqueued))).isEqualTo(ClaimResult.NONE);
    assertThat(ids(enqueue(NODE))).containsExactlyInAnyOrder(autumn.id(), none.id());
    assertThat(stateOf(enqueued)).isEqualTo(TaskState.PAUSED);
    assertThat(view(spring.id()).state()).isEqualTo(TaskState.PAUSED);
    assertThat(view(spring.id()).progress().holder()).isNull();
    assertThat(tasks.applyPauses(MANY)).isZero();
  }

  @Test
  void da4_what_was_held_back_with_a_collection_waits_again_in_bounded_rounds() {
    FencedTask retried = afterFailure(processed(of(SPRING)));
    storeWaiting(of(SPRING), of(SPRING));
    tasks.setPause(pause(SPRING, TaskPause.Mode.PAUSE, null));
    assertThat(claim(List.of(retried))).isEqualTo(ClaimResult.NONE);
    assertThat(enqueue(NODE)).isEmpty();

    tasks.endPause(MAIL.handler(), SPRING);
    assertThat(enqueue(NODE)).isEmpty();

    assertThat(tasks.applyPauses(2)).isEqualTo(2);
    assertThat(tasks.applyPauses(2)).isEqualTo(1);
    assertThat(tasks.applyPauses(2)).isZero();
    assertThat(stateOf(retried)).isEqualTo(TaskState.RETRIABLE_FAILURE);
    assertThat(enqueue(NODE)).hasSize(3);
  }

  private FencedTask processed(NewTask task) {
    return claimed(enqueued(task), WORKER);
  }

  @Test
  void what_is_held_back_can_be_cancelled_and_rescheduled() {
    NewTask cancelled = of(SPRING);
    NewTask moved = of(SPRING);
    storeWaiting(cancelled, moved);
    tasks.setPause(pause(SPRING, TaskPause.Mode.PAUSE, null));
    enqueue(NODE);

    tasks.cancel(cancelled.id());
    assertThat(tasks.reschedule(moved.id(), micros(3_600))).isTrue();

    assertThat(view(cancelled.id()).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(view(moved.id()).state()).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_gate_lifts_itself() {
    NewTask task = storedWaiting(of(SPRING));
    Instant until = stores.now().plus(LONG);
    tasks.setPause(pause(SPRING, TaskPause.Mode.PAUSE, until));
    assertThat(enqueue(NODE)).isEmpty();

    stores.letPass(LONG.plusMinutes(5));

    assertThat(tasks.pauses()).isEmpty();
    assertThat(tasks.applyPauses(MANY)).isEqualTo(1);
    assertThat(ids(enqueue(NODE))).containsExactly(task.id());
  }

  @Test
  void pauses_are_listed_with_their_note_and_end() {
    Instant until = EpochMicros.toInstant(micros(3_600));
    tasks.setPause(pause(SPRING, TaskPause.Mode.DROP, until));
    tasks.setPause(new TaskPause(MAIL.handler(), null, TaskPause.Mode.PAUSE, null, "deploy"));

    List<TaskPause.Active> pauses = tasks.pauses();

    assertThat(pauses)
        .extracting(TaskPause.Active::pause)
        .containsExactly(
            new TaskPause(MAIL.handler(), null, TaskPause.Mode.PAUSE, null, "deploy"),
            pause(SPRING, TaskPause.Mode.DROP, until));
    assertIn(Duration.ZERO, pauses.getFirst().since());
  }

  @Test
  void a_gate_that_is_changed_keeps_the_time_since_when_it_is_closed() {
    tasks.setPause(pause());
    stores.letPass(LONG);

    tasks.setPause(pause(null, TaskPause.Mode.DROP, null));

    assertThat(tasks.pauses())
        .singleElement()
        .satisfies(closed -> {
          assertThat(closed.pause().mode()).isEqualTo(TaskPause.Mode.DROP);
          assertIn(LONG.negated(), closed.since());
        });
  }

  @Test // PD-41
  void da4_tasks_behind_a_gate_that_drops_end_as_cancelled_with_its_note() {
    FencedTask running = processing();
    FencedTask enqueued = enqueued();
    NewTask waiting = task(micros(3_600));
    NewTask other = task(print, micros(3_600), new byte[0]);
    storeWaiting(waiting, other);
    tasks.setPause(pause(null, TaskPause.Mode.DROP, null));
    claim(List.of(enqueued));

    assertThat(tasks.applyPauses(1)).isEqualTo(1);
    assertThat(tasks.applyPauses(1)).isEqualTo(1);
    assertThat(tasks.applyPauses(1)).isZero();

    assertThat(List.of(view(enqueued), view(waiting.id())))
        .allSatisfy(view -> {
          assertThat(view.state()).isEqualTo(TaskState.CANCELLED);
          assertThat(view.progress().failures())
              .extracting(Failure::error)
              .containsExactly("dropped: a note");
        });
    assertThat(stateOf(running)).isEqualTo(TaskState.PROCESSING);
    assertThat(view(other.id()).state()).isEqualTo(TaskState.NEW);
  }

  @Test // PD-L10
  void da4_a_dropped_collection_ends_and_the_others_of_its_handler_do_not() {
    NewTask spring = of(SPRING);
    NewTask held = of(SPRING);
    NewTask autumn = of(AUTUMN);
    storeWaiting(held);
    tasks.setPause(pause(SPRING, TaskPause.Mode.PAUSE, null));
    enqueue(NODE);
    storeWaiting(spring, autumn);

    tasks.setPause(pause(SPRING, TaskPause.Mode.DROP, null));

    assertThat(tasks.applyPauses(MANY)).isEqualTo(2);
    assertThat(view(spring.id()).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(view(held.id()).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(ids(enqueue(NODE))).containsExactly(autumn.id());
  }

  @Test
  void what_is_dropped_makes_room_in_the_quota_and_what_is_put_back_takes_some() {
    tasks.setQuota(MAIL.handler(), 2L);
    FencedTask dead = dead("no route");
    storeWaiting(of(SPRING), of(SPRING));
    assertThat(tasks.quota(MAIL.handler())).hasValue(new AdmissionQuota(2, 2));

    tasks.setPause(pause(null, TaskPause.Mode.DROP, null));
    tasks.applyPauses(MANY);
    assertThat(tasks.quota(MAIL.handler())).hasValue(new AdmissionQuota(2, 0));

    redrive(dead.id());
    assertThat(tasks.quota(MAIL.handler())).hasValue(new AdmissionQuota(2, 1));
  }

  @Test // DA-8
  void paused_tasks_before_others_do_not_keep_those_back() {
    for (int i = 0; i < 30; i++) {
      storeWaiting(of(SPRING));
    }
    NewTask behind = storedWaiting(task(micros(-1)));
    tasks.setPause(pause(SPRING, TaskPause.Mode.PAUSE, null));

    assertThat(ids(enqueue(NODE, Map.of(mail, 3), PLENTY_BYTES, Duration.ZERO)))
        .containsExactly(behind.id());
  }

  // Putting back

  private FencedTask dead(String error) {
    FencedTask processing = processing();
    settle(new Settlement.Finish(processing, TaskState.DEAD, error));
    return processing;
  }

  private static RedriveRequest.Filter filter(String error, @Nullable TaskId after) {
    return new RedriveRequest.Filter(MAIL.handler(), RedriveRequest.REDRIVABLE, null, error, after);
  }

  private List<TaskId> redrive(
      @Nullable TaskHandler handler, Set<TaskState> states, @Nullable Instant endedBefore) {
    return redrive(new RedriveRequest.Filter(handler, states, endedBefore, "", null));
  }

  private List<TaskId> redrive(TaskId... ids) {
    return redrive(new RedriveRequest.Ids(List.of(ids)));
  }

  private List<TaskId> redrive(RedriveRequest.Which which) {
    return tasks.redrive(new RedriveRequest(which, null, Duration.ZERO, MANY)).tasks();
  }

  @Test
  void a_task_that_is_put_back_keeps_who_submitted_it() {
    NewTask given = task(micros(0));
    FencedTask enqueued =
        enqueued(new NewTask(given.id(), mail, given.dueMicros(), given.details(), null, "ana"));
    tasks.claim(List.of(new TaskClaim(enqueued, mail, WORKER, null, "farm")), LEASE);
    settle(new Settlement.Finish(enqueued.next(), TaskState.DEAD, "no route"));

    redrive(given.id());

    assertThat(view(given.id()).submittedBy()).isEqualTo("ana");
    assertThat(view(given.id()).progress().performedBy()).isNull();
  }

  @Test
  void daf3_a_dead_task_is_put_back_under_its_id_and_its_fence_goes_on_rising() {
    FencedTask dead = dead("no route");

    assertThat(redrive(dead.id())).containsExactly(dead.id());

    assertThat(stateOf(dead)).isEqualTo(TaskState.NEW);
    assertThat(view(dead).progress().attempt()).isZero();
    assertThat(view(dead).progress().finishedAt()).isNull();
    assertThat(errorsOf(dead)).containsExactly("no route");
    EnqueuedTask again = enqueue(NODE).getFirst();
    assertThat(again.task().fence()).isGreaterThan(dead.fence());
    assertThat(again.details().payload()).isEqualTo("payload".getBytes(UTF_8));
    FencedTask claimed = claimed(again.task(), OTHER_WORKER);
    assertThat(settle(finish(dead, TaskState.SUCCEEDED))).isEmpty();
    assertThat(settle(finish(claimed, TaskState.SUCCEEDED))).containsExactly(claimed);
  }

  @Test
  void daf3_only_what_has_failed_is_put_back() {
    FencedTask succeeded = processing();
    settle(finish(succeeded, TaskState.SUCCEEDED));
    FencedTask running = processing();
    FencedTask failed = processing();
    settle(finish(failed, TaskState.FAILED));

    assertThat(redrive(succeeded.id(), newId(), failed.id(), running.id(), failed.id()))
        .containsExactly(failed.id());
    assertThat(redrive()).isEmpty();
  }

  @Test
  void daf3_dead_tasks_are_put_back_by_a_filter_spread_over_time() {
    FencedTask first = dead("no route to a");
    FencedTask other = dead("disk full");
    FencedTask second = dead("no route to b");
    FencedTask third = dead("no route to c");
    long start = micros(600);

    RedriveResult back =
        tasks.redrive(
            new RedriveRequest(filter("no route", null), start, Duration.ofSeconds(10), 2));

    assertThat(back.tasks()).containsExactly(first.id(), second.id());
    assertThat(back.next()).isEqualTo(second.id());
    assertThat(view(first).dueAt()).isEqualTo(EpochMicros.toInstant(start));
    assertThat(view(second).dueAt()).isEqualTo(EpochMicros.toInstant(start + 10_000_000));
    assertThat(stateOf(other)).isEqualTo(TaskState.DEAD);
    assertThat(redrive(filter("no route", second.id()))).containsExactly(third.id());
  }

  @Test
  void daf3_a_filter_has_a_handler_a_state_and_an_age() {
    FencedTask old = dead("old");
    stores.letPass(LONG);
    FencedTask fresh = dead("fresh");
    Instant before = stores.now().minus(Duration.ofMinutes(30));

    assertThat(redrive(PRINT.handler(), RedriveRequest.REDRIVABLE, null)).isEmpty();
    assertThat(redrive(null, Set.of(TaskState.FAILED), null)).isEmpty();
    assertThat(redrive(null, Set.of(TaskState.DEAD), before)).containsExactly(old.id());
    assertThat(stateOf(fresh)).isEqualTo(TaskState.DEAD);
  }

  // Numbers

  private HandlerCounts numbersOf(TaskHandler handler) {
    return tasks.numbers(handler).orElseThrow();
  }

  @Test
  void da5_tasks_of_a_handler_are_counted_by_where_they_are() {
    storeWaiting(task(micros(60)), task(micros(60)), task(print, micros(0), new byte[0]));
    settle(new Settlement.Retry(processing(), LONG, "again"));
    enqueuedTasks(2);
    processing();
    dead("dead");
    settle(finish(processing(), TaskState.FAILED), finish(processing(), TaskState.SUCCEEDED));
    storeWaiting(of(SPRING));
    tasks.setPause(pause(SPRING, TaskPause.Mode.PAUSE, null));
    enqueue(NODE, Map.of(mail, MANY), PLENTY_BYTES, Duration.ZERO);

    HandlerCounts ofMail = numbersOf(MAIL.handler());
    assertThat(ofMail)
        .isEqualTo(
            new HandlerCounts(
                MAIL.handler(), 3, 2, 1, 0, 1, 1, 1, null, ofMail.oldestDue(), 100_000, false));
    assertThat(numbersOf(PRINT.handler()).waiting()).isEqualTo(1);
  }

  @Test
  void the_oldest_due_task_of_a_handler_is_one_that_waits_or_is_on_a_queue() {
    storeWaiting(task(micros(600)), task(micros(-300)), task(print, micros(600), new byte[0]));
    assertThat(numbersOf(MAIL.handler()).oldestDue()).isGreaterThanOrEqualTo(Duration.ofMinutes(5));

    enqueued(task(micros(-500)));

    assertThat(numbersOf(MAIL.handler()).oldestDue())
        .isGreaterThanOrEqualTo(Duration.ofSeconds(500));
    assertThat(numbersOf(PRINT.handler()).oldestDue()).isNull();
  }

  @Test
  void a_backlog_is_what_is_due_and_not_begun_and_the_oldest_comes_first() {
    storeWaiting(task(micros(-300)), task(micros(600)), task(print, micros(-700), new byte[0]));
    enqueued(task(micros(-500)));
    enqueued(task(micros(600)));
    settle(new Settlement.Retry(processing(), LONG, "again"));
    processing();
    dead("dead");
    settle(finish(processing(), TaskState.FAILED));
    tasks.asked(Set.of(PRINT.handler()));
    tasks.setPause(new TaskPause(MAIL.handler(), null, TaskPause.Mode.PAUSE, null, ""));

    List<HandlerBacklog> all = tasks.backlogs(2);

    assertThat(all).hasSize(2);
    HandlerBacklog first = all.getFirst();
    HandlerBacklog second = all.getLast();
    assertThat(first)
        .isEqualTo(
            new HandlerBacklog(
                PRINT.handler(), 1, first.oldest(), 0, 0, 0, false, first.askedAt()));
    assertThat(second)
        .isEqualTo(new HandlerBacklog(MAIL.handler(), 2, second.oldest(), 1, 1, 1, true, null));
    assertThat(first.oldest()).isGreaterThanOrEqualTo(Duration.ofSeconds(700));
    assertThat(second.oldest()).isBetween(Duration.ofSeconds(500), first.oldest());
    assertIn(Duration.ZERO, first.askedAt());
    assertThat(tasks.backlogs(1))
        .extracting(HandlerBacklog::handler)
        .containsExactly(PRINT.handler());
  }

  @Test
  void a_handler_with_nothing_due_has_a_backlog_of_none_and_comes_last() {
    storeWaiting(task(micros(600)), task(print, micros(-1), new byte[0]));

    List<HandlerBacklog> all =
        tasks.backlogs(1_000).stream()
            .filter(one -> Set.of(MAIL.handler(), PRINT.handler()).contains(one.handler()))
            .toList();

    assertThat(all)
        .extracting(HandlerBacklog::handler)
        .containsExactly(PRINT.handler(), MAIL.handler());
    assertThat(all.getLast())
        .isEqualTo(new HandlerBacklog(MAIL.handler(), 0, Duration.ZERO, 0, 0, 0, false, null));
  }

  @Test
  void queues_that_hold_nothing_are_retired_taken_back_when_needed_and_removed_otherwise() {
    List<QueueName> names =
        IntStream.range(0, TaskStore.FEW_QUEUES)
            .mapToObj(i -> new QueueName(new HandlerName("once-" + i), 50))
            .toList();
    Map<QueueName, QueueId> numbers = new HashMap<>(tasks.queues(names));
    QueueName needed = names.get(0);
    QueueName full = names.get(1);
    QueueName limited = names.get(2);
    QueueName ended = names.get(3);
    QueueName asked = names.get(4);
    QueueName idle = names.get(5);
    storeWaiting(task(requireNonNull(numbers.get(full)), micros(60), new byte[0]));
    tasks.setLimit(requireNonNull(numbers.get(limited)), new TaskQueueLimit(1, null, null));
    NewTask cancelled = task(requireNonNull(numbers.get(ended)), micros(60), new byte[0]);
    storeWaiting(cancelled);
    tasks.cancel(cancelled.id());
    tasks.asked(Set.of(asked.handler()));

    RetiredQueues retired = tasks.retireQueues();

    assertThat(tasks.queues().values())
        .contains(full, limited, ended, asked)
        .doesNotContain(needed, idle);
    NewTask late = task(requireNonNull(numbers.get(needed)), micros(60), new byte[0]);
    List<InsertRequest> lateAsked =
        List.of(new InsertRequest(List.of(new ArrivingTask(late, false, null))));
    assertThat(tasks.insert(NODE, lateAsked, LONG))
        .containsExactly(new InsertResult.QueueRetired());
    assertThat(tasks.queues(List.of(needed))).containsEntry(needed, numbers.get(needed));
    assertThat(tasks.insert(NODE, lateAsked, LONG).getFirst())
        .isInstanceOf(InsertResult.Stored.class);
    assertThat(tasks.queues().values()).contains(needed);
    int forgotten = 0;
    for (int i = 0; i < PATIENCE && forgotten == 0; i++) { // until all that was under way has ended
      forgotten = tasks.forgetQueues(retired);
    }
    assertThat(forgotten).isGreaterThanOrEqualTo(TaskStore.FEW_QUEUES - 5);
    assertThat(tasks.queues().values()).contains(needed, full, limited, ended, asked);
    assertThat(tasks.queues(List.of(idle)).get(idle)).isNotEqualTo(numbers.get(idle));
    assertThat(tasks.forgetQueues(retired)).isZero();
  }

  @Test
  void who_is_asked_for_is_known_although_it_has_no_tasks() {
    TaskHandler idle = new HandlerName("idle");
    assertThat(numbersOf(MAIL.handler()).askedAt()).isNull();

    tasks.asked(Set.of(idle, MAIL.handler()));
    tasks.asked(Set.of());

    assertIn(Duration.ZERO, numbersOf(idle).askedAt());
    stores.letPass(LONG);
    assertIn(LONG.negated(), numbersOf(idle).askedAt());
    tasks.asked(Set.of(idle));
    assertIn(Duration.ZERO, numbersOf(idle).askedAt());
    assertIn(LONG.negated(), numbersOf(MAIL.handler()).askedAt());

    tasks.forgetAsked(LONG.dividedBy(2));
    assertIn(Duration.ZERO, numbersOf(idle).askedAt());
    assertThat(numbersOf(MAIL.handler()).askedAt()).isNull();
  }

  @Test
  void handlers_come_in_the_order_of_their_names_in_pages() {
    queue(new QueueName(new HandlerName("zebra"), 50));
    TaskHandler after = null;
    List<String> names = new ArrayList<>();
    for (List<HandlerCounts> page = tasks.numbers(HandlerPatterns.ALL, null, 2, Counting.SHORT);
        !page.isEmpty();
        page = tasks.numbers(HandlerPatterns.ALL, after, 2, Counting.SHORT)) {
      page.forEach(one -> names.add(one.handler().wireName()));
      after = page.getLast().handler();
    }

    assertThat(names).isSorted().doesNotHaveDuplicates().contains("mail", "print", "zebra");
  }

  @Test
  void handlers_and_pools_are_listed_by_patterns_of_their_own() {
    for (String name : List.of("mail_2", "mailx2", "pool:mail", "pool:print")) {
      queue(new QueueName(TaskHandler.ofWireName(name), 50));
    }

    assertThat(listed(Set.of("mail_*"), Set.of("*"), 9))
        .containsExactly("mail_2", "pool:mail", "pool:print");
    assertThat(listed(Set.of("mail*2"), Set.of("m*l"), 9))
        .containsExactly("mail_2", "mailx2", "pool:mail");
    assertThat(listed(Set.of("mail*2"), Set.of("m*l"), 2)).containsExactly("mail_2", "mailx2");
    assertThat(listed(Set.of(), Set.of("print"), 9)).containsExactly("pool:print");
    assertThat(listed(Set.of("pool:*"), Set.of(), 9)).isEmpty();
    assertThat(listed(Set.of(), Set.of(), 9)).isEmpty();
    assertThat(tasks.numbers(new HandlerName("nobody"))).isEmpty();
  }

  private List<String> listed(Set<String> handlers, Set<String> pools, int limit) {
    return tasks.numbers(new HandlerPatterns(handlers, pools), null, limit, Counting.NONE).stream()
        .map(one -> one.handler().wireName())
        .toList();
  }
}
