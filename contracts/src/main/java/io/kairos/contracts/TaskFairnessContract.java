package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.engine.task.port.FairEnqueueResult;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskPause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every task store for fairness keys, checked from outside through the port. */
public abstract class TaskFairnessContract extends TaskContract {
  private static final Fairness MANY_TASKS = new Fairness("a tenant, Zürich", 1);
  private static final Fairness FEW_TASKS = new Fairness("b", 1);
  private static final CollectionName SPRING = new CollectionName("spring");

  private NewTask fair(@Nullable Fairness fairness, long secondsFromNow) {
    return task(
        mail, micros(secondsFromNow), TaskDetails.of(new byte[] {1}).withFairness(fairness));
  }

  private List<NewTask> waiting(int number, @Nullable Fairness fairness, long secondsFromNow) {
    List<NewTask> some = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      some.add(storedWaiting(fair(fairness, secondsFromNow)));
    }
    return some;
  }

  private FairEnqueueResult enqueueFairly(
      int limit, long maxBytes, Set<String> without, String after, Duration ahead) {
    return tasks.enqueueFairly(
        new FairEnqueueRequest(
            NODE, mail, limit, maxBytes, without, after, ahead, ENQUEUE_TIMEOUT));
  }

  private List<EnqueuedTask> enqueueFairly(int limit) {
    return enqueueFairly(limit, PLENTY_BYTES, Set.of(), "", Duration.ZERO).tasks();
  }

  /** The number of tasks by key; an empty key stands for none. */
  private static Map<String, Integer> byKey(List<EnqueuedTask> tasks) {
    Map<String, Integer> byKey = new HashMap<>();
    for (EnqueuedTask task : tasks) {
      Fairness fairness = task.details().fairness();
      byKey.merge(fairness == null ? "" : fairness.key(), 1, Integer::sum);
    }
    return byKey;
  }

  @Test
  void a_fairness_key_and_its_weight_are_kept_until_the_task_has_ended() {
    Fairness heavy = new Fairness("heavy", 1_000);
    NewTask task = storedWaiting(fair(heavy, -60));

    assertThat(view(task.id()).details().fairness()).isEqualTo(heavy);
    EnqueuedTask enqueued = enqueue(NODE).getFirst();
    assertThat(enqueued.details().fairness()).isEqualTo(heavy);
    FencedTask processing = claimed(enqueued.task(), WORKER);
    settle(finish(processing, TaskState.SUCCEEDED));
    assertThat(view(task.id()).details().fairness()).isEqualTo(heavy);
  }

  @Test
  void a_queue_is_known_to_be_fair_from_its_first_task_with_a_key_on() {
    storeWaiting(fair(null, -60));
    assertThat(tasks.fairQueues()).isEmpty();

    storeWaiting(fair(FEW_TASKS, -60));

    assertThat(tasks.fairQueues()).containsExactly(mail);
  }

  @Test
  void the_one_task_of_a_key_is_found_behind_the_many_of_another() {
    waiting(30, MANY_TASKS, -3_600);
    NewTask one = storedWaiting(fair(FEW_TASKS, -60));

    List<EnqueuedTask> found = enqueueFairly(10);

    assertThat(ids(found)).contains(one.id());
    assertThat(byKey(found)).containsEntry(MANY_TASKS.key(), 5);
    assertThat(view(one.id()).state()).isEqualTo(TaskState.ENQUEUED);
    assertThat(view(one.id()).progress().holder()).isEqualTo(NODE.toString());
    assertThat(enqueueFairly(10)).hasSize(10);
    assertThat(enqueueFairly(100)).hasSize(15);
    assertThat(enqueueFairly(100)).isEmpty();
  }

  @Test
  void the_earliest_of_each_key_come_first_and_are_returned_in_due_order() {
    NewTask later = storedWaiting(fair(MANY_TASKS, -10));
    NewTask earlier = storedWaiting(fair(MANY_TASKS, -30));
    NewTask other = storedWaiting(fair(FEW_TASKS, -20));

    assertThat(ids(enqueueFairly(2))).containsExactly(earlier.id(), other.id());
    assertThat(ids(enqueueFairly(2))).containsExactly(later.id());
  }

  @Test
  void a_heavier_key_has_more_tasks() {
    waiting(20, new Fairness("heavy", 3), -60);
    waiting(20, FEW_TASKS, -60);

    assertThat(byKey(enqueueFairly(10))).isEqualTo(Map.of("heavy", 7, FEW_TASKS.key(), 3));
  }

  @Test
  void tasks_without_a_key_take_part_like_those_of_one_key() {
    waiting(20, MANY_TASKS, -3_600);
    waiting(20, null, -60);

    assertThat(byKey(enqueueFairly(10))).isEqualTo(Map.of(MANY_TASKS.key(), 5, "", 5));
    assertThat(byKey(enqueueFairly(5, PLENTY_BYTES, Set.of(""), "", Duration.ZERO).tasks()))
        .isEqualTo(Map.of(MANY_TASKS.key(), 5));
  }

  @Test
  void tasks_without_a_key_from_before_the_first_key_are_found_too() {
    NewTask before = storedWaiting(fair(null, -60));
    NewTask after = storedWaiting(fair(FEW_TASKS, -60));

    assertThat(ids(enqueueFairly(10))).containsExactlyInAnyOrder(before.id(), after.id());
  }

  @Test
  void keys_that_are_left_out_leave_their_room_to_others() {
    waiting(10, MANY_TASKS, -60);
    waiting(10, FEW_TASKS, -60);

    List<EnqueuedTask> found =
        enqueueFairly(8, PLENTY_BYTES, Set.of(MANY_TASKS.key()), "", Duration.ZERO).tasks();

    assertThat(byKey(found)).isEqualTo(Map.of(FEW_TASKS.key(), 8));
  }

  @Test
  void the_search_for_keys_goes_round() {
    for (String key : List.of("a", "b", "c")) {
      waiting(2, new Fairness(key, 1), -60);
    }

    FairEnqueueResult first = enqueueFairly(2, PLENTY_BYTES, Set.of(), "", Duration.ZERO);
    assertThat(byKey(first.tasks())).isEqualTo(Map.of("a", 1, "b", 1));
    assertThat(first.isWhole()).isFalse();
    assertThat(first.nextAfter()).isEqualTo("b");

    FairEnqueueResult second =
        enqueueFairly(2, PLENTY_BYTES, Set.of(), first.nextAfter(), Duration.ZERO);
    assertThat(byKey(second.tasks())).isEqualTo(Map.of("c", 1, "a", 1));
    assertThat(second.nextAfter()).isEqualTo("a");

    FairEnqueueResult third =
        enqueueFairly(9, PLENTY_BYTES, Set.of(), second.nextAfter(), Duration.ZERO);
    assertThat(byKey(third.tasks())).isEqualTo(Map.of("b", 1, "c", 1));
    assertThat(third.isWhole()).isTrue();
    assertThat(third.nextAfter()).isEqualTo("b");

    FairEnqueueResult none = enqueueFairly(9, PLENTY_BYTES, Set.of(), "b", Duration.ZERO);
    assertThat(none.tasks()).isEmpty();
    assertThat(none.isWhole()).isTrue();
    assertThat(none.nextAfter()).isEqualTo("b");
  }

  @Test
  void a_key_whose_tasks_are_not_due_takes_no_room() {
    NewTask later = storedWaiting(fair(FEW_TASKS, 3_600));
    waiting(10, MANY_TASKS, -60);

    assertThat(byKey(enqueueFairly(8))).isEqualTo(Map.of(MANY_TASKS.key(), 8));
    assertThat(ids(enqueueFairly(8, PLENTY_BYTES, Set.of(), "", Duration.ofHours(2)).tasks()))
        .contains(later.id())
        .hasSize(3);
  }

  @Test
  void bytes_are_bounded_but_one_task_is_always_found() {
    waiting(4, MANY_TASKS, -60);
    waiting(4, FEW_TASKS, -60);

    assertThat(enqueueFairly(8, 0, Set.of(), "", Duration.ZERO).tasks()).hasSize(1);
    assertThat(byKey(enqueueFairly(8, 4, Set.of(), "", Duration.ZERO).tasks()))
        .isEqualTo(Map.of(MANY_TASKS.key(), 2, FEW_TASKS.key(), 2));
  }

  @Test
  void the_next_search_begins_with_the_first_key_whose_tasks_did_not_fit() {
    for (String key : List.of("a", "b", "c", "d", "e")) {
      for (int i = 0; i < 2; i++) {
        storeWaiting(
            task(
                mail,
                micros(-60),
                TaskDetails.of(new byte[40_000]).withFairness(new Fairness(key, 1))));
      }
    }

    FairEnqueueResult first = enqueueFairly(10, 100_000, Set.of(), "", Duration.ZERO);
    assertThat(byKey(first.tasks())).isEqualTo(Map.of("a", 1, "b", 1));
    assertThat(first.nextAfter()).isEqualTo("b");

    FairEnqueueResult second = enqueueFairly(10, 100_000, Set.of(), "b", Duration.ZERO);
    assertThat(byKey(second.tasks())).isEqualTo(Map.of("c", 1, "d", 1));
    assertThat(second.nextAfter()).isEqualTo("d");

    FairEnqueueResult third = enqueueFairly(3, 100_000, Set.of(), "d", Duration.ZERO);
    assertThat(byKey(third.tasks())).isEqualTo(Map.of("e", 1, "a", 1));
    assertThat(third.nextAfter()).isEqualTo("a");

    FairEnqueueResult all = enqueueFairly(10, 240_000, Set.of(), "a", Duration.ZERO);
    assertThat(byKey(all.tasks())).isEqualTo(Map.of("b", 1, "c", 1, "d", 1, "e", 1));
    assertThat(all.nextAfter()).isEqualTo("b");
  }

  @Test
  void tasks_from_before_the_first_key_let_no_key_be_passed_over() {
    waiting(2, null, -60);
    waiting(1, new Fairness("a", 1), -60);
    waiting(1, new Fairness("b", 1), -60);

    FairEnqueueResult first = enqueueFairly(2, PLENTY_BYTES, Set.of(), "b", Duration.ZERO);
    assertThat(byKey(first.tasks())).isEqualTo(Map.of("", 1, "a", 1));

    FairEnqueueResult second =
        enqueueFairly(2, PLENTY_BYTES, Set.of(), first.nextAfter(), Duration.ZERO);
    assertThat(byKey(second.tasks())).isEqualTo(Map.of("b", 1, "", 1));
  }

  @Test
  void a_task_past_its_start_deadline_is_passed_over() {
    NewTask late =
        task(
            mail,
            micros(-120),
            TaskDetails.of(new byte[0]).withFairness(FEW_TASKS).withStartDeadline(micros(-60)));
    storeWaiting(late);
    NewTask other = storedWaiting(fair(FEW_TASKS, -60));

    assertThat(ids(enqueueFairly(8))).containsExactly(other.id());
  }

  @Test
  void paused_tasks_are_not_found_and_those_of_a_paused_collection_are_held_back() {
    NewTask spring =
        task(
            mail,
            micros(-120),
            TaskDetails.of(new byte[] {1}).withFairness(FEW_TASKS).withCollection(SPRING));
    storeWaiting(spring);
    NewTask other = storedWaiting(fair(FEW_TASKS, -60));
    tasks.setPause(new TaskPause(MAIL.handler(), null, TaskPause.Mode.PAUSE, null, "all"));
    assertThat(enqueueFairly(1)).isEmpty();
    tasks.endPause(MAIL.handler(), null);

    tasks.setPause(new TaskPause(MAIL.handler(), SPRING, TaskPause.Mode.PAUSE, null, "some"));

    assertThat(ids(enqueueFairly(1))).containsExactly(other.id());
    assertThat(view(spring.id()).state()).isEqualTo(TaskState.PAUSED);
    tasks.endPause(MAIL.handler(), SPRING);
    tasks.applyPauses(MANY);
    assertThat(ids(enqueueFairly(1))).containsExactly(spring.id());
  }

  @Test
  void a_task_that_waits_again_is_found_again() {
    waiting(20, MANY_TASKS, -3_600);
    NewTask task = storedWaiting(fair(FEW_TASKS, -60));
    FencedTask enqueued = taskOf(enqueueFairly(4), task);

    tasks.release(List.of(enqueued), ENQUEUE_TIMEOUT);
    FencedTask again = taskOf(enqueueFairly(4), task);
    FencedTask processing = claimed(again, WORKER);
    settle(retry(processing));

    assertThat(taskOf(enqueueFairly(4), task).id()).isEqualTo(task.id());
  }

  private static FencedTask taskOf(List<EnqueuedTask> found, NewTask wanted) {
    return found.stream()
        .map(EnqueuedTask::task)
        .filter(task -> task.id().equals(wanted.id()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void what_is_cancelled_or_put_off_is_not_found() {
    NewTask cancelled = storedWaiting(fair(FEW_TASKS, -60));
    NewTask putOff = storedWaiting(fair(FEW_TASKS, -60));
    tasks.cancel(cancelled.id());
    assertThat(tasks.reschedule(putOff.id(), micros(3_600))).isTrue();

    assertThat(enqueueFairly(8)).isEmpty();
    tasks.reschedule(putOff.id(), micros(-1));
    assertThat(ids(enqueueFairly(8))).containsExactly(putOff.id());
  }

  @Test
  void a_replacement_has_its_own_key() {
    NewTask task = fair(MANY_TASKS, -60);
    offer(task, OnConflict.KEEP);

    offer(fair(FEW_TASKS, -60), OnConflict.REPLACE);
    assertThat(view(task.id()).details().fairness()).isEqualTo(FEW_TASKS);

    offer(fair(null, -60), OnConflict.REPLACE);
    assertThat(view(task.id()).details().fairness()).isNull();
    assertThat(ids(enqueueFairly(8))).containsExactly(task.id());
  }

  private void offer(NewTask task, OnConflict onConflict) {
    TaskIdempotency idempotency =
        new TaskIdempotency("key", new Window.WhileUnfinished(), onConflict);
    InsertRequest request = new InsertRequest(List.of(new ArrivingTask(task, false, idempotency)));
    assertThat(tasks.insert(NODE, List.of(request), ENQUEUE_TIMEOUT))
        .singleElement()
        .isInstanceOf(InsertResult.Stored.class);
  }

  @Test
  void a_task_that_is_put_back_keeps_its_key() {
    NewTask task = storedWaiting(fair(FEW_TASKS, -60));
    settle(finish(claimed(enqueueOne(NODE), WORKER), TaskState.FAILED));
    List<TaskId> ids = List.of(task.id());

    tasks.redrive(new RedriveRequest(new RedriveRequest.Ids(ids), null, Duration.ZERO, 1));

    waiting(20, MANY_TASKS, -3_600);
    assertThat(ids(enqueueFairly(2))).contains(task.id());
    assertThat(view(task.id()).details().fairness()).isEqualTo(FEW_TASKS);
  }

  @Test
  void the_next_task_of_an_ordering_key_is_found_by_its_fairness_key() {
    OrderingKey key = new OrderingKey("k");
    TaskDetails details = TaskDetails.of(new byte[] {1}).withFairness(FEW_TASKS).withKey(key);
    NewTask first = storedWaiting(task(mail, micros(-60), details));
    NewTask second = storedWaiting(task(mail, micros(-30), details));
    waiting(20, MANY_TASKS, -3_600);
    EnqueuedTask enqueued =
        enqueueFairly(4).stream()
            .filter(one -> one.task().id().equals(first.id()))
            .findFirst()
            .orElseThrow();
    tasks.claim(List.of(new TaskClaim(enqueued.task(), mail, WORKER, enqueued.keyId())), LEASE);
    assertThat(view(second.id()).state()).isEqualTo(TaskState.BLOCKED);

    settle(finish(enqueued.task().next(), TaskState.SUCCEEDED));

    assertThat(ids(enqueueFairly(4))).contains(second.id());
  }
}
