package io.kairos.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.PeriodUnit;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.Conflict;
import io.kairos.engine.task.port.InsertResult.Reason;
import io.kairos.engine.task.port.InsertResult.Stored;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Idempotent intake, admission quotas and labels, checked from outside through the port. */
public abstract class TaskIntakeContract extends TaskContract {
  private static final Window UNFINISHED = new Window.WhileUnfinished();
  private static final Window HOUR = new Window.For(LONG);
  private static final Window FOREVER = new Window.Forever();
  private static final Window WAITING = new Window.WhileWaiting();
  private static final TaskHandler MAILING = MAIL.handler();

  private static ArrivingTask keyed(
      NewTask task, String key, Window window, OnConflict onConflict) {
    return new ArrivingTask(task, false, new TaskIdempotency(key, window, onConflict));
  }

  private static ArrivingTask debounced(NewTask task, String key) {
    return new ArrivingTask(
        task, false, new TaskIdempotency(key, WAITING, OnConflict.REPLACE, LONG));
  }

  private static ArrivingTask keyed(NewTask task, String key) {
    return keyed(task, key, UNFINISHED, OnConflict.KEEP);
  }

  private List<InsertResult> offer(InsertRequest... requests) {
    return tasks.insert(NODE, List.of(requests), ENQUEUE_TIMEOUT);
  }

  private InsertResult offer(ArrivingTask... arrivals) {
    return offer(new InsertRequest(Arrays.asList(arrivals))).getFirst();
  }

  private static InsertResult stored(NewTask task) {
    return new Stored(List.of(TaskReceipt.stored(task.id(), false)));
  }

  private static InsertResult duplicateOf(TaskId id) {
    return new Stored(List.of(TaskReceipt.duplicate(id)));
  }

  private void finish(TaskId id, TaskState end) {
    FencedTask enqueued = enqueueOne(NODE);
    assertThat(enqueued.id()).isEqualTo(id);
    assertThat(settle(finish(claimed(enqueued, WORKER), end))).hasSize(1);
  }

  // Labels

  @Test
  void collection_and_start_deadline_come_back_wherever_a_task_is_seen() {
    long deadline = micros(600);
    CollectionName imported = new CollectionName("import/2026");
    TaskDetails labels =
        TaskDetails.of(new byte[0]).withCollection(imported).withStartDeadline(deadline);
    NewTask labelled = task(mail, micros(-1), labels);
    storeWaiting(labelled, task(micros(0)));

    TaskView view = view(labelled.id());
    assertThat(view.details().collection()).isEqualTo(imported);
    assertThat(view.details().startDeadlineMicros()).isEqualTo(deadline);
    assertThat(view.details().key()).isNull();
    ListQuery ofCollection =
        new ListQuery(
            MAILING, imported, null, EnumSet.allOf(TaskState.class), null, null, null, MANY);
    assertThat(tasks.list(ofCollection).tasks())
        .extracting(TaskView::id)
        .containsExactly(labelled.id());
    assertThat(enqueue(NODE).getFirst().details().collection()).isEqualTo(imported);
  }

  // Idempotency keys

  @Test
  void a_second_task_with_the_key_of_an_unfinished_one_is_a_duplicate_of_it() {
    NewTask first = task(mail, micros(60), "first".getBytes(UTF_8));
    NewTask second = task(mail, micros(-60), "second".getBytes(UTF_8));

    assertThat(offer(keyed(first, "order 7"))).isEqualTo(stored(first));
    assertThat(offer(keyed(second, "order 7"))).isEqualTo(duplicateOf(first.id()));

    assertThat(tasks.find(second.id())).isEmpty();
    assertThat(view(first.id()).details().payload()).isEqualTo("first".getBytes(UTF_8));
    assertThat(view(first.id()).dueAt()).isEqualTo(EpochMicros.toInstant(first.dueMicros()));
  }

