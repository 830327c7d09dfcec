package io.kairos.contracts;

import static io.kairos.domain.task.TaskState.DEAD;
import static io.kairos.domain.task.TaskState.ENQUEUED;
import static io.kairos.domain.task.TaskState.FAILED;
import static io.kairos.domain.task.TaskState.NEW;
import static io.kairos.domain.task.TaskState.PROCESSING;
import static io.kairos.domain.task.TaskState.RETRIABLE_FAILURE;
import static io.kairos.domain.task.TaskState.SUCCEEDED;
import static io.kairos.engine.task.port.HeartbeatFinding.CANCEL_REQUESTED;
import static io.kairos.engine.task.port.HeartbeatFinding.EXTENDED;
import static io.kairos.engine.task.port.HeartbeatFinding.LOST;
import static io.kairos.engine.task.port.operator.CancelResult.CANCELLED;
import static io.kairos.engine.task.port.operator.CancelResult.REQUESTED;
import static io.kairos.engine.task.port.operator.CancelResult.TOO_LATE;
import static io.kairos.engine.task.port.operator.CancelResult.UNKNOWN;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.TaskView.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of every {@link TaskStore}, checked from outside through the port. */
public abstract class TaskStoreContract extends TaskContract {
  private static final EnumSet<TaskState> ALL = EnumSet.allOf(TaskState.class);

  // Queues

  @Test
  void da13_a_pair_of_handler_and_priority_has_one_number_for_ever() {
    QueueName urgent = new QueueName(MAIL.handler(), 100);

    Map<QueueName, QueueId> numbers = tasks.queues(List.of(urgent, MAIL, MAIL));

    assertThat(numbers).hasSize(2).containsEntry(MAIL, mail);
    assertThat(numbers.get(urgent)).isNotNull().isNotIn(mail, print);
    assertThat(queue(urgent)).isEqualTo(numbers.get(urgent));
    assertThat(tasks.queues()).containsEntry(mail, MAIL).containsEntry(print, PRINT);
    assertThat(tasks.queues(List.of())).isEmpty();
  }

  // Storing

  @Test
  void a_task_that_is_stored_on_its_queue_is_held_by_the_node_with_fence_1() {
    NewTask task = task(micros(60));

    enqueued(task);

    TaskView view = view(task.id());
    assertThat(view.state()).isEqualTo(ENQUEUED);
    assertThat(view.progress().holder()).isEqualTo(NODE.toString());
    assertThat(tasks.holder(task.id())).hasValue(new TaskHolder(NODE.toString(), 1));
    assertThat(view.progress().attempt()).isZero();
    assertThat(enqueue(PEER)).isEmpty();
  }

  @Test
  void da17a_da17b_the_trigger_of_a_new_task_is_its_due_time_and_on_its_queue_the_timeout_later() {
    NewTask waiting = task(micros(3_600));
    NewTask due = task(micros(3_600));
    NewTask overdue = task(micros(-3_600));
    storeWaiting(waiting);
    insert(NODE, List.of(due, overdue), List.of());

    assertThat(view(waiting.id()).progress().nextTrigger())
        .isEqualTo(EpochMicros.toInstant(waiting.dueMicros()));
    assertThat(view(due.id()).progress().nextTrigger())
        .isEqualTo(EpochMicros.toInstant(due.dueMicros()).plus(ENQUEUE_TIMEOUT));
    assertIn(ENQUEUE_TIMEOUT, view(overdue.id()).progress().nextTrigger());
  }

  @Test
  void a_waiting_task_has_no_holder() {
    NewTask task = task(micros(60));

    storeWaiting(task);

    TaskView view = view(task.id());
    assertThat(view.state()).isEqualTo(NEW);
    assertThat(view.progress().holder()).isNull();
    assertThat(view.progress().finishedAt()).isNull();
    assertThat(view.progress().cancelRequested()).isFalse();
    assertThat(view.progress().failures()).isEmpty();
    assertThat(tasks.holder(task.id())).isEmpty();
  }

  @Test // DA-1
  void everything_that_was_given_comes_back_when_asked_for_and_when_enqueued() {
    byte[] payload = new byte[256];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    RetryPolicy policy = new RetryPolicy(3, Duration.ofMillis(1_500), 1.25, Duration.ofSeconds(9));
    NewTask full =
        task(
            print,
            micros(-2) | 1,
            TaskDetails.of(payload)
                .withRetryPolicy(policy)
                .withExecutionTimeout(Duration.ofMillis(750))
                .withKey(new OrderingKey("anna"))
                .withCollection(new CollectionName("import"))
                .withStartDeadline(micros(600))
                .withTraceContext(
                    new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")));
    NewTask plain = task(mail, micros(-1), new byte[0]);
    storeWaiting(full, plain);

    TaskView view = view(full.id());
    List<EnqueuedTask> enqueued = enqueue(NODE);

    assertThat(view.queue()).isEqualTo(PRINT);
    assertThat(view.dueAt()).isEqualTo(EpochMicros.toInstant(full.dueMicros()));
    assertIn(Duration.ZERO, view.createdAt());
    assertThat(view.details()).usingRecursiveComparison().isEqualTo(full.details());
    assertThat(view(plain.id()).details().retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(view(plain.id()).details().payload()).isEmpty();
    assertThat(enqueued).hasSize(2);
    assertComesBack(enqueued.getFirst(), full);
    assertComesBack(enqueued.getLast(), plain);
  }

  private static void assertComesBack(EnqueuedTask enqueued, NewTask stored) {
    assertThat(enqueued.task()).isEqualTo(new FencedTask(stored.id(), 1));
    assertThat(enqueued.queue()).isEqualTo(stored.queue());
    assertThat(enqueued.dueMicros()).isEqualTo(stored.dueMicros());
    assertThat(enqueued.triggerMicros()).isEqualTo(stored.dueMicros());
    assertThat(enqueued.attempt()).isZero();
    assertThat(enqueued.details()).usingRecursiveComparison().isEqualTo(stored.details());
  }

  @Test
  void a_large_payload_comes_back_byte_for_byte() {
    byte[] large = new byte[1 << 20];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31 + (i >> 8));
    }
    storeWaiting(task(mail, micros(-1), large));

    assertThat(enqueue(NODE).getFirst().details().payload()).isEqualTo(large);
  }

  @Test
  void a_batch_with_an_id_that_is_taken_is_not_stored_at_all() {
    FencedTask taken = enqueued();
    NewTask again = new NewTask(taken.id(), print, 0, TaskDetails.of(new byte[0]), null);
    NewTask waiting = task(micros(60));
    NewTask due = task(micros(0));

    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> insert(NODE, List.of(due, again), List.of(waiting)));

    assertThat(tasks.find(waiting.id())).isEmpty();
    assertThat(tasks.find(due.id())).isEmpty();
    assertThat(view(taken).queue()).isEqualTo(MAIL);
  }

  @Test
  void an_empty_batch_is_stored() {
    insert(NODE, List.of(), List.of());

    assertThat(tasks.insert(NODE, List.of(), ENQUEUE_TIMEOUT)).isEmpty();
    assertThat(tasks.list(listAll(MANY, null)).tasks()).isEmpty();
  }

  @Test
  void requests_that_are_stored_together_are_answered_each_by_itself() {
    NewTask one = task(micros(0));
    NewTask two = task(micros(0));
    NewTask three = task(micros(60));

    TaskReceipt ofOne = TaskReceipt.stored(one.id(), false);
    TaskReceipt ofTwo = TaskReceipt.stored(two.id(), true);
    TaskReceipt ofThree = TaskReceipt.stored(three.id(), false);
    List<InsertRequest> requests =
        List.of(
            request(List.of(), List.of(three)),
            request(List.of(), List.of()),
            request(List.of(two), List.of(one)));
    assertThat(tasks.insert(NODE, requests, ENQUEUE_TIMEOUT))
        .containsExactly(
            new InsertResult.Stored(List.of(ofThree)),
            new InsertResult.Stored(List.of()),
            new InsertResult.Stored(List.of(ofTwo, ofOne)));
    assertThat(listed(listAll(MANY, null))).containsExactly(three.id(), two.id(), one.id());
  }

  @Test
  void thousands_go_through_all_steps_in_one_call_each() {
    List<NewTask> due = new ArrayList<>();
    List<NewTask> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      due.add(task(micros(0)));
      waiting.add(task(micros(3_600)));
    }
    List<NewTask> shuffled = new ArrayList<>(due);
    Collections.reverse(shuffled);
    insert(NODE, shuffled, waiting);
    List<FencedTask> enqueued = due.stream().map(task -> new FencedTask(task.id(), 1)).toList();

    Set<FencedTask> claimed =
        tasks.claim(enqueued.stream().map(task -> claimOn(task, WORKER)).toList(), LEASE).claimed();
    List<FencedTask> processing = enqueued.stream().map(FencedTask::next).toList();
    List<HeartbeatFinding> beats = tasks.heartbeat(processing, LEASE);
    Set<FencedTask> settled =
        tasks.settle(processing.stream().map(task -> finish(task, SUCCEEDED)).toList()).tasks();