  @Test
  void a_key_is_the_handlers_whatever_the_priority() {
    QueueId urgent = queue(new QueueName(MAILING, 100));
    NewTask first = task(micros(60));
    NewTask urgently = task(urgent, micros(60), new byte[0]);
    NewTask elsewhere = task(print, micros(60), new byte[0]);
    offer(keyed(first, "k"));

    assertThat(offer(keyed(urgently, "k"))).isEqualTo(duplicateOf(first.id()));
    assertThat(offer(keyed(elsewhere, "k"))).isEqualTo(stored(elsewhere));
    NewTask other = task(micros(60));
    assertThat(offer(keyed(other, "K"))).isEqualTo(stored(other));
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELLED", "DEAD"})
  void a_key_while_unfinished_is_free_when_its_task_has_ended(TaskState end) {
    NewTask first = task(micros(-1));
    offer(keyed(first, "k"));
    finish(first.id(), end);
    NewTask second = task(micros(60));
    NewTask third = task(micros(60));

    assertThat(offer(keyed(second, "k"))).isEqualTo(stored(second));
    assertThat(offer(keyed(third, "k"))).isEqualTo(duplicateOf(second.id()));
  }

  @Test
  void a_key_for_a_time_outlives_its_task_and_is_free_when_the_time_is_over() {
    NewTask first = task(micros(-1));
    offer(keyed(first, "k", HOUR, OnConflict.KEEP));
    finish(first.id(), TaskState.SUCCEEDED);
    NewTask second = task(micros(60));

    assertThat(offer(keyed(second, "k", HOUR, OnConflict.KEEP))).isEqualTo(duplicateOf(first.id()));
    stores.letPass(LONG.plusMinutes(1));
    assertThat(offer(keyed(second, "k"))).isEqualTo(stored(second));
  }

  @Test
  void a_key_for_a_time_is_free_when_the_time_is_over_although_its_task_still_waits() {
    NewTask first = task(micros(36_000));
    offer(keyed(first, "k", HOUR, OnConflict.KEEP));
    stores.letPass(LONG.plusMinutes(1));
    NewTask second = task(micros(60));

    assertThat(offer(keyed(second, "k", HOUR, OnConflict.ERROR))).isEqualTo(stored(second));
    assertThat(view(first.id()).state()).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_key_for_ever_names_its_task_also_when_nothing_else_is_known_of_it() {
    NewTask first = task(micros(-1));
    offer(keyed(first, "k", FOREVER, OnConflict.KEEP));
    finish(first.id(), TaskState.SUCCEEDED);
    stores.letPass(LONG);
    tasks.prune(TaskState.SUCCEEDED, Duration.ZERO, MANY);
    tasks.pruneIdempotencyKeys(MANY);
    NewTask second = task(micros(60));

    assertThat(tasks.find(first.id())).isEmpty();
    assertThat(offer(keyed(second, "k"))).isEqualTo(duplicateOf(first.id()));
    assertThat(offer(keyed(second, "k", FOREVER, OnConflict.ERROR)))
        .isEqualTo(new Conflict(0, first.id(), Reason.EXISTS));
  }

  @Test
  void a_conflict_names_the_task_and_leaves_nothing_behind_but_its_neighbours() {
    NewTask first = task(micros(60));
    offer(keyed(first, "taken"));
    NewTask before = task(micros(60));
    NewTask withIt = task(micros(60));
    NewTask refused = task(micros(60));
    NewTask after = task(micros(60));

    ArrivingTask conflicting = keyed(refused, "taken", UNFINISHED, OnConflict.ERROR);
    assertThat(
            offer(
                new InsertRequest(List.of(keyed(before, "before"))),
                new InsertRequest(List.of(keyed(withIt, "with it"), conflicting)),
                new InsertRequest(List.of(ArrivingTask.withoutIdempotency(after, true)))))
        .containsExactly(
            stored(before),
            new Conflict(1, first.id(), Reason.EXISTS),
            new Stored(List.of(TaskReceipt.stored(after.id(), true))));
    assertThat(tasks.find(withIt.id())).isEmpty();
    assertThat(tasks.find(refused.id())).isEmpty();
    assertThat(view(before.id()).state()).isEqualTo(TaskState.NEW);
    assertThat(view(after.id()).state()).isEqualTo(TaskState.ENQUEUED);
    NewTask later = task(micros(60));
    assertThat(offer(keyed(later, "with it"))).isEqualTo(stored(later));
  }

  @Test // DA-L8
  void requests_that_come_together_with_one_key_are_one_task() {
    NewTask first = task(micros(60));
    NewTask second = task(micros(60));
    NewTask third = task(micros(60));

    assertThat(
            offer(
                new InsertRequest(List.of(keyed(first, "k"))),
                new InsertRequest(List.of(keyed(second, "k"))),
                new InsertRequest(List.of(keyed(third, "k", UNFINISHED, OnConflict.ERROR)))))
        .containsExactly(
            stored(first), duplicateOf(first.id()), new Conflict(0, first.id(), Reason.EXISTS));
  }

  @Test // PD-15
  void what_waits_is_replaced_under_its_own_id() {
    QueueId urgent = queue(new QueueName(MAILING, 100));
    NewTask waiting = task(micros(600));
    NewTask held = task(micros(0));
    NewTask failed = task(micros(-600));
    offer(keyed(waiting, "waiting"));
    offer(new ArrivingTask(held, true, new TaskIdempotency("held", UNFINISHED, OnConflict.KEEP)));
    offer(keyed(failed, "failed"));
    settle(retry(claimed(enqueueOne(NODE), WORKER)));
    RetryPolicy policy = new RetryPolicy(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(1));

    TaskDetails replacement =
        TaskDetails.of("other".getBytes(UTF_8))
            .withRetryPolicy(policy)
            .withExecutionTimeout(Duration.ofSeconds(9))
            .withCollection(new CollectionName("c"));

    Map<String, NewTask> all = Map.of("waiting", waiting, "held", held, "failed", failed);
    for (Map.Entry<String, NewTask> former : all.entrySet()) {
      NewTask task = former.getValue();
      NewTask plain = task(urgent, micros(-60), replacement);
      NewTask other =
          new NewTask(plain.id(), urgent, plain.dueMicros(), plain.details(), null, "ben");
      assertThat(offer(keyed(other, former.getKey(), FOREVER, OnConflict.REPLACE)))
          .isEqualTo(duplicateOf(task.id()));

      TaskView view = view(task.id());
      assertThat(view.submittedBy()).isEqualTo("ben");
      assertThat(view.queue().priority()).isEqualTo(100);
      assertThat(view.details().payload()).isEqualTo("other".getBytes(UTF_8));
      assertThat(view.dueAt()).isEqualTo(EpochMicros.toInstant(other.dueMicros()));
      assertThat(view.progress().nextTrigger()).isEqualTo(view.dueAt());
      assertThat(view.details().retryPolicy()).isEqualTo(policy);
      assertThat(view.details().collection()).isEqualTo(new CollectionName("c"));
      assertThat(view.progress().holder()).isNull();
      assertThat(tasks.find(other.id())).isEmpty();
    }
    assertThat(view(waiting.id()).state()).isEqualTo(TaskState.NEW);
    assertThat(view(failed.id()).state()).isEqualTo(TaskState.RETRIABLE_FAILURE);
    assertThat(view(failed.id()).progress().attempt()).isEqualTo(1);
    assertThat(isClaimed(new FencedTask(held.id(), 1))).isFalse();
  }

  @Test
  void what_is_being_performed_or_has_ended_is_not_replaced() {
    NewTask performed = task(micros(-1));
    offer(keyed(performed, "performed"));
    FencedTask processing = claimed(enqueueOne(NODE), WORKER);
    NewTask ended = task(micros(-1));
    offer(keyed(ended, "ended", HOUR, OnConflict.KEEP));
    finish(ended.id(), TaskState.SUCCEEDED);
    NewTask other = task(micros(60));

    assertThat(offer(keyed(other, "performed", UNFINISHED, OnConflict.REPLACE)))
        .isEqualTo(new Conflict(0, performed.id(), Reason.NOT_WAITING));
    assertThat(offer(keyed(other, "ended", UNFINISHED, OnConflict.REPLACE)))
        .isEqualTo(new Conflict(0, ended.id(), Reason.NOT_WAITING));
    assertThat(stateOf(processing)).isEqualTo(TaskState.PROCESSING);
    assertThat(tasks.find(other.id())).isEmpty();
  }

  @Test
  void a_key_while_waiting_is_free_when_a_worker_performs_its_task_and_when_that_has_ended() {
    NewTask first = task(micros(-2));
    NewTask second = task(micros(600));
    offer(keyed(first, "k", WAITING, OnConflict.REPLACE));
    assertThat(offer(keyed(task(micros(-1)), "k", WAITING, OnConflict.KEEP)))
        .isEqualTo(duplicateOf(first.id()));
    FencedTask performed = claimed(enqueueOne(NODE), WORKER);

    assertThat(offer(keyed(second, "k", WAITING, OnConflict.REPLACE))).isEqualTo(stored(second));
    settle(retry(performed));

    assertThat(offer(keyed(task(micros(700)), "k", WAITING, OnConflict.REPLACE)))
        .isEqualTo(duplicateOf(second.id()));
    tasks.cancel(second.id());
    NewTask third = task(micros(600));
    assertThat(offer(keyed(third, "k"))).isEqualTo(stored(third));
    assertThat(offer(keyed(task(micros(600)), "k", WAITING, OnConflict.KEEP)))
        .isEqualTo(duplicateOf(third.id()));
  }

  @Test
  void the_window_of_a_key_is_that_of_the_task_that_has_it_now() {
    NewTask first = task(micros(-1));
    offer(keyed(first, "k", WAITING, OnConflict.KEEP));
    claimed(enqueueOne(NODE), WORKER);
    NewTask second = task(micros(-1));
    offer(keyed(second, "k", UNFINISHED, OnConflict.KEEP));

    claimed(enqueueOne(NODE), WORKER);

    assertThat(offer(keyed(task(micros(0)), "k", WAITING, OnConflict.KEEP)))
        .isEqualTo(duplicateOf(second.id()));
  }

  @Test
  void a_debounced_task_is_due_at_most_its_longest_wait_after_it_was_stored() {
    NewTask first = task(micros(60));
    offer(debounced(first, "k"));

    NewTask second = task(micros(500));
    assertThat(offer(debounced(second, "k"))).isEqualTo(duplicateOf(first.id()));
    assertThat(view(first.id()).dueAt()).isEqualTo(EpochMicros.toInstant(second.dueMicros()));
    assertThat(view(first.id()).progress().nextTrigger()).isEqualTo(view(first.id()).dueAt());

    offer(debounced(task(micros(10_000)), "k"));
    assertThat(view(first.id()).dueAt()).isEqualTo(view(first.id()).createdAt().plus(LONG));
    assertThat(view(first.id()).progress().nextTrigger()).isEqualTo(view(first.id()).dueAt());
  }

  @Test
  void
      a_debounced_task_that_is_due_after_its_longest_wait_is_left_to_workers_and_a_new_one_waits() {
    NewTask enqueued = task(micros(-1));
    NewTask failed = task(micros(-1));
    offer(debounced(failed, "failed"));
    settle(new Settlement.Retry(claimed(enqueueOne(NODE), WORKER), LONG.plusHours(9), "why"));
    offer(debounced(enqueued, "enqueued"));
    FencedTask inMemory = enqueueOne(NODE);
    NewTask due = task(micros(60));
    offer(debounced(due, "due"));
    offer(debounced(task(micros(-1)), "enqueued"));
    assertThat(isClaimed(inMemory)).isFalse();
    inMemory = enqueueOne(NODE);
    stores.letPass(LONG);
    NewTask next = task(micros(LONG.toSeconds() + 5));
    NewTask other = task(micros(LONG.toSeconds() + 5));

    assertThat(offer(debounced(next, "enqueued"))).isEqualTo(stored(next));
    assertThat(offer(debounced(task(micros(0)), "enqueued"))).isEqualTo(duplicateOf(next.id()));
    assertThat(offer(debounced(other, "due"))).isEqualTo(stored(other));
    assertThat(offer(debounced(task(micros(0)), "failed"))).isEqualTo(duplicateOf(failed.id()));
    assertThat(isClaimed(inMemory)).isTrue();
  }

  @Test
  void a_debounced_task_that_has_failed_is_not_retried_earlier_than_its_backoff() {
    NewTask first = task(micros(-1));
    offer(debounced(first, "k"));
    settle(new Settlement.Retry(claimed(enqueueOne(NODE), WORKER), LONG.plusHours(9), "why"));
    Instant retried = view(first.id()).progress().nextTrigger();

    NewTask second = task(micros(10));
    offer(debounced(second, "k"));

    assertThat(view(first.id()).progress().nextTrigger()).isEqualTo(retried);
    assertThat(view(first.id()).dueAt()).isEqualTo(EpochMicros.toInstant(second.dueMicros()));
  }

  @Test
  void each_period_has_a_key_of_its_own_which_is_kept_until_its_end() {
    NewTask first = task(micros(60));
    NewTask next = task(micros(60));
    Window today = new Window.Period(PeriodUnit.DAY, 0, micros(LONG.toSeconds()));
    Window tomorrow = new Window.Period(PeriodUnit.DAY, 1, micros(2 * LONG.toSeconds()));
    offer(keyed(first, "k", today, OnConflict.KEEP));
    tasks.cancel(first.id());

    assertThat(offer(keyed(task(micros(70)), "k", today, OnConflict.KEEP)))
        .isEqualTo(duplicateOf(first.id()));
    assertThat(offer(keyed(next, "k", tomorrow, OnConflict.KEEP))).isEqualTo(stored(next));

    stores.letPass(LONG.plusMinutes(1));
    assertThat(tasks.pruneIdempotencyKeys(MANY)).isEqualTo(1);
    assertThat(offer(keyed(task(micros(70)), "k", tomorrow, OnConflict.KEEP)))
        .isEqualTo(duplicateOf(next.id()));
  }

  @Test
  void keys_whose_time_is_over_are_forgotten_in_bounded_steps() {
    offer(keyed(task(micros(60)), "a", HOUR, OnConflict.KEEP));
    offer(keyed(task(micros(60)), "b", HOUR, OnConflict.KEEP));
    offer(keyed(task(micros(60)), "c"));
    offer(keyed(task(micros(60)), "d", FOREVER, OnConflict.KEEP));

    assertThat(tasks.pruneIdempotencyKeys(MANY)).isZero();
    stores.letPass(LONG.plusMinutes(1));
    assertThat(tasks.pruneIdempotencyKeys(1)).isEqualTo(1);
    assertThat(tasks.pruneIdempotencyKeys(MANY)).isEqualTo(1);
    assertThat(tasks.pruneIdempotencyKeys(MANY)).isZero();
  }

  // Admission quotas

  @Test
  void a_handler_has_no_quota_until_one_is_set() {
    assertThat(tasks.quota(MAILING)).isEmpty();

    tasks.setQuota(MAILING, 5L);
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(5, 0));
    tasks.setQuota(MAILING, null);
    assertThat(tasks.quota(MAILING)).isEmpty();
  }

  @Test // DA-23, PD-L11, TW-16
  void a_request_over_the_quota_is_refused_as_a_whole_and_no_other_is() {
    storedWaiting(task(micros(60)));
    tasks.setQuota(MAILING, 3L);
    NewTask second = task(micros(60));
    NewTask third = task(micros(60));
    NewTask fourth = task(micros(60));
    NewTask elsewhere = task(print, micros(60), new byte[0]);

    List<InsertResult> results =
        offer(
            request(List.of(), List.of(second)),
            request(List.of(), List.of(third, fourth)),
            request(List.of(), List.of(elsewhere)));

    assertThat(results).first().isEqualTo(stored(second));
    assertThat(results.get(1))
        .isInstanceOfSatisfying(
            InsertResult.Exhausted.class,
            full -> {
              assertThat(full.handler()).isEqualTo(MAILING);
              assertThat(full.retryAfter()).isPositive();
            });
    assertThat(results).last().isEqualTo(stored(elsewhere));
    assertThat(tasks.find(third.id())).isEmpty();
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(3, 2));
    assertThat(offer(ArrivingTask.withoutIdempotency(fourth, false))).isEqualTo(stored(fourth));
    assertThat(offer(ArrivingTask.withoutIdempotency(third, true)))
        .isInstanceOf(InsertResult.Exhausted.class);
  }