    assertThat(claimed).containsExactlyInAnyOrderElementsOf(enqueued);
    assertThat(beats).hasSize(2_000).containsOnly(EXTENDED);
    assertThat(settled).containsExactlyInAnyOrderElementsOf(processing);
    assertThat(tasks.list(list(Set.of(SUCCEEDED), 5_000)).tasks()).hasSize(2_000);
    assertThat(tasks.list(list(Set.of(NEW), 5_000)).tasks()).hasSize(2_000);
  }

  // Enqueueing

  @Test // DA-14
  void da18_what_comes_due_within_the_lead_is_enqueued_and_the_rest_waits() {
    NewTask due = task(micros(0));
    NewTask soon = task(micros(600));
    NewTask later = task(micros(7_200));
    storeWaiting(later, soon, due);

    assertThat(ids(enqueue(NODE))).containsExactly(due.id());
    assertThat(ids(enqueue(NODE, Map.of(mail, MANY), PLENTY_BYTES, LONG)))
        .containsExactly(soon.id());
    assertThat(stateOf(new FencedTask(later.id(), 0))).isEqualTo(NEW);
  }

  @Test
  void an_enqueued_task_belongs_to_the_node_with_the_next_fence() {
    NewTask task = storedWaiting(task(micros(-60)));

    EnqueuedTask enqueued = enqueue(PEER).getFirst();

    assertThat(enqueued.task()).isEqualTo(new FencedTask(task.id(), 1));
    assertThat(enqueued.triggerMicros()).isEqualTo(task.dueMicros());
    assertThat(tasks.holder(task.id())).hasValue(new TaskHolder(PEER.toString(), 1));
    assertThat(view(task.id()).state()).isEqualTo(ENQUEUED);
    assertIn(ENQUEUE_TIMEOUT, view(task.id()).progress().nextTrigger());
    assertThat(enqueue(NODE)).isEmpty();
  }

  @Test
  void the_enqueue_timeout_of_what_is_enqueued_ahead_begins_at_its_trigger() {
    NewTask task = storedWaiting(task(micros(1_800)));

    enqueue(NODE, Map.of(mail, 1), PLENTY_BYTES, LONG);

    assertThat(view(task.id()).progress().nextTrigger())
        .isEqualTo(EpochMicros.toInstant(task.dueMicros()).plus(ENQUEUE_TIMEOUT));
  }

  @Test // PD-25
  void tasks_are_enqueued_in_due_order_up_to_the_limit_of_each_queue() {
    long past = micros(-600);
    NewTask third = task(past + 3);
    NewTask first = task(past + 1);
    NewTask second = task(past + 2);
    NewTask elsewhere = task(print, past + 4, new byte[0]);
    storeWaiting(third, first, second, elsewhere);

    assertThat(ids(enqueue(NODE, Map.of(mail, 2, print, 1), PLENTY_BYTES, Duration.ZERO)))
        .containsExactly(first.id(), second.id(), elsewhere.id());
    assertThat(ids(enqueue(NODE))).containsExactly(third.id());
  }

  @Test
  void only_queues_with_room_are_served() {
    storeWaiting(task(micros(-1)), task(print, micros(-1), new byte[0]));

    assertThat(enqueue(NODE, Map.of(), PLENTY_BYTES, Duration.ZERO)).isEmpty();
    assertThat(enqueue(NODE, Map.of(mail, 0), PLENTY_BYTES, Duration.ZERO)).isEmpty();
    assertThat(enqueue(NODE, Map.of(mail, 0, print, 5), PLENTY_BYTES, Duration.ZERO))
        .extracting(EnqueuedTask::queue)
        .containsExactly(print);
  }

  @Test
  void bytes_are_bounded_but_each_queue_gets_one() {
    long past = micros(-600);
    NewTask large = task(mail, past, new byte[1_000]);
    NewTask small = task(mail, past + 1, new byte[10]);
    NewTask other = task(print, past + 2, new byte[1_000]);
    storeWaiting(large, small, other);

    assertThat(ids(enqueue(NODE, Map.of(mail, MANY, print, MANY), 100, Duration.ZERO)))
        .containsExactly(large.id(), other.id());
    assertThat(ids(enqueue(NODE, Map.of(mail, MANY, print, MANY), 100, Duration.ZERO)))
        .containsExactly(small.id());
  }

  @Test
  void dal7_concurrent_enqueues_never_give_the_same_task_and_leave_none() throws Exception {
    List<NewTask> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add(task(i % 2 == 0 ? mail : print, micros(-600) + i, new byte[1]));
    }
    insert(NODE, List.of(), many);

    Callable<List<TaskId>> node = this::enqueueAll;
    List<TaskId> got = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(4)) {
      for (Future<List<TaskId>> one : nodes.invokeAll(Collections.nCopies(4, node))) {
        got.addAll(one.get());
      }
    }

    // One may have passed over what another had locked; what is left then is taken here.
    got.addAll(enqueueAll());
    assertThat(got).hasSize(many.size()).doesNotHaveDuplicates();
  }

  private List<TaskId> enqueueAll() {
    Map<QueueId, Integer> limits = Map.of(mail, 25, print, 25);
    List<TaskId> all = new ArrayList<>();
    List<EnqueuedTask> some = enqueue(NODE, limits, PLENTY_BYTES, Duration.ZERO);
    while (!some.isEmpty()) {
      all.addAll(ids(some));
      some = enqueue(NODE, limits, PLENTY_BYTES, Duration.ZERO);
    }
    return all;
  }

  // Releasing

  @Test
  void a_released_task_waits_for_its_due_time_again_and_its_claim_is_void() {
    NewTask early = task(micros(600));
    FencedTask due = enqueued();
    FencedTask notYet = enqueued(early);

    tasks.release(List.of(due, notYet), ENQUEUE_TIMEOUT);

    assertThat(isClaimed(due)).isFalse();
    assertThat(view(notYet).state()).isEqualTo(NEW);
    assertThat(view(notYet).progress().nextTrigger())
        .isEqualTo(EpochMicros.toInstant(early.dueMicros()));
    List<EnqueuedTask> again = enqueue(PEER);
    assertThat(ids(again)).containsExactly(due.id());
    assertThat(again.getFirst().task().fence()).isGreaterThan(due.fence());
    assertThat(again.getFirst().attempt()).isZero();
  }

  @Test
  void a_released_retry_waits_for_its_moment_again_however_often_it_is_released() {
    FencedTask failed = processing();
    settle(new Settlement.Retry(failed, Duration.ofMinutes(20), "again"));
    Instant moment = requireNonNull(view(failed).progress().nextTrigger());

    for (int round = 0; round < 3; round++) {
      List<EnqueuedTask> ahead = enqueue(NODE, Map.of(mail, MANY), PLENTY_BYTES, LONG);
      tasks.release(ahead.stream().map(EnqueuedTask::task).toList(), ENQUEUE_TIMEOUT);
    }

    assertThat(stateOf(failed)).isEqualTo(RETRIABLE_FAILURE);
    assertThat(view(failed).progress().nextTrigger()).isEqualTo(moment);
  }

  @Test
  void a_released_retry_whose_moment_had_come_is_enqueued_again_at_once() {
    FencedTask failed = processing();
    settle(retry(failed));

    tasks.release(List.of(enqueueOne(NODE)), ENQUEUE_TIMEOUT);

    assertThat(enqueue(PEER))
        .singleElement()
        .satisfies(one -> assertThat(one.attempt()).isEqualTo(1));
  }

  @Test
  void a_release_under_an_old_fence_changes_nothing() {
    FencedTask processing = processing();
    FencedTask enqueued = enqueued();
    NewTask waiting = storedWaiting(task(micros(600)));

    tasks.release(
        List.of(
            processing,
            new FencedTask(processing.id(), 1),
            new FencedTask(enqueued.id(), 0),
            new FencedTask(waiting.id(), 0),
            new FencedTask(newId(), 1)),
        ENQUEUE_TIMEOUT);
    tasks.release(List.of(), ENQUEUE_TIMEOUT);

    assertThat(stateOf(processing)).isEqualTo(PROCESSING);
    assertThat(tasks.holder(enqueued.id())).hasValue(new TaskHolder(NODE.toString(), 1));
    assertThat(enqueue(NODE, Map.of(mail, MANY), PLENTY_BYTES, LONG))
        .extracting(one -> one.task().fence())
        .containsExactly(1L);
  }

  @Test
  void what_departed_nodes_had_on_their_queues_waits_again_in_bounded_steps() {
    FencedTask first = enqueued(task(micros(-20)));
    FencedTask second = enqueued(task(micros(-10)));
    FencedTask performed = processing();
    NewTask peers = task(micros(0));
    insert(PEER, List.of(peers), List.of());

    assertThat(tasks.releaseHeldBy(Set.of(NODE), ENQUEUE_TIMEOUT, 1)).isEqualTo(1);
    assertThat(tasks.releaseHeldBy(Set.of(NODE), ENQUEUE_TIMEOUT, MANY)).isEqualTo(1);
    assertThat(tasks.releaseHeldBy(Set.of(NODE), ENQUEUE_TIMEOUT, MANY)).isZero();
    assertThat(tasks.releaseHeldBy(Set.of(), ENQUEUE_TIMEOUT, MANY)).isZero();

    assertThat(ids(enqueue(PEER))).containsExactly(first.id(), second.id());
    assertThat(isClaimed(first)).isFalse();
    assertThat(stateOf(performed)).isEqualTo(PROCESSING);
    assertThat(view(peers.id()).progress().holder()).isEqualTo(PEER.toString());
  }

  @Test
  void what_departed_nodes_had_for_another_attempt_is_tried_again_at_once() {
    FencedTask retried = afterFailure(processing());

    assertThat(tasks.releaseHeldBy(Set.of(NODE), ENQUEUE_TIMEOUT, MANY)).isEqualTo(1);

    assertThat(stateOf(retried)).isEqualTo(RETRIABLE_FAILURE);
    assertThat(ids(enqueue(PEER))).containsExactly(retried.id());
  }

  // Claiming

  @Test // DA-16
  void da19_a_claim_makes_an_enqueued_task_the_workers_and_counts_an_attempt() {
    FencedTask enqueued = enqueued();

    Set<FencedTask> claimed = tasks.claim(List.of(claimOn(enqueued, WORKER)), LEASE).claimed();

    assertThat(claimed).containsExactly(enqueued);
    TaskView view = view(enqueued);
    assertThat(view.state()).isEqualTo(PROCESSING);
    assertThat(view.progress().attempt()).isEqualTo(1);
    assertThat(view.progress().holder()).isEqualTo(WORKER);
    assertThat(tasks.holder(enqueued.id())).hasValue(new TaskHolder(WORKER, 2));
    assertIn(LEASE, view.progress().nextTrigger());
  }

  @Test // PD-29
  void da19_nothing_but_an_enqueued_task_can_be_claimed() {
    NewTask waiting = task(micros(0));
    FencedTask done = processing();
    FencedTask failed = processing();
    settle(finish(done, SUCCEEDED), retry(failed));
    storeWaiting(waiting);
    FencedTask processing = processing();

    FencedTask notEnqueued = new FencedTask(waiting.id(), 0);
    FencedTask unknown = new FencedTask(newId(), 1);
    assertThat(
            Stream.of(notEnqueued, processing, done, done.next(), failed, failed.next(), unknown))
        .noneMatch(this::isClaimed);
    assertThat(tasks.holder(processing.id())).hasValue(new TaskHolder(WORKER, 2));
    assertThat(tasks.claim(List.of(), LEASE)).isEqualTo(ClaimResult.NONE);
  }

  @Test
  void da7_of_two_claims_of_one_task_one_succeeds() {
    FencedTask enqueued = enqueued();

    assertThat(isClaimed(enqueued)).isTrue();
    assertThat(isClaimed(enqueued)).isFalse();
  }

  @Test
  void dal7_an_old_copy_of_an_enqueued_task_is_told_from_the_new_one_in_the_same_batch() {
    FencedTask old = enqueued();
    tasks.release(List.of(old), ENQUEUE_TIMEOUT);
    FencedTask current = enqueueOne(NODE);

    Set<FencedTask> claimed =
        tasks.claim(List.of(claimOn(old, OTHER_WORKER), claimOn(current, WORKER)), LEASE).claimed();

    assertThat(claimed).containsExactly(current);
    assertThat(tasks.holder(old.id())).hasValue(new TaskHolder(WORKER, current.fence() + 1));
  }

  @Test
  void a_batch_of_claims_may_be_for_many_workers() {
    FencedTask one = enqueued();
    FencedTask two = enqueued();

    assertThat(
            tasks.claim(List.of(claimOn(two, OTHER_WORKER), claimOn(one, WORKER)), LEASE).claimed())
        .containsExactlyInAnyOrder(one, two);

    assertThat(view(one).progress().holder()).isEqualTo(WORKER);
    assertThat(view(two).progress().holder()).isEqualTo(OTHER_WORKER);
  }

  @Test
  void fences_rise_with_every_change_of_holder() {
    FencedTask task = enqueued();
    List<Long> fences = new ArrayList<>(List.of(task.fence()));
    for (int round = 0; round < 3; round++) {
      FencedTask processing = claimed(task, WORKER);
      fences.add(processing.fence());
      settle(retry(processing));
      task = enqueueOne(NODE);
      fences.add(task.fence());
    }
    tasks.release(List.of(task), ENQUEUE_TIMEOUT);
    stores.letPass(ENQUEUE_TIMEOUT.plusMinutes(1));
    fences.add(enqueueOne(PEER).fence());

    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }

  // Heartbeats

  @Test
  void da17d_a_heartbeat_begins_the_lease_anew() {
    FencedTask processing = processing();
    stores.letPass(LEASE.minusMinutes(2));

    assertThat(beat(processing)).isEqualTo(EXTENDED);

    assertIn(LEASE, view(processing).progress().nextTrigger());
    assertThat(tasks.holder(processing.id())).hasValue(new TaskHolder(WORKER, 2));
    assertThat(view(processing).progress().attempt()).isEqualTo(1);
  }

  @Test
  void da7_a_heartbeat_under_an_old_fence_changes_nothing() {
    FencedTask old = processing();
    settle(retry(old));
    FencedTask enqueued = enqueueOne(NODE);

    assertThat(beat(old)).isEqualTo(LOST);
    assertThat(beat(enqueued)).isEqualTo(LOST);
    FencedTask current = claimed(enqueued, OTHER_WORKER);
    stores.letPass(LEASE.plusMinutes(1));
    assertThat(beat(old)).isEqualTo(LOST);
    assertThat(lapsed(MANY)).hasSize(1);
    assertThat(tasks.heartbeat(List.of(old, current, old), LEASE))
        .containsExactly(LOST, EXTENDED, LOST);
    settle(finish(current, SUCCEEDED));
    assertThat(beat(current)).isEqualTo(LOST);
    assertThat(beat(new FencedTask(newId(), 1))).isEqualTo(LOST);
    assertThat(tasks.heartbeat(List.of(), LEASE)).isEmpty();
  }

  @Test
  void a_heartbeat_renews_each_lease_by_its_own_length_and_a_task_by_its_longest() {
    FencedTask brief = processing();
    FencedTask lasting = processing();

    assertThat(
            tasks.heartbeat(
                List.of(
                    new LeaseRenewal(lasting, LONG),
                    new LeaseRenewal(brief, LEASE),
                    new LeaseRenewal(lasting, LEASE)),
                BELIEVED))
        .containsExactly(EXTENDED, EXTENDED, EXTENDED);

    assertIn(LEASE, view(brief).progress().nextTrigger());
    assertIn(LONG, view(lasting).progress().nextTrigger());
  }

  @Test
  void the_last_heartbeat_is_that_of_the_attempt_under_way() {
    FencedTask first = processing();
    assertThat(view(first).progress().heartbeatAt()).isNull();
    beat(first);
    Instant before = requireNonNull(view(first).progress().heartbeatAt());
    stores.letPass(Duration.ofMinutes(1));

    beat(first);

    assertThat(view(first).progress().heartbeatAt()).isAfter(before);
    assertIn(Duration.ZERO, view(first).progress().heartbeatAt());
    assertThat(tasks.list(listAll(MANY, null)).tasks().getFirst().progress().heartbeatAt())
        .isEqualTo(view(first).progress().heartbeatAt());
    FencedTask second = claimed(afterFailure(first), WORKER);
    assertThat(view(second).progress().heartbeatAt()).isNull();
    assertThat(beat(first)).isEqualTo(LOST);
    assertThat(view(second).progress().heartbeatAt()).isNull();
    beat(second);
    assertIn(Duration.ZERO, view(second).progress().heartbeatAt());
    settle(finish(second, SUCCEEDED));
    assertThat(view(second).progress().heartbeatAt()).isNull();
  }

  @Test
  void a_heartbeat_says_that_a_cancel_was_asked_for() {
    FencedTask asked = processing();
    FencedTask other = processing();
    tasks.cancel(asked.id());

    assertThat(tasks.heartbeat(List.of(other, asked), LEASE))
        .containsExactly(EXTENDED, CANCEL_REQUESTED);
    assertIn(LEASE, view(asked).progress().nextTrigger());
  }

  // Attempts

  @Test
  void attempts_are_those_that_are_under_way_with_their_fence() {
    RetryPolicy policy = new RetryPolicy(2, Duration.ofSeconds(1), 1, Duration.ofSeconds(1));
    TaskDetails details = TaskDetails.of(new byte[0]).withRetryPolicy(policy);
    FencedTask limited = claimed(enqueued(task(mail, micros(0), details)), OTHER_WORKER);
    FencedTask twice = afterRetry(processing());
    FencedTask done = processing();
    settle(finish(done, SUCCEEDED));

    FencedTask before = new FencedTask(twice.id(), twice.fence() - 1);
    FencedTask unknown = new FencedTask(newId(), 2);
    assertThat(tasks.attempts(List.of(limited, twice, done, before, enqueued(), unknown)))
        .containsExactlyInAnyOrder(
            new HeldAttempt(limited, PROCESSING, 1, policy, OTHER_WORKER, false),
            new HeldAttempt(twice, PROCESSING, 2, RetryPolicy.DEFAULT, WORKER, false));
    assertThat(tasks.attempts(List.of())).isEmpty();
  }

  // Settling

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELLED", "DEAD"})
  void da17f_da17g_an_ended_task_has_no_trigger_and_no_holder(TaskState end) {
    FencedTask processing = processing();

    assertThat(settle(finish(processing, end))).containsExactly(processing);

    TaskView view = view(processing);
    assertThat(view.state()).isEqualTo(end);
    assertThat(view.progress().nextTrigger()).isNull();
    assertThat(view.progress().holder()).isNull();
    assertThat(view.progress().attempt()).isEqualTo(1);
    assertThat(view.queue()).isEqualTo(MAIL);
    assertIn(Duration.ZERO, view.progress().finishedAt());
    assertThat(tasks.holder(processing.id())).isEmpty();
    stores.letPass(LONG);
    assertThat(lapsed(MANY)).isEmpty();
    assertThat(enqueue(NODE)).isEmpty();
  }

  @Test
  void only_what_can_be_put_back_keeps_its_payload_and_only_failures_are_noted() {
    for (TaskState end : List.of(SUCCEEDED, TaskState.CANCELLED, FAILED, DEAD)) {
      FencedTask processing = processing();
      settle(finish(processing, end));

      boolean failed = end == FAILED || end == DEAD;
      assertThat(view(processing).details().bytes() > 0).as("%s", end).isEqualTo(failed);
      assertThat(view(processing).progress().failures())
          .as("%s", end)
          .extracting(Failure::error)
          .isEqualTo(failed ? List.of("why") : List.of());
    }
  }

  @Test
  void the_value_of_a_success_is_kept_beside_the_failures_and_is_not_in_lists() {
    TaskResult value = new TaskResult(new byte[] {0, -1, 7}, "application/x-seven");
    FencedTask retried = claimed(afterFailure(processing()), WORKER);
    settle(new Settlement.Finish(retried, value));

    assertThat(view(retried).progress().result()).isEqualTo(value);
    assertThat(errorsOf(retried)).containsExactly("why");
    assertThat(tasks.find(retried.id(), false).orElseThrow().progress().result().isNone()).isTrue();
    assertThat(tasks.list(listAll(MANY, null)).tasks())
        .extracting(view -> view.progress().result())
        .containsExactly(TaskResult.NONE);
  }

  @Test
  void values_may_be_empty_or_as_large_as_is_allowed_and_most_successes_have_none() {
    TaskResult empty = new TaskResult(new byte[0], "text/plain");
    TaskResult untyped = new TaskResult(new byte[] {1}, "");
    TaskResult largest = new TaskResult(new byte[TaskResult.MOST_BYTES], "a/b");
    for (TaskResult value : List.of(empty, untyped, largest, TaskResult.NONE)) {
      FencedTask some = processing();
      FencedTask silent = processing();
      settle(new Settlement.Finish(some, value), new Settlement.Finish(silent, TaskResult.NONE));

      assertThat(view(some).progress().result()).isEqualTo(value);
      assertThat(view(silent).progress().result().isNone()).isTrue();
    }
    FencedTask cancelled = processing();
    settle(finish(cancelled, TaskState.CANCELLED));
    assertThat(view(cancelled).progress().result().isNone()).isTrue();
  }

  @Test
  void who_waits_for_tasks_is_given_those_that_have_ended_without_their_payload() {
    FencedTask succeeded = processing();
    FencedTask dead = processing();
    FencedTask retried = processing();
    settle(
        new Settlement.Finish(succeeded, TaskResult.text("42")),
        finish(dead, DEAD),
        retry(retried));
    TaskId unknown = task(micros(0)).id();

    List<TaskView> ended =
        tasks.ended(List.of(succeeded.id(), dead.id(), retried.id(), unknown), Long.MAX_VALUE);

    assertThat(ended).extracting(TaskView::id).containsExactlyInAnyOrder(succeeded.id(), dead.id());
    for (TaskView one : ended) {
      TaskView whole = view(one.id());
      assertThat(one.state()).isEqualTo(whole.state());
      assertThat(one.progress().result()).isEqualTo(whole.progress().result());
      assertThat(one.progress().failures()).isEqualTo(whole.progress().failures());
      assertThat(one.details().bytes()).isZero();
    }
    assertThat(tasks.ended(List.of(), 1)).isEmpty();
  }

  @Test
  void ended_tasks_that_are_waited_for_are_given_up_to_so_many_bytes_of_values_and_at_least_one() {
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      FencedTask processing = processing();
      settle(new Settlement.Finish(processing, new TaskResult(new byte[1_000], "")));
      ids.add(processing.id());
    }

    assertThat(tasks.ended(ids, 1)).hasSize(1);
    assertThat(tasks.ended(ids, 1_001)).hasSize(2);
    assertThat(tasks.ended(ids, 1 << 20)).hasSize(3);
  }

  @Test
  void errors_and_stacks_count_as_long_as_they_are_though_they_may_be_stored_compressed() {
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      FencedTask processing = processing();
      settle(
          new Settlement.Finish(
              processing,
              DEAD,
              "x".repeat(ErrorText.LONGEST),
              "",
              "y".repeat(ErrorText.LONGEST_STACK),
              TaskResult.NONE,
              ReportedBy.ANY));
      ids.add(processing.id());
    }
    int each = ErrorText.LONGEST + ErrorText.LONGEST_STACK;

    assertThat(tasks.ended(ids, each)).hasSize(1);
    assertThat(tasks.ended(ids, 2L * each)).hasSize(2);
    assertThat(tasks.ended(ids, 4L * each)).hasSize(3);
  }

  @Test
  void progress_is_that_of_the_attempt_and_the_last_that_its_worker_has_said() {
    FencedTask first = processing();
    assertThat(view(first).progress().reported()).isNull();

    assertThat(
            tasks.heartbeat(
                List.of(said(first, 10, ""), said(first, 20, "rows\0 done")), Long.MAX_VALUE))
        .containsExactly(EXTENDED, EXTENDED);

    TaskView.Reported reported = requireNonNull(view(first).progress().reported());
    assertThat(reported.progress()).isEqualTo(new TaskProgress(20, "rows done"));
    assertIn(Duration.ZERO, reported.at());
    beat(first); // says nothing new
    assertThat(view(first).progress().reported()).isEqualTo(reported);
    assertThat(tasks.list(listAll(MANY, null)).tasks().getFirst().progress().reported())
        .isEqualTo(reported);

    FencedTask second = claimed(afterFailure(first), WORKER);
    assertThat(view(second).progress().reported()).isNull();
    assertThat(tasks.heartbeat(List.of(said(first, 99, "late")), Long.MAX_VALUE))
        .containsExactly(HeartbeatFinding.LOST);
    assertThat(view(second).progress().reported()).isNull();
    tasks.heartbeat(List.of(said(second, 100, "")), Long.MAX_VALUE);
    settle(finish(second, SUCCEEDED));
    assertThat(view(second).progress().reported()).isNull();
  }

  private static LeaseRenewal said(FencedTask task, int percent, String note) {
    return new LeaseRenewal(task, LEASE, null, new TaskProgress(percent, note));
  }

  @Test // DA-20
  void da17e_a_failed_attempt_waits_for_its_delay_and_passes_through_its_queue_again() {
    FencedTask processing = processing();

    assertThat(settle(new Settlement.Retry(processing, LONG, "no luck")))
        .containsExactly(processing);

    TaskView view = view(processing);
    assertThat(view.state()).isEqualTo(RETRIABLE_FAILURE);
    assertThat(view.progress().holder()).isNull();
    assertIn(LONG, view.progress().nextTrigger());
    assertThat(view.progress().failures()).extracting(Failure::error).containsExactly("no luck");
    assertThat(view.progress().failures()).extracting(Failure::attempt).containsExactly(1);
    assertIn(Duration.ZERO, view.progress().failures().getFirst().at());
    assertThat(enqueue(NODE)).isEmpty();
    stores.letPass(LONG.plusMinutes(1));
    EnqueuedTask again = enqueue(NODE).getFirst();
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.triggerMicros()).isGreaterThan(again.dueMicros());
    claimed(again.task(), WORKER);
    assertThat(view(processing).progress().attempt()).isEqualTo(2);
  }

  @Test
  void da7_a_result_under_an_old_fence_changes_nothing() {
    FencedTask stale = processing();
    stores.letPass(LEASE.plusMinutes(1));
    reap(new Settlement.Retry(stale, Duration.ZERO, "lapsed"));
    FencedTask enqueued = enqueueOne(NODE);
    FencedTask current = claimed(enqueued, OTHER_WORKER);

    assertThat(settle(finish(stale, SUCCEEDED))).isEmpty();
    assertThat(settle(retry(stale))).isEmpty();
    assertThat(settle(finish(enqueued, FAILED), retry(enqueued.next().next()))).isEmpty();
    assertThat(tasks.holder(stale.id())).hasValue(new TaskHolder(OTHER_WORKER, current.fence()));
    assertThat(view(stale).progress().failures()).hasSize(1);

    assertThat(settle(finish(stale, FAILED), finish(current, SUCCEEDED))).containsExactly(current);
    assertThat(stateOf(current)).isEqualTo(SUCCEEDED);
    assertThat(settle(finish(current, FAILED), retry(current))).isEmpty();
    assertThat(stateOf(current)).isEqualTo(SUCCEEDED);
    assertThat(settle(finish(new FencedTask(newId(), 1), SUCCEEDED))).isEmpty();
    assertThat(settle()).isEmpty();
  }

  @Test
  void only_attempts_end_and_only_enqueued_tasks_are_requeued() {
    FencedTask enqueued = enqueued();
    FencedTask processing = processing();
    stores.letPass(LONG);

    Settlement requeue = new Settlement.Requeue(processing);
    assertThat(settle(finish(enqueued, SUCCEEDED), retry(enqueued))).isEmpty();
    assertThat(reap(requeue)).isEmpty();

    assertThat(stateOf(enqueued)).isEqualTo(ENQUEUED);
    assertThat(stateOf(processing)).isEqualTo(PROCESSING);
  }

  @Test
  void da22_what_is_for_a_lapsed_lease_is_refused_while_the_lease_holds() {
    FencedTask finished = processing();
    FencedTask retried = processing();
    FencedTask requeued = enqueued();
    Settlement[] onlyIfLapsed = {
      new Settlement.Finish(finished, DEAD, "lapsed"),
      new Settlement.Retry(retried, Duration.ZERO, "lapsed"),
      new Settlement.Requeue(requeued)
    };

    assertThat(reap(onlyIfLapsed)).isEmpty();
    assertThat(stateOf(requeued)).isEqualTo(ENQUEUED);
    stores.letPass(LONG);
    tasks.heartbeat(List.of(finished, retried), LEASE);
    assertThat(reap(onlyIfLapsed)).containsExactly(requeued);
    assertThat(view(retried).progress().failures()).isEmpty();
    stores.letPass(LONG);
    assertThat(reap(onlyIfLapsed)).containsExactlyInAnyOrder(finished, retried);
    assertThat(stateOf(finished)).isEqualTo(DEAD);
    assertThat(stateOf(retried)).isEqualTo(RETRIABLE_FAILURE);
  }

  @Test
  void a_lease_is_judged_by_the_believed_time_when_the_stores_clock_is_ahead_of_it() {
    FencedTask processing = processing();
    Settlement settlement = new Settlement.Retry(processing, Duration.ZERO, "lapsed");
    stores.letPass(LONG);
    long believed = EpochMicros.of(stores.now().minus(LONG));

    assertThat(tasks.lapsed(believed, MANY)).isEmpty();
    assertThat(tasks.reap(List.of(settlement), believed).tasks()).isEmpty();

    assertThat(lapsed(MANY)).hasSize(1);
    assertThat(reap(settlement)).containsExactly(processing);
  }

  @Test
  void a_lease_that_a_clock_which_was_set_back_has_made_lastingis_shortened() {
    FencedTask lasting = processing();
    FencedTask ordinary = processing();
    tasks.heartbeat(List.of(lasting), LEASE.plus(LONG).plus(LONG));
    FencedTask enqueued = enqueued();

    assertThat(tasks.shortenLeases(LONG, LEASE, MANY)).isEqualTo(1);
    assertThat(tasks.shortenLeases(LONG, LEASE, MANY)).isZero();
    stores.letPass(LEASE.plusMinutes(1));

    assertThat(lapsed(MANY))
        .extracting(HeldAttempt::task)
        .containsExactlyInAnyOrder(lasting, ordinary)
        .doesNotContain(enqueued);
  }

  @Test
  void an_attempt_that_takes_longer_than_its_execution_timeout_is_lost_and_fails_for_now() {
    FencedTask slow = timed(LONG);
    stores.letPass(LONG.minusMinutes(1));
    assertThat(beat(slow)).isEqualTo(EXTENDED);

    stores.letPass(Duration.ofMinutes(2));

    assertThat(beat(slow)).isEqualTo(LOST);
    assertThat(settle(finish(slow, SUCCEEDED))).isEmpty();
    assertThat(settle(finish(slow, FAILED))).isEmpty();
    assertThat(stateOf(slow)).isEqualTo(PROCESSING);
    stores.letPass(LEASE);
    assertThat(lapsed(MANY)).extracting(HeldAttempt::isOverTime).containsExactly(true);
    assertThat(reap(retry(slow))).containsExactly(slow);
    FencedTask again = enqueueOne(NODE);
    assertThat(beat(claimed(again, WORKER))).as("a limit of its own").isEqualTo(EXTENDED);
  }

  @Test
  void an_execution_timeout_is_judged_by_the_believed_time_when_the_stores_clock_is_ahead_of_it() {
    FencedTask slow = timed(LONG);
    FencedTask silent = timed(LONG);
    stores.letPass(LONG.plusMinutes(1));
    long believed = EpochMicros.of(stores.now().minus(LONG.dividedBy(2)));
    LeaseRenewal renewal = new LeaseRenewal(slow, LEASE);

    assertThat(tasks.heartbeat(List.of(renewal), believed)).containsExactly(EXTENDED);
    assertThat(tasks.lapsed(believed, MANY))
        .singleElement()
        .extracting(HeldAttempt::task, HeldAttempt::isOverTime)
        .containsExactly(silent, false);
    assertThat(settle(finish(slow, SUCCEEDED))).as("by the store's clock").isEmpty();
    assertThat(tasks.heartbeat(List.of(renewal), LeaseClock.NOTHING_PASSED))
        .containsExactly(EXTENDED);
    assertThat(tasks.settle(List.of(finish(slow, SUCCEEDED)), null, believed).tasks())
        .containsExactly(slow);
    assertThat(
            tasks
                .settle(List.of(finish(silent, SUCCEEDED)), null, LeaseClock.NOTHING_PASSED)
                .tasks())
        .containsExactly(silent);
  }

  @Test
  void a_failure_or_a_cancel_that_comes_after_the_execution_timeout_counts() {
    FencedTask failed = timed(LONG);
    FencedTask cancelled = timed(LONG);
    stores.letPass(LONG.plusMinutes(1));

    assertThat(settle(retry(failed), finish(cancelled, TaskState.CANCELLED)))
        .containsExactlyInAnyOrder(failed, cancelled);
  }

  /** A task that a worker performs, with an execution timeout. */
  protected FencedTask timed(Duration timeout) {
    TaskDetails details =
        TaskDetails.of(new byte[0])
            .withRetryPolicy(RetryPolicy.DEFAULT)
            .withExecutionTimeout(timeout);
    return claimed(enqueued(task(mail, micros(-1), details)), WORKER);
  }

  @Test
  void a_result_of_another_worker_than_the_holder_is_refused_whatever_its_fence() {
    FencedTask held = processing();

    assertThat(
            settle(new Settlement.Finish(held, SUCCEEDED, "", "", ReportedBy.worker(OTHER_WORKER))))
        .isEmpty();
    assertThat(settle(new Settlement.Retry(held, LONG, "no", "", ReportedBy.worker(OTHER_WORKER))))
        .isEmpty();
    assertThat(settle(new Settlement.NotBegun(held, ReportedBy.worker(OTHER_WORKER)))).isEmpty();

    assertThat(settle(new Settlement.Finish(held, SUCCEEDED, "", "", ReportedBy.worker(WORKER))))
        .containsExactly(held);
  }

  @Test
  void what_another_caller_than_the_holders_says_is_refused_whatever_its_worker_and_fence() {
    FencedTask held = claimedBy("farm", enqueued());
    FencedTask cancelled = claimedBy("farm", enqueued());
    tasks.cancel(cancelled.id());
    ReportedBy thief = new ReportedBy(WORKER, "thief");

    assertThat(settle(new Settlement.Finish(held, SUCCEEDED, "", "", thief))).isEmpty();
    assertThat(settle(new Settlement.Retry(held, LONG, "no", "", thief))).isEmpty();
    assertThat(settle(new Settlement.NotBegun(held, thief))).isEmpty();
    assertThat(settle(new Settlement.Retry(cancelled, LONG, "no", "", thief))).isEmpty();
    assertThat(
            tasks.heartbeat(
                List.of(
                    new LeaseRenewal(held, LONG, "thief"), new LeaseRenewal(held, LEASE, "farm")),
                BELIEVED))
        .containsExactly(LOST, EXTENDED);
    assertIn(LEASE, view(held).progress().nextTrigger());
    assertThat(tasks.holder(held.id())).hasValue(new TaskHolder(WORKER, held.fence(), "farm"));

    assertThat(
            settle(new Settlement.Finish(held, SUCCEEDED, "", "", new ReportedBy(WORKER, "farm"))))
        .containsExactly(held);
  }

  @Test
  void an_attempt_of_no_known_caller_is_ended_and_extended_by_any() {
    FencedTask held = processing();

    assertThat(
            tasks.heartbeat(
                List.of(
                    new LeaseRenewal(held, LEASE, "farm"), new LeaseRenewal(held, LEASE, "other")),
                BELIEVED))
        .containsExactly(EXTENDED, EXTENDED);
    assertThat(settle(new Settlement.NotBegun(held, new ReportedBy(WORKER, "farm"))))
        .containsExactly(held);
  }

  @Test
  void a_requeued_task_waits_again_and_no_attempt_is_counted() {
    FencedTask lost = enqueued();
    stores.letPass(LONG);

    assertThat(reap(new Settlement.Requeue(lost))).containsExactly(lost);

    assertThat(stateOf(lost)).isEqualTo(NEW);
    assertThat(isClaimed(lost)).isFalse();
    EnqueuedTask again = enqueue(PEER).getFirst();
    assertThat(again.attempt()).isZero();
    assertThat(again.triggerMicros()).isEqualTo(again.dueMicros());
  }

  @Test
  void what_was_not_begun_waits_again_with_no_attempt_counted_and_a_new_fence() {
    FencedTask first = processing();
    FencedTask retried = claimed(afterFailure(processing()), WORKER);
    Instant due = view(first).dueAt();

    assertThat(settle(new Settlement.NotBegun(first), new Settlement.NotBegun(retried)))
        .containsExactlyInAnyOrder(first, retried);

    assertThat(stateOf(first)).isEqualTo(NEW);
    assertThat(view(first).progress().nextTrigger()).isEqualTo(due);
    assertThat(view(first).progress().attempt()).isZero();
    assertThat(view(first).progress().attemptStartedAt()).isNull();
    assertThat(view(first).progress().failures()).isEmpty();
    assertThat(stateOf(retried)).isEqualTo(RETRIABLE_FAILURE);
    assertThat(view(retried).progress().attempt()).isEqualTo(1);
    assertThat(view(retried).progress().failures()).hasSize(1);
    assertThat(enqueue(PEER))
        .hasSize(2)
        .allSatisfy(again -> {
          assertThat(again.task().fence()).isGreaterThan(first.fence());
          claimed(again.task(), OTHER_WORKER);
        });
    assertThat(settle(new Settlement.NotBegun(first))).isEmpty();
    assertThat(view(first).progress().attempt()).isEqualTo(1);
    assertThat(view(retried).progress().attempt()).isEqualTo(2);
  }

  @Test
  void a_snoozed_task_is_due_after_its_delay_with_no_attempt_counted_and_a_new_fence() {
    FencedTask first = processing();
    FencedTask retried = claimed(afterFailure(processing()), WORKER);

    SettlementResult result =
        tasks.settle(
            List.of(new Settlement.Snooze(first, LONG), new Settlement.Snooze(retried, LONG)));

    assertThat(result.tasks()).containsExactlyInAnyOrder(first, retried);
    assertThat(result.executions()).hasSize(2);
    assertThat(stateOf(first)).isEqualTo(NEW);
    assertThat(view(first).progress().attempt()).isZero();
    assertThat(view(first).progress().failures()).isEmpty();
    assertThat(view(first).progress().attemptStartedAt()).isNull();
    assertThat(view(first).progress().nextTrigger()).isEqualTo(view(first).dueAt());
    assertThat(stateOf(retried)).isEqualTo(RETRIABLE_FAILURE);
    assertThat(view(retried).progress().attempt()).isEqualTo(1);
    assertThat(view(retried).progress().failures()).hasSize(1);
    assertThat(enqueue(PEER)).isEmpty();
    stores.letPass(LONG);
    assertThat(enqueue(PEER))
        .hasSize(2)
        .allSatisfy(again -> {
          assertThat(again.task().fence()).isGreaterThan(first.fence());
          claimed(again.task(), OTHER_WORKER);
        });
    assertThat(settle(new Settlement.Snooze(first, LONG))).isEmpty();
    assertThat(view(first).progress().attempt()).isEqualTo(1);
    assertThat(view(retried).progress().attempt()).isEqualTo(2);
  }

  @Test
  void an_attempt_that_is_over_time_or_that_another_worker_holds_is_not_snoozed() {
    FencedTask over = timed(LONG);
    FencedTask wished = timed(LONG);
    FencedTask others = processing();
    tasks.cancel(wished.id());
    stores.letPass(LONG.plusMinutes(1));

    assertThat(
            settle(
                new Settlement.Snooze(over, LONG),
                new Settlement.Snooze(wished, LONG),
                new Settlement.Snooze(others, LONG, ReportedBy.worker(OTHER_WORKER))))
        .containsExactly(wished);

    assertThat(stateOf(over)).isEqualTo(TaskState.PROCESSING);
    assertThat(stateOf(wished)).isEqualTo(TaskState.CANCELLED);
    assertThat(view(wished).progress().failures()).isEmpty();
    assertThat(stateOf(others)).isEqualTo(TaskState.PROCESSING);
  }

  @Test
  void only_a_claimed_task_is_given_back_as_not_begun() {
    FencedTask enqueued = enqueued();
    FencedTask wished = processing();
    tasks.cancel(wished.id());

    assertThat(settle(new Settlement.NotBegun(enqueued), new Settlement.NotBegun(wished)))
        .containsExactly(wished);

    assertThat(stateOf(enqueued)).isEqualTo(ENQUEUED);
    assertThat(stateOf(wished)).isEqualTo(TaskState.CANCELLED);
    assertThat(view(wished).progress().failures()).isEmpty();
  }

  @Test // PD-35
  void a_batch_may_settle_in_every_way() {
    FencedTask done = processing();
    FencedTask failed = processing();
    FencedTask later = processing();
    FencedTask dead = processing();
    FencedTask lost = enqueued();
    FencedTask stale = new FencedTask(processing().id(), 1);
    stores.letPass(LONG);

    assertThat(
            settle(
                finish(done, SUCCEEDED),
                retry(later),
                finish(stale, SUCCEEDED),
                finish(failed, FAILED)))
        .containsExactlyInAnyOrder(done, failed, later);
    assertThat(reap(new Settlement.Requeue(lost), new Settlement.Finish(dead, DEAD, "lapsed")))
        .containsExactlyInAnyOrder(dead, lost);

    assertThat(Stream.of(done, failed, later, dead, lost, stale).map(this::stateOf))
        .containsExactly(SUCCEEDED, FAILED, RETRIABLE_FAILURE, DEAD, NEW, PROCESSING);
  }

  @Test // PD-23, PD-36
  void the_last_hundred_failures_are_kept_the_latest_last_and_ten_of_them_with_stacks() {
    FencedTask processing = processing();
    for (int attempt = 1; attempt <= 102; attempt++) {
      settle(
          new Settlement.Retry(
              processing,
              Duration.ZERO,
              "failure " + attempt,
              "",
              "at " + attempt,
              ReportedBy.ANY));
      if (attempt == 10 || attempt == 11) {
        assertThat(view(processing).progress().failures())
            .extracting(failure -> !failure.stack().isEmpty())
            .isEqualTo(
                Stream.concat(
                        Stream.generate(() -> false).limit(attempt - 10),
                        Stream.generate(() -> true).limit(10))
                    .toList());
      }
      processing = claimed(enqueueOne(NODE), WORKER);
    }
    assertThat(errorsOf(processing)).hasSize(100).startsWith("failure 3").endsWith("failure 102");

    settle(
        new Settlement.Finish(
            processing, DEAD, "the end", "", "at the end", TaskResult.NONE, ReportedBy.ANY));

    List<Failure> kept = view(processing).progress().failures();
    assertThat(kept).extracting(Failure::attempt).hasSize(100).startsWith(4, 5).endsWith(102, 103);
    assertThat(kept.getLast().error()).isEqualTo("the end");
    assertThat(kept)
        .extracting(Failure::stack)
        .filteredOn(stack -> !stack.isEmpty())
        .hasSize(10)
        .startsWith("at 94")
        .endsWith("at the end");
    ListQuery all =
        new ListQuery(null, null, null, EnumSet.allOf(TaskState.class), null, null, null, MANY);
    assertThat(tasks.list(all).tasks().getFirst().progress().failures())
        .isEqualTo(kept.subList(90, 100).stream().map(Failure::withoutStack).toList());
  }

  @Test
  void stacks_are_kept_as_they_are_up_to_a_bound() {
    FencedTask processing = processing();
    String longest = "x".repeat(ErrorText.LONGEST_STACK);
    settle(
        new Settlement.Retry(processing, Duration.ZERO, "no", "", "a\n\tat b\0", ReportedBy.ANY));
    FencedTask again = claimed(enqueueOne(NODE), WORKER);
    settle(new Settlement.Retry(again, LONG, "no", "", longest + "y", ReportedBy.ANY));

    assertThat(view(again).progress().failures())
        .extracting(Failure::stack)
        .containsExactly("a\n\tat b", longest);
  }

  @Test // PD-36
  void a_failed_attempt_is_kept_with_its_start_its_end_its_outcome_and_the_class_of_its_error() {
    FencedTask first = processing();
    stores.letPass(LONG);
    Instant start = view(first).progress().attemptStartedAt();
    assertIn(LONG.negated(), start);
    settle(
        new Settlement.Retry(
            first, Duration.ZERO, "no luck", "java.io.IOException", ReportedBy.ANY));

    assertThat(view(first).progress().attemptStartedAt()).isNull();
    assertThat(view(first).progress().failures())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.startedAt()).isEqualTo(start);
          assertIn(Duration.ZERO, failure.at());
          assertThat(failure.outcome()).isEqualTo(RETRIABLE_FAILURE);
          assertThat(failure.errorClass()).isEqualTo("java.io.IOException");
        });

    FencedTask second = claimed(enqueueOne(NODE), WORKER);
    settle(new Settlement.Finish(second, DEAD, "the end", "x".repeat(300), ReportedBy.ANY));

    Failure last = view(second).progress().failures().getLast();
    assertIn(Duration.ZERO, last.startedAt());
    assertThat(last.outcome()).isEqualTo(DEAD);
    assertThat(last.errorClass()).isEqualTo("x".repeat(ErrorText.LONGEST_CLASS));
  }

  @Test
  void a_task_keeps_who_submitted_it_and_whose_worker_claimed_its_latest_attempt() {
    NewTask given = task(micros(0));
    FencedTask enqueued =
        enqueued(new NewTask(given.id(), mail, given.dueMicros(), given.details(), null, "ana"));
    assertThat(view(enqueued).submittedBy()).isEqualTo("ana");
    assertThat(view(enqueued).progress().performedBy()).isNull();

    FencedTask first = claimedBy("worker-farm", enqueued);
    assertThat(view(first).progress().performedBy()).isEqualTo("worker-farm");
    settle(retry(first));
    assertThat(view(first).progress().performedBy()).isEqualTo("worker-farm");
    FencedTask second = claimedBy("other-farm", enqueueOne(NODE));
    settle(finish(second, SUCCEEDED));

    assertThat(view(second).submittedBy()).isEqualTo("ana");
    assertThat(view(second).progress().performedBy()).isEqualTo("other-farm");
  }

  private FencedTask claimedBy(String caller, FencedTask enqueued) {
    TaskClaim claim = new TaskClaim(enqueued, mail, WORKER, null, caller);
    assertThat(tasks.claim(List.of(claim), LEASE).claimed()).containsExactly(enqueued);
    return enqueued.next();
  }

  @Test
  void without_callers_a_task_has_none() {
    FencedTask processing = processing();
    settle(finish(processing, SUCCEEDED));

    assertThat(view(processing).submittedBy()).isNull();
    assertThat(view(processing).progress().performedBy()).isNull();
  }

  @Test // PD-36
  void the_start_of_the_attempt_that_has_ended_a_task_is_kept() {
    for (TaskState end : List.of(SUCCEEDED, TaskState.CANCELLED, FAILED, DEAD)) {
      FencedTask processing = processing();
      stores.letPass(LONG);
      Instant start = view(processing).progress().attemptStartedAt();
      assertIn(LONG.negated(), start);
      settle(finish(processing, end));

      assertThat(view(processing).progress().attemptStartedAt()).as("%s", end).isEqualTo(start);
      assertIn(Duration.ZERO, view(processing).progress().finishedAt());
    }
    FencedTask untouched = afterFailure(processing());
    tasks.cancel(untouched.id());
    assertThat(view(untouched).progress().attemptStartedAt()).isNull();
  }

  @Test // PD-43
  void what_is_settled_is_said_with_the_time_since_its_claim() {
    FencedTask done = processing();
    FencedTask failed = processing();
    stores.letPass(LONG);
    FencedTask notBegun = claimed(enqueued(task(print, micros(0), new byte[1])), WORKER);

    SettlementResult result =
        tasks.settle(
            List.of(finish(done, SUCCEEDED), retry(failed), new Settlement.NotBegun(notBegun)));

    assertThat(result.executions())
        .hasSize(2)
        .allSatisfy(execution -> {
          assertThat(execution.queue()).isEqualTo(mail);
          assertIn(LONG, stores.now().plusNanos(execution.micros() * 1_000));
        });
  }

  @Test
  void what_is_settled_or_reaped_is_said_with_the_trace_of_its_caller() {
    for (int i = 0; i < 6; i++) {
      TaskDetails details =
          TaskDetails.of(new byte[1])
              .withTraceContext(
                  new TraceContext(
                      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333" + i + "-01"));
      boolean hasKey = i % 2 == 1;
      storeWaiting(
          task(mail, micros(-1), hasKey ? details.withKey(new OrderingKey("key " + i)) : details));
    }
    List<FencedTask> traced = new ArrayList<>();
    Map<FencedTask, String> traces = new HashMap<>();
    for (EnqueuedTask task : enqueue(NODE)) {
      tasks.claim(List.of(new TaskClaim(task.task(), task.queue(), WORKER, task.keyId())), LEASE);
      traced.add(task.task().next());
      traces.put(task.task().next(), requireNonNull(task.details().traceContext()).traceparent());
    }
    FencedTask plain = processing();

    Map<FencedTask, String> said =
        new HashMap<>(
            tasks
                .settle(
                    List.of(
                        finish(plain, SUCCEEDED),
                        finish(traced.get(0), SUCCEEDED),
                        finish(traced.get(1), FAILED),
                        retry(traced.get(2)),
                        retry(traced.get(3)),
                        new Settlement.NotBegun(traced.get(4))))
                .traceparents());
    stores.letPass(LONG);
    said.putAll(tasks.reap(List.of(retry(traced.get(5))), Long.MAX_VALUE).traceparents());

    assertThat(said).isEqualTo(traces);
  }

  @Test // PD-43
  void what_was_not_begun_is_no_execution_when_its_cancel_ends_it_either() {
    FencedTask notBegun = processing();
    FencedTask failed = claimed(enqueued(task(print, micros(0), new byte[1])), WORKER);
    tasks.cancel(notBegun.id());
    tasks.cancel(failed.id());

    SettlementResult result =
        tasks.settle(List.of(new Settlement.NotBegun(notBegun), retry(failed)));

    assertThat(stateOf(notBegun)).isEqualTo(TaskState.CANCELLED);
    assertThat(stateOf(failed)).isEqualTo(TaskState.CANCELLED);
    assertThat(result.executions())
        .extracting(SettlementResult.Execution::queue)
        .containsExactly(print);
  }

  @Test // PD-43
  void stale_are_tasks_long_overdue_that_nobody_has_begun() {
    storeWaiting(task(micros(-400)), task(micros(-200)), task(micros(600)));
    enqueued(task(micros(-400)));
    FencedTask failed = claimed(enqueued(task(micros(-400))), WORKER);
    settle(retry(failed));
    claimed(enqueued(task(micros(-400))), WORKER);
    Duration overdue = Duration.ofMinutes(5);

    assertThat(tasks.stale(overdue, MANY)).isEqualTo(2);

    stores.letPass(Duration.ofMinutes(20));
    assertThat(tasks.stale(overdue, MANY)).isEqualTo(5);
    assertThat(tasks.stale(overdue, 1)).isEqualTo(2);
  }

  @Test
  void error_texts_are_kept_as_they_are_up_to_a_bound() {
    List<String> texts =
        List.of("", "ü€😀\n\t\u0001\"'\\{}[]", "a\0b", "x".repeat(ErrorText.LONGEST + 1), "\ud800");
    FencedTask processing = processing();
    for (String text : texts) {
      settle(new Settlement.Retry(processing, Duration.ZERO, text));
      processing = claimed(enqueueOne(NODE), WORKER);
    }

    assertThat(errorsOf(processing))
        .containsExactly("", "ü€😀\n\t\u0001\"'\\{}[]", "ab", "x".repeat(ErrorText.LONGEST), "?");
  }

  // Lapses

  @Test
  void da17_held_tasks_lapse_when_their_trigger_has_passed_the_longest_passed_first() {
    FencedTask claimed = processing();
    FencedTask enqueued = enqueued();
    FencedTask ahead = enqueued(task(micros(86_400)));
    storeWaiting(task(micros(-7_200)));
    assertThat(lapsed(MANY)).isEmpty();
    stores.letPass(LONG);

    assertThat(lapsed(MANY))
        .containsExactly(
            new HeldAttempt(claimed, PROCESSING, 1, RetryPolicy.DEFAULT, WORKER, false),
            new HeldAttempt(enqueued, ENQUEUED, 0, RetryPolicy.DEFAULT, NODE.toString(), false));
    assertThat(lapsed(1)).extracting(HeldAttempt::task).containsExactly(claimed);
    assertThat(stateOf(ahead)).isEqualTo(ENQUEUED);
  }

  @Test
  void da17d_a_lease_lapses_after_the_last_heartbeat() {
    FencedTask processing = processing();
    stores.letPass(LEASE.minusMinutes(1));
    beat(processing);
    stores.letPass(LEASE.minusMinutes(1));

    assertThat(lapsed(MANY)).isEmpty();
    stores.letPass(Duration.ofMinutes(2));
    assertThat(lapsed(MANY)).extracting(HeldAttempt::task).containsExactly(processing);
  }

  @Test
  void a_heartbeat_does_not_shorten_a_lease() {
    FencedTask processing = processing();
    tasks.heartbeat(List.of(processing), LONG);
    beat(processing);
    stores.letPass(LONG.minusMinutes(1));

    assertThat(lapsed(MANY)).isEmpty();
    assertThat(beat(processing)).isEqualTo(EXTENDED);
    stores.letPass(Duration.ofMinutes(2));
    assertThat(lapsed(MANY)).isEmpty();
  }

  // Cancelling

  @Test // DA-L8, PD-L3
  void what_nobody_performs_is_cancelled_at_once() {
    NewTask waiting = storedWaiting(task(micros(600)));
    FencedTask enqueued = enqueued();
    FencedTask failed = processing();
    settle(new Settlement.Retry(failed, LONG, "why"));

    for (TaskId id : List.of(waiting.id(), enqueued.id(), failed.id())) {
      assertThat(tasks.cancel(id)).isEqualTo(CANCELLED);
      assertThat(view(id).state()).isEqualTo(TaskState.CANCELLED);
      assertThat(view(id).details().payload()).isEmpty();
      assertIn(Duration.ZERO, view(id).progress().finishedAt());
      assertThat(tasks.cancel(id)).isEqualTo(TOO_LATE);
    }
    assertThat(view(failed).progress().failures()).hasSize(1);
    assertThat(isClaimed(enqueued)).isFalse();
    assertThat(enqueue(NODE, Map.of(mail, MANY), PLENTY_BYTES, LONG.multipliedBy(2))).isEmpty();
    assertThat(tasks.cancel(newId())).isEqualTo(UNKNOWN);
  }

  @Test
  void the_cancel_of_a_task_that_is_being_performed_is_a_wish() {
    FencedTask processing = processing();

    assertThat(tasks.cancel(processing.id())).isEqualTo(REQUESTED);
    assertThat(tasks.cancel(processing.id())).isEqualTo(REQUESTED);

    assertThat(view(processing).progress().cancelRequested()).isTrue();
    assertThat(stateOf(processing)).isEqualTo(PROCESSING);
    assertThat(settle(finish(processing, SUCCEEDED))).containsExactly(processing);
    assertThat(view(processing).progress().cancelRequested()).isFalse();
    assertThat(tasks.cancel(processing.id())).isEqualTo(TOO_LATE);
  }

  @Test
  void a_task_whose_cancel_was_asked_for_is_not_tried_again() {
    FencedTask reported = processing();
    FencedTask lapsed = processing();
    FencedTask other = processing();
    tasks.cancel(reported.id());
    tasks.cancel(lapsed.id());
    Settlement onlyIfLapsed = new Settlement.Retry(lapsed, Duration.ZERO, "lapsed");

    assertThat(settle(retry(reported), retry(other))).containsExactlyInAnyOrder(reported, other);
    assertThat(reap(onlyIfLapsed)).isEmpty();
    stores.letPass(LONG);
    assertThat(reap(onlyIfLapsed)).containsExactly(lapsed);

    assertThat(stateOf(reported)).isEqualTo(TaskState.CANCELLED);
    assertThat(stateOf(lapsed)).isEqualTo(TaskState.CANCELLED);
    assertThat(errorsOf(lapsed)).containsExactly("lapsed");
    assertThat(view(lapsed).details().payload()).isEmpty();
    assertThat(stateOf(other)).isEqualTo(RETRIABLE_FAILURE);
  }

  // Rescheduling

  @Test // PD-L3
  void what_nobody_performs_can_be_rescheduled() {
    NewTask waiting = storedWaiting(task(micros(600)));
    FencedTask enqueued = enqueued();
    FencedTask failed = processing();
    settle(new Settlement.Retry(failed, LONG, "why"));
    long sooner = micros(-60);

    for (TaskId id : List.of(waiting.id(), enqueued.id(), failed.id())) {
      assertThat(tasks.reschedule(id, sooner)).isTrue();
      assertThat(view(id).dueAt()).isEqualTo(EpochMicros.toInstant(sooner));
      assertThat(view(id).progress().nextTrigger()).isEqualTo(EpochMicros.toInstant(sooner));
      assertThat(view(id).progress().holder()).isNull();
    }
    assertThat(stateOf(enqueued)).isEqualTo(NEW);
    assertThat(stateOf(failed)).isEqualTo(RETRIABLE_FAILURE);
    assertThat(isClaimed(enqueued)).isFalse();
    assertThat(enqueue(PEER))
        .hasSize(3)
        .allSatisfy(one -> assertThat(one.dueMicros()).isEqualTo(sooner));
  }

  @Test
  void what_is_rescheduled_to_later_is_not_due_before() {
    FencedTask enqueued = enqueued();

    tasks.reschedule(enqueued.id(), micros(7_200));

    assertThat(enqueue(NODE)).isEmpty();
    assertThat(ids(enqueue(NODE, Map.of(mail, 1), PLENTY_BYTES, LONG.multipliedBy(3))))
        .containsExactly(enqueued.id());
  }

  @Test
  void what_is_being_performed_has_ended_or_is_unknown_cannot_be_rescheduled() {
    FencedTask processing = processing();
    FencedTask done = processing();
    settle(finish(done, SUCCEEDED));

    assertThat(tasks.reschedule(processing.id(), micros(60))).isFalse();
    assertThat(tasks.reschedule(done.id(), micros(60))).isFalse();
    assertThat(tasks.reschedule(newId(), micros(60))).isFalse();
    assertThat(tasks.holder(processing.id())).hasValue(new TaskHolder(WORKER, 2));
  }

  // Asking

  @Test
  void an_unknown_task_is_not_found() {
    assertThat(tasks.find(newId())).isEmpty();
    assertThat(tasks.holder(newId())).isEmpty();
  }

  @Test
  void what_a_node_has_enqueued_is_read_with_its_fences() {
    NewTask peers = task(micros(-1));
    storeWaiting(task(micros(60)), peers);
    assertThat(enqueue(PEER)).hasSize(1);
    FencedTask first = enqueued(task(micros(-2)));
    FencedTask second = enqueued(task(micros(2)));
    processing();

    assertThat(tasks.enqueuedBy(NODE, MANY)).containsExactly(first, second);
    assertThat(tasks.enqueuedBy(NODE, 1)).containsExactly(first);
    assertThat(tasks.enqueuedBy(PEER, MANY)).containsExactly(new FencedTask(peers.id(), 1));
  }

  @Test
  void the_holders_of_many_are_found_at_once() {
    NewTask waiting = storedWaiting(task(micros(60)));
    FencedTask enqueued = enqueued();
    FencedTask processing = processing();
    FencedTask done = processing();
    settle(finish(done, SUCCEEDED));

    assertThat(
            tasks.holders(
                List.of(processing.id(), waiting.id(), newId(), enqueued.id(), done.id())))
        .isEqualTo(
            Map.of(
                enqueued.id(), new TaskHolder(NODE.toString(), 1),
                processing.id(), new TaskHolder(WORKER, 2)));
    assertThat(tasks.holders(List.of())).isEmpty();
  }

  @Test // PD-40
  void a_list_merges_live_and_finished_tasks_newest_first_in_pages() {
    List<TaskId> newestFirst = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      FencedTask task = i % 3 == 0 ? enqueued() : processing();
      if (i % 3 == 1) {
        settle(finish(task, i % 2 == 0 ? SUCCEEDED : DEAD));
      }
      newestFirst.addFirst(task.id());
    }

    List<TaskId> paged = new ArrayList<>();
    List<TaskId> page = listed(listAll(4, null));
    while (!page.isEmpty()) {
      assertThat(page.size()).isLessThanOrEqualTo(4);
      paged.addAll(page);
      page = listed(listAll(4, page.getLast()));
    }

    assertThat(paged).isEqualTo(newestFirst);
    assertThat(listed(listAll(MANY, null))).isEqualTo(newestFirst);
  }

  @Test
  void a_list_has_only_tasks_in_the_states_asked_for() {
    FencedTask waiting = enqueued(task(micros(-1)));
    tasks.release(List.of(waiting), ENQUEUE_TIMEOUT);
    FencedTask enqueued = enqueued();
    FencedTask processing = processing();
    FencedTask failed = processing();
    settle(retry(failed));
    Map<TaskState, FencedTask> ends = new EnumMap<>(TaskState.class);
    for (TaskState end : List.of(SUCCEEDED, FAILED, TaskState.CANCELLED, DEAD)) {
      ends.put(end, processing());
    }
    ends.forEach((end, task) -> settle(finish(task, end)));

    assertThat(listed(list(Set.of(NEW), MANY))).containsExactly(waiting.id());
    assertThat(listed(list(Set.of(ENQUEUED), MANY))).containsExactly(enqueued.id());
    assertThat(listed(list(Set.of(PROCESSING), MANY))).containsExactly(processing.id());
    assertThat(listed(list(Set.of(RETRIABLE_FAILURE), MANY))).containsExactly(failed.id());
    ends.forEach(
        (end, task) -> assertThat(listed(list(Set.of(end), MANY))).containsExactly(task.id()));
    assertThat(listed(list(Set.of(DEAD, NEW, FAILED), MANY))).hasSize(3);
    assertThat(listed(listAll(MANY, null))).hasSize(8);
  }

  @Test
  void a_list_of_a_handler_has_its_tasks_at_every_priority() {
    QueueId urgent = queue(new QueueName(MAIL.handler(), 100));
    FencedTask normal = processing();
    settle(finish(normal, SUCCEEDED));
    FencedTask first = enqueued(task(urgent, micros(0), new byte[1]));
    FencedTask other = enqueued(task(print, micros(0), new byte[1]));

    assertThat(listed(ListQuery.ofHandler(MAIL.handler(), ALL, null, MANY)))
        .containsExactly(first.id(), normal.id());
    assertThat(listed(ListQuery.ofHandler(PRINT.handler(), ALL, null, MANY)))
        .containsExactly(other.id());
    assertThat(listed(ListQuery.ofHandler(new HandlerName("never-seen"), ALL, null, MANY)))
        .isEmpty();
  }

  @Test // PD-40
  void a_list_has_the_tasks_in_every_state_that_are_due_within_a_window() {
    long now = micros(0);
    List<TaskId> due = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      storeWaiting(task(now + 3_600_000_000L + i));
      FencedTask held = enqueued(task(now + i));
      FencedTask done = claimed(enqueued(task(now + i)), WORKER);
      settle(finish(done, SUCCEEDED));
      FencedTask dead = claimed(enqueued(task(now + i)), WORKER);
      settle(finish(dead, DEAD));
      if (i == 1 || i == 2) {
        due.addAll(List.of(held.id(), done.id(), dead.id()));
      }
    }
    due.sort(Comparator.reverseOrder());

    assertThat(listed(listDue(now + 1, now + 3, null))).isEqualTo(due);
    TaskListing first = tasks.list(listDue(now + 1, now + 3, due.get(1)));
    assertThat(first.tasks()).extracting(TaskView::id).isEqualTo(due.subList(2, due.size()));
    assertThat(listed(listDue(now + 3_600_000_002L, null, null))).hasSize(2);
    assertThat(listed(listDue(null, now + 1, null))).hasSize(3);
    assertThat(listed(listDue(now + 4, now + 3_600_000_000L, null))).isEmpty();
  }

  @Test // PD-L8
  void a_page_says_where_its_list_goes_on() {
    List<TaskId> ids = Stream.generate(() -> enqueued().id()).limit(5).toList().reversed();

    TaskListing first = tasks.list(listAll(2, null));
    TaskListing second = tasks.list(listAll(3, first.next()));

    assertThat(first.tasks()).extracting(TaskView::id).isEqualTo(ids.subList(0, 2));
    assertThat(first.next()).isEqualTo(ids.get(1));
    assertThat(second.tasks()).extracting(TaskView::id).isEqualTo(ids.subList(2, 5));
    assertThat(second.next()).isNull();
  }

  @Test
  void a_list_shows_everything_but_the_payload() {
    FencedTask failed = afterRetry(processing());
    settle(finish(failed, DEAD));
    enqueued();

    for (TaskView listed : tasks.list(listAll(MANY, null)).tasks()) {
      assertThat(listed.details().payload()).isEmpty();
      assertThat(listed)
          .usingRecursiveComparison()
          .ignoringFields("details.payload")
          .isEqualTo(view(listed.id()));
    }
  }

  // Pruning

  @Test
  void what_ended_longer_ago_than_its_retention_is_forgotten_the_longest_ago_first() {
    List<FencedTask> old = Stream.generate(() -> processing()).limit(3).toList().reversed();
    for (FencedTask one : old) {
      settle(finish(one, SUCCEEDED));
      stores.letPass(Duration.ofMinutes(10));
    }
    FencedTask dead = processing();
    settle(finish(dead, DEAD));
    stores.letPass(LONG);
    FencedTask young = processing();
    settle(finish(young, SUCCEEDED));

    assertThat(tasks.prune(SUCCEEDED, LONG.multipliedBy(10), MANY)).isZero();
    assertThat(tasks.prune(SUCCEEDED, LONG, 1)).isEqualTo(1);
    assertThat(tasks.find(old.getFirst().id())).isEmpty();
    assertThat(tasks.find(old.getLast().id())).isPresent();
    assertThat(tasks.prune(SUCCEEDED, LONG, MANY)).isEqualTo(2);
    assertThat(tasks.prune(SUCCEEDED, LONG, MANY)).isZero();
    assertThat(listed(listAll(MANY, null))).containsExactly(young.id(), dead.id());
    assertThat(tasks.prune(DEAD, LONG.minusMinutes(1), MANY)).isEqualTo(1);
    assertThat(tasks.cancel(dead.id())).isEqualTo(UNKNOWN);
  }

  @Test
  void live_tasks_are_not_pruned() {
    enqueued();
    stores.letPass(LONG);

    for (TaskState end : ALL) {
      if (end.isFinished()) {
        assertThat(tasks.prune(end, Duration.ZERO, MANY)).isZero();
      } else {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> tasks.prune(end, Duration.ZERO, MANY));
      }
    }
  }

  private List<TaskId> listed(ListQuery query) {
    return tasks.list(query).tasks().stream().map(TaskView::id).toList();
  }

  private static ListQuery listAll(int limit, @Nullable TaskId before) {
    return ListQuery.ofHandler(null, ALL, before, limit);
  }

  private ListQuery listDue(@Nullable Long from, @Nullable Long to, @Nullable TaskId before) {
    return new ListQuery(MAIL.handler(), null, null, ALL, from, to, before, MANY);
  }

  private static ListQuery list(Set<TaskState> states, int limit) {
    return ListQuery.ofHandler(null, states, null, limit);
  }
}