  @Test
  void tasks_that_end_make_room_and_those_that_wait_again_do_not() {
    tasks.setQuota(MAILING, 3L);
    NewTask cancelled = storedWaiting(task(micros(60)));
    FencedTask done = processing();
    FencedTask failed = processing();
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(3, 3));

    settle(retry(failed));
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(3, 3));
    settle(finish(done, TaskState.SUCCEEDED));
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(3, 2));
    tasks.cancel(cancelled.id());
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(3, 1));
    tasks.recountQuotas();
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(3, 1));
  }

  @Test
  void duplicates_and_replacements_take_no_room() {
    tasks.setQuota(MAILING, 1L);
    NewTask first = task(micros(60));
    NewTask other = task(micros(60));
    offer(keyed(first, "k"));

    assertThat(offer(keyed(other, "k"))).isEqualTo(duplicateOf(first.id()));
    assertThat(offer(keyed(other, "k", UNFINISHED, OnConflict.REPLACE)))
        .isEqualTo(duplicateOf(first.id()));
    assertThat(offer(keyed(other, "another"))).isInstanceOf(InsertResult.Exhausted.class);
    assertThat(tasks.quota(MAILING)).hasValue(new AdmissionQuota(1, 1));
    tasks.setQuota(MAILING, 2L);
    assertThat(offer(keyed(other, "another"))).isEqualTo(stored(other));
  }
}
