package io.kairos.contracts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.OnDead;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.SweptKeys;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.HeadResult;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of every task store for ordering keys, start deadlines and the policies of handlers,
 * checked from outside through the port.
 */
public abstract class TaskKeysContract extends TaskContract {
  private static final TaskHandler MAILER = MAIL.handler();
  private static final OrderingKey ANNA = new OrderingKey("anna");
  private static final OrderingKey BERT = new OrderingKey("bert@example.com, Zürich");
  private static final OrderingKeyPolicy BLOCKING =
      new OrderingKeyPolicy(new Ordered(OnDead.BLOCK), null);

  private NewTask keyed(OrderingKey key, long dueMicros) {
    return keyed(mail, key, dueMicros);
  }

  private NewTask keyed(QueueId queue, OrderingKey key, long dueMicros) {
    return task(queue, dueMicros, TaskDetails.of(new byte[] {1}).withKey(key));
  }

  private NewTask until(@Nullable OrderingKey key, long dueMicros, long startDeadlineMicros) {
    return task(
        mail,
        dueMicros,
        TaskDetails.of(new byte[] {1}).withKey(key).withStartDeadline(startDeadlineMicros));
  }

  /** Stores waiting tasks of a key, due at so many seconds from now. */
  private List<NewTask> storedKeyed(OrderingKey key, long... dueSeconds) {
    List<NewTask> some =
        LongStream.of(dueSeconds).mapToObj(due -> keyed(key, micros(due))).toList();
    insert(NODE, List.of(), some);
    return some;
  }

  private static TaskClaim claim(EnqueuedTask enqueued) {
    return new TaskClaim(enqueued.task(), enqueued.queue(), WORKER, enqueued.keyId());
  }

  /** A worker begins all tasks that are due and may begin. */
  private List<FencedTask> begin() {
    return begin(enqueue(NODE));
  }

  private List<FencedTask> begin(List<EnqueuedTask> enqueued) {
    Set<FencedTask> claimed =
        tasks.claim(enqueued.stream().map(TaskKeysContract::claim).toList(), LEASE).claimed();
    return enqueued.stream()
        .map(EnqueuedTask::task)
        .filter(claimed::contains)
        .map(FencedTask::next)
        .toList();
  }

  /** The only task that is due and may begin. */
  private FencedTask beginOne() {
    List<FencedTask> begun = begin();
    assertThat(begun).hasSize(1);
    return begun.getFirst();
  }

  /** This task and no other is due and may begin. */
  private FencedTask beginOnly(TaskId task) {
    FencedTask begun = beginOne();
    assertThat(begun.id()).isEqualTo(task);
    return begun;
  }

  private void end(FencedTask processing, TaskState state) {
    assertThat(settle(finish(processing, state))).containsExactly(processing);
  }

  private TaskState stateOf(NewTask task) {
    return view(task.id()).state();
  }

  private List<BlockedKey> stuck() {
    return tasks.stuckKeys(new KeyQuery(null, null, MANY));
  }

  // One at a time, in due order

  @Test // DA-L8
  void pd18_pd19_tasks_of_a_key_are_performed_one_at_a_time_in_due_order() {
    List<NewTask> three = storedKeyed(ANNA, -10, -30, -20);

    assertPerformedInTurn(three.get(1), three.get(2), three.get(0));
  }

  private void assertPerformedInTurn(NewTask... inOrder) {
    for (NewTask task : inOrder) {
      FencedTask begun = beginOnly(task.id());
      assertThat(begin()).isEmpty();
      end(begun, TaskState.SUCCEEDED);
    }
    assertThat(begin()).isEmpty();
  }

  @Test
  void pd20_tasks_of_different_keys_or_handlers_do_not_wait_for_each_other() {
    storeWaiting(
        keyed(ANNA, micros(-3)),
        keyed(BERT, micros(-2)),
        keyed(print, ANNA, micros(-1)),
        task(micros(-1)));

    assertThat(begin()).hasSize(4);
  }

  @Test
  void a_key_is_one_at_every_priority_of_its_handler() {
    QueueId urgent = queue(new QueueName(MAILER, 100));
    NewTask first = keyed(mail, ANNA, micros(-20));
    NewTask second = keyed(urgent, ANNA, micros(-10));
    storeWaiting(first, second);
    Map<QueueId, Integer> both = Map.of(mail, MANY, urgent, MANY);

    List<FencedTask> begun = begin(enqueue(NODE, both, PLENTY_BYTES, Duration.ZERO));

    assertThat(begun).extracting(FencedTask::id).containsExactly(first.id());
    assertThat(tasks.settle(List.of(finish(begun.getFirst(), TaskState.SUCCEEDED))).roomIn())
        .containsExactly(urgent);
    assertThat(begin(enqueue(NODE, both, PLENTY_BYTES, Duration.ZERO)))
        .extracting(FencedTask::id)
        .containsExactly(second.id());
  }

  private SettlementResult endAndEnqueueNext(
      FencedTask begun, Map<QueueId, Integer> limits, long bytes) {
    return tasks.settle(
        List.of(finish(begun, TaskState.SUCCEEDED)),
        new EnqueueRequest(NODE, limits, bytes, Duration.ofSeconds(10), ENQUEUE_TIMEOUT),
        BELIEVED);
  }

  @Test
  void pd18_the_next_of_a_key_is_enqueued_where_the_one_before_it_ends() {
    NewTask second = keyed(ANNA, micros(-5));
    storeWaiting(keyed(ANNA, micros(-10)), second, keyed(ANNA, micros(-1)), task(micros(0)));
    FencedTask first = begin().getFirst();

    SettlementResult settled = endAndEnqueueNext(first, Map.of(mail, 1), PLENTY_BYTES);

    assertThat(settled.tasks()).containsExactly(first);
    assertThat(settled.roomIn()).isEmpty();
    assertThat(settled.enqueued())
        .singleElement()
        .satisfies(next -> {
          assertThat(next.task().id()).isEqualTo(second.id());
          assertThat(next.queue()).isEqualTo(mail);
          assertThat(next.triggerMicros()).isEqualTo(second.dueMicros());
          assertThat(next.details().payload()).isEqualTo(second.details().payload());
          assertThat(next.details().key()).isEqualTo(ANNA);
        });
    assertThat(view(second.id()).state()).isEqualTo(TaskState.ENQUEUED);
    assertThat(view(second.id()).progress().holder()).isEqualTo(NODE.toString());
    assertIn(ENQUEUE_TIMEOUT, view(second.id()).progress().nextTrigger());
    assertThat(begin(settled.enqueued())).hasSize(1);
  }

  @Test
  void the_next_of_a_key_waits_when_the_node_has_no_room_for_it_or_it_is_not_due_soon() {
    NewTask second = keyed(ANNA, micros(-5));
    NewTask far = keyed(BERT, micros(3_600));
    storeWaiting(keyed(ANNA, micros(-10)), second, keyed(ANNA, micros(-1)));
    storeWaiting(keyed(BERT, micros(-10)), far);
    List<FencedTask> begun = new ArrayList<>(begin());
    begun.sort(Comparator.comparing(FencedTask::id));

    SettlementResult noQueue = endAndEnqueueNext(begun.getFirst(), Map.of(print, 1), PLENTY_BYTES);
    SettlementResult noBytes =
        endAndEnqueueNext(begin().getFirst(), Map.of(mail, 1), second.details().bytes() - 1);
    SettlementResult notSoon = endAndEnqueueNext(begun.getLast(), Map.of(mail, 1), PLENTY_BYTES);

    for (SettlementResult settled : List.of(noQueue, noBytes, notSoon)) {
      assertThat(settled.enqueued()).isEmpty();
      assertThat(settled.roomIn()).containsExactly(mail);
    }
    assertThat(view(far.id()).state()).isEqualTo(TaskState.NEW);
  }

  @Test
  void of_several_that_are_next_as_many_are_enqueued_as_there_is_room_for() {
    storeWaiting(keyed(ANNA, micros(-10)), keyed(BERT, micros(-10)));
    NewTask anna = keyed(ANNA, micros(-5));
    NewTask bert = keyed(BERT, micros(-9));
    storeWaiting(anna, bert);
    List<Settlement> ends = begin().stream().map(one -> finish(one, TaskState.SUCCEEDED)).toList();

    SettlementResult settled =
        tasks.settle(
            ends,
            new EnqueueRequest(
                NODE, Map.of(mail, 1), PLENTY_BYTES, Duration.ofSeconds(10), ENQUEUE_TIMEOUT),
            BELIEVED);

    assertThat(ids(settled.enqueued())).containsExactly(anna.id());
    assertThat(settled.roomIn()).containsExactly(mail);
    assertThat(view(bert.id()).state()).isEqualTo(TaskState.NEW);
  }

  @Test
  void only_the_first_of_a_key_is_stored_on_its_queue() {
    NewTask second = keyed(ANNA, micros(0));
    NewTask first = keyed(ANNA, micros(-10));
    NewTask other = keyed(BERT, micros(0));

    List<TaskReceipt> receipts = stored(second, first, other);

    assertThat(receipts).extracting(TaskReceipt::onQueue).containsExactly(false, true, true);
    assertThat(receipts.get(0).keyId()).isNull();
    assertThat(receipts.get(1).keyId()).isNotNull().isNotEqualTo(receipts.get(2).keyId());
    assertThat(stateOf(second)).isEqualTo(TaskState.BLOCKED);
    assertThat(view(second.id()).progress().holder()).isNull();
    assertThat(stored(keyed(ANNA, micros(5))).getFirst().onQueue()).isFalse();
    FencedTask begun = new FencedTask(first.id(), 1);
    assertThat(
            tasks
                .claim(List.of(new TaskClaim(begun, mail, WORKER, receipts.get(1).keyId())), LEASE)
                .claimed())
        .containsExactly(begun);
    assertThat(enqueue(NODE)).isEmpty();
  }

  @Test
  void of_a_key_in_one_batch_of_claims_only_the_earliest_is_claimed() {
    storeWaiting(keyed(ANNA, micros(-10)));
    List<EnqueuedTask> enqueued = new ArrayList<>(enqueue(NODE));
    NewTask earlier = keyed(ANNA, micros(-20));
    enqueued.addFirst(onQueue(earlier));

    assertThat(begin(enqueued)).extracting(FencedTask::id).containsExactly(earlier.id());
    assertThat(stateOf(enqueued.getLast().task())).isEqualTo(TaskState.BLOCKED);
  }

  @Test
  void a_claim_without_the_key_of_its_task_is_refused() {
    FencedTask enqueued = onQueue(keyed(ANNA, micros(0))).task();

    assertThat(isClaimed(enqueued)).isFalse();
    assertThat(stateOf(enqueued)).isEqualTo(TaskState.ENQUEUED);
  }

  @Test
  void pd21_what_is_due_earlier_overtakes_what_has_not_begun() {
    EnqueuedTask first = onQueue(keyed(ANNA, micros(-10)));
    NewTask overdue = storedWaiting(keyed(ANNA, micros(-60)));

    assertThat(begin(List.of(first))).isEmpty();
    assertThat(stateOf(first.task())).isEqualTo(TaskState.BLOCKED);
    end(beginOnly(overdue.id()), TaskState.SUCCEEDED);
    assertThat(beginOne().id()).isEqualTo(first.task().id());
  }

  @Test
  void pd21_what_has_begun_is_not_overtaken_not_even_while_it_waits_for_another_attempt() {
    storeWaiting(keyed(ANNA, micros(-10)));
    FencedTask begun = beginOne();
    NewTask overdue = storedWaiting(keyed(ANNA, micros(-60)));

    assertThat(stateOf(overdue)).isEqualTo(TaskState.BLOCKED);
    settle(new Settlement.Retry(begun, LONG, "why"));
    assertThat(begin()).isEmpty();
    stores.letPass(LONG.plusMinutes(1));
    end(beginOnly(begun.id()), TaskState.SUCCEEDED);
    assertThat(beginOne().id()).isEqualTo(overdue.id());
  }

  @Test
  void a_snoozed_head_keeps_its_place_and_those_behind_it_wait() {
    storeWaiting(keyed(ANNA, micros(-10)));
    FencedTask begun = beginOne();
    NewTask overdue = storedWaiting(keyed(ANNA, micros(-60)));
    NewTask behind = storedWaiting(keyed(ANNA, micros(-5)));

    settle(new Settlement.Snooze(begun, LONG));

    assertThat(begin()).isEmpty();
    assertThat(stateOf(behind)).isEqualTo(TaskState.BLOCKED);
    stores.letPass(LONG.plusMinutes(1));
    end(beginOnly(begun.id()), TaskState.SUCCEEDED);
    end(beginOnly(overdue.id()), TaskState.SUCCEEDED);
    beginOnly(behind.id());
  }

  @Test
  void a_snoozed_task_frees_its_slot_of_a_key_without_order_and_a_cancel_lets_the_next_begin() {
    tasks.setKeyPolicy(MAILER, new OrderingKeyPolicy(new Parallel(1), null));
    NewTask first = storedWaiting(keyed(ANNA, micros(-10)));
    FencedTask begun = beginOne();
    NewTask second = storedWaiting(keyed(ANNA, micros(-5)));
    settle(new Settlement.Snooze(begun, LONG));
    FencedTask next = beginOnly(second.id());
    NewTask third = storedWaiting(keyed(ANNA, micros(-4)));
    tasks.cancel(next.id());

    settle(new Settlement.Snooze(next, LONG));

    assertThat(stateOf(second)).isEqualTo(TaskState.CANCELLED);
    assertThat(stateOf(first)).isEqualTo(TaskState.NEW);
    beginOnly(third.id());
  }

  @Test
  void what_is_due_later_waits_as_new_once_it_is_the_first() {
    NewTask now = keyed(ANNA, micros(-1));
    NewTask later = keyed(ANNA, micros(7_200));
    storeWaiting(now, later);
    assertThat(stateOf(later)).isEqualTo(TaskState.BLOCKED);

    end(beginOne(), TaskState.SUCCEEDED);

    assertThat(stateOf(later)).isEqualTo(TaskState.NEW);
    assertThat(begin()).isEmpty();
    stores.letPass(LONG.multipliedBy(3));
    assertThat(beginOne().id()).isEqualTo(later.id());
  }

  @Test
  void what_leaves_a_nodes_memory_keeps_its_place() {
    EnqueuedTask first = onQueue(keyed(ANNA, micros(-10)));
    NewTask second = storedWaiting(keyed(ANNA, micros(-5)));

    tasks.release(List.of(first.task()), ENQUEUE_TIMEOUT);

    assertThat(beginOne().id()).isEqualTo(first.task().id());
    assertThat(stateOf(second)).isEqualTo(TaskState.BLOCKED);
  }

  @Test
  void a_batch_may_end_many_tasks_with_and_without_keys() {
    for (int i = 0; i < 20; i++) {
      storedKeyed(new OrderingKey("key " + i), -2, -1);
      storeWaiting(task(micros(-1)));
    }
    List<FencedTask> processing = begin();
    assertThat(processing).hasSize(40);

    Stream<Settlement> ends = processing.stream().map(one -> finish(one, TaskState.SUCCEEDED));
    assertThat(settle(ends.toArray(Settlement[]::new)))
        .containsExactlyInAnyOrderElementsOf(processing);
    assertThat(begin()).hasSize(20);
  }

  // Failing heads

  @Test // PD-10
  void pd31_a_failing_head_holds_only_its_key_and_is_passed_when_it_has_failed_for_good() {
    NewTask second = storedKeyed(ANNA, -10, -5).getLast();
    FencedTask head = beginOne();
    settle(new Settlement.Retry(head, Duration.ZERO, "why"));
    NewTask other = storedWaiting(keyed(BERT, micros(-1)));

    List<FencedTask> begun = begin();

    assertThat(begun).extracting(FencedTask::id).containsExactlyInAnyOrder(head.id(), other.id());
    FencedTask again =
        begun.stream().filter(task -> task.id().equals(head.id())).findFirst().orElseThrow();
    end(again, TaskState.DEAD);
    assertThat(beginOne().id()).isEqualTo(second.id());
    assertThat(stuck()).isEmpty();
  }

  @Test
  void a_head_that_vanishes_is_still_the_head_when_its_lease_has_lapsed() {
    NewTask second = storedKeyed(ANNA, -10, -5).getLast();
    FencedTask head = beginOne();
    stores.letPass(LEASE.plusMinutes(1));

    reap(new Settlement.Retry(head, Duration.ZERO, "lapsed"));

    FencedTask again = beginOnly(head.id());
    stores.letPass(LEASE.plusMinutes(1));
    reap(new Settlement.Finish(again, TaskState.DEAD, "lapsed"));
    assertThat(beginOne().id()).isEqualTo(second.id());
  }

  @Test
  void a_head_that_has_failed_for_good_blocks_its_key_where_the_policy_says_so() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    NewTask second = keyed(ANNA, micros(-5));
    storeWaiting(keyed(ANNA, micros(-10)), second, keyed(BERT, micros(-1)));
    List<FencedTask> heads = begin();
    FencedTask annas = heads.getFirst();

    end(annas, TaskState.FAILED);
    end(heads.getLast(), TaskState.SUCCEEDED);
    NewTask third = storedWaiting(keyed(ANNA, micros(-60)));

    assertThat(begin()).isEmpty();
    assertThat(List.of(stateOf(second), stateOf(third))).containsOnly(TaskState.BLOCKED);
    assertThat(stuck())
        .singleElement()
        .satisfies(key -> {
          assertThat(key.handler()).isEqualTo(MAILER);
          assertThat(key.key()).isEqualTo(ANNA);
          assertThat(key.reason()).isEqualTo(BlockedKey.Reason.HEAD_FAILED);
          assertThat(key.head()).isEqualTo(annas.id());
          assertThat(key.waiting()).isEqualTo(2);
          assertThat(key.error()).isEqualTo("why");
        });
  }

  @Test
  void a_key_goes_on_when_the_head_that_blocks_it_is_skipped() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    NewTask second = storedKeyed(ANNA, -10, -5).getLast();
    FencedTask head = beginOne();
    end(head, TaskState.DEAD);

    assertThat(tasks.skipHead(MAILER, ANNA)).isEqualTo(HeadResult.DONE);

    assertThat(stuck()).isEmpty();
    FencedTask next = beginOnly(second.id());
    assertThat(stateOf(head)).isEqualTo(TaskState.DEAD);
    end(next, TaskState.SUCCEEDED);
    assertThat(tasks.skipHead(MAILER, ANNA)).isEqualTo(HeadResult.NOT_STUCK);
  }

  @Test
  void a_head_that_blocks_its_key_can_be_tried_again_and_is_still_the_first() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    storedKeyed(ANNA, -10, -5);
    FencedTask head = beginOne();
    end(head, TaskState.DEAD);
    storeWaiting(keyed(ANNA, micros(-60)));

    assertThat(tasks.retryHead(MAILER, ANNA)).isEqualTo(HeadResult.DONE);

    FencedTask again = beginOnly(head.id());
    assertThat(again.fence()).isGreaterThan(head.fence());
    assertThat(view(again).progress().attempt()).isEqualTo(1);
    assertThat(errorsOf(again)).containsExactly("why");
    assertThat(stuck()).isEmpty();
    end(again, TaskState.SUCCEEDED);
    assertThat(begin()).hasSize(1);
  }

  @Test
  void a_head_that_is_another_than_the_one_that_is_meant_is_left_as_it_is() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    NewTask second = storedKeyed(ANNA, -10, -5).getLast();
    storeWaiting(keyed(BERT, micros(-20)));
    List<FencedTask> heads = begin();
    FencedTask berts = heads.getFirst();
    FencedTask annas = heads.getLast();
    end(annas, TaskState.DEAD);
    settle(new Settlement.Retry(berts, LONG, "why"));

    assertThat(tasks.skipHead(MAILER, ANNA, second.id())).isEqualTo(HeadResult.OTHER_HEAD);
    assertThat(tasks.retryHead(MAILER, ANNA, second.id())).isEqualTo(HeadResult.OTHER_HEAD);
    assertThat(tasks.skipHead(MAILER, BERT, second.id())).isEqualTo(HeadResult.OTHER_HEAD);
    assertThat(tasks.retryHead(MAILER, BERT, second.id())).isEqualTo(HeadResult.OTHER_HEAD);
    assertThat(stuck()).hasSize(2);
    assertThat(tasks.retryHead(MAILER, BERT, berts.id())).isEqualTo(HeadResult.DONE);
    assertThat(tasks.skipHead(MAILER, ANNA, annas.id())).isEqualTo(HeadResult.DONE);
    assertThat(stuck()).extracting(BlockedKey::key).containsExactly(BERT);
  }

  @Test
  void daf3_a_head_that_blocks_its_key_is_none_of_the_tasks_that_a_filter_puts_back() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    storeWaiting(keyed(ANNA, micros(-10)));
    end(beginOne(), TaskState.DEAD);
    FencedTask other = processing();
    end(other, TaskState.DEAD);
    RedriveRequest.Filter all =
        new RedriveRequest.Filter(MAILER, RedriveRequest.REDRIVABLE, null, "", null);

    assertThat(tasks.redrive(new RedriveRequest(all, null, Duration.ZERO, 1)).tasks())
        .containsExactly(other.id());
    assertThat(stuck()).hasSize(1);
  }

  @Test
  void keys_whose_head_is_retried_are_listed_and_their_heads_skipped_or_hurried() {
    NewTask second = keyed(ANNA, micros(-5));
    storeWaiting(keyed(ANNA, micros(-10)), second, keyed(BERT, micros(-1)));
    List<FencedTask> heads = begin();
    assertThat(tasks.skipHead(MAILER, ANNA)).isEqualTo(HeadResult.BEING_PERFORMED);
    assertThat(tasks.retryHead(MAILER, ANNA)).isEqualTo(HeadResult.BEING_PERFORMED);
    heads.forEach(head -> settle(new Settlement.Retry(head, LONG, "why")));

    assertThat(stuck()).extracting(BlockedKey::key).containsExactlyInAnyOrder(ANNA, BERT);
    assertThat(stuck())
        .extracting(BlockedKey::reason)
        .containsOnly(BlockedKey.Reason.HEAD_IS_RETRIED);
    assertThat(stuck()).extracting(BlockedKey::waiting).containsExactlyInAnyOrder(1, 0);
    assertThat(tasks.retryHead(MAILER, BERT)).isEqualTo(HeadResult.DONE);
    assertThat(beginOne().id()).isEqualTo(heads.getLast().id());
    assertThat(tasks.skipHead(MAILER, ANNA)).isEqualTo(HeadResult.DONE);
    assertThat(stateOf(heads.getFirst())).isEqualTo(TaskState.DEAD);
    assertThat(view(heads.getFirst()).progress().failures()).hasSize(2);
    assertThat(beginOne().id()).isEqualTo(second.id());
    assertThat(tasks.skipHead(PRINT.handler(), ANNA)).isEqualTo(HeadResult.NOT_STUCK);
    assertThat(tasks.retryHead(MAILER, new OrderingKey("none"))).isEqualTo(HeadResult.NOT_STUCK);
  }

  @Test // PD-44
  void stuck_keys_are_listed_by_handler_and_in_pages() {
    for (int i = 0; i < 5; i++) {
      storeWaiting(keyed(new OrderingKey("key " + i), micros(-1)));
    }
    storeWaiting(keyed(print, ANNA, micros(-1)));
    begin().forEach(head -> settle(new Settlement.Retry(head, LONG, "why")));

    List<BlockedKey> first = tasks.stuckKeys(new KeyQuery(MAILER, null, 3));
    List<BlockedKey> second = tasks.stuckKeys(new KeyQuery(MAILER, first.getLast().place(), 3));

    assertThat(first).hasSize(3);
    assertThat(second).hasSize(2).doesNotContainAnyElementsOf(first);
    assertThat(tasks.stuckKeys(new KeyQuery(PRINT.handler(), null, 3)))
        .extracting(BlockedKey::key)
        .containsExactly(ANNA);
  }

  @Test
  void keys_that_need_an_operator_are_listed_before_those_that_are_retried() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    for (int i = 0; i < 4; i++) {
      storeWaiting(keyed(new OrderingKey("key " + i), micros(i - 10)));
    }
    List<FencedTask> heads = begin();
    for (int i = 0; i < 4; i++) {
      settle(
          i % 2 == 0
              ? new Settlement.Retry(heads.get(i), LONG, "later")
              : new Settlement.Finish(heads.get(i), TaskState.DEAD, "never"));
    }

    List<String> listed = new ArrayList<>();
    KeyQuery.PageStart after = null;
    for (List<BlockedKey> page = tasks.stuckKeys(new KeyQuery(null, null, 1));
        !page.isEmpty();
        page = tasks.stuckKeys(new KeyQuery(null, after, 1))) {
      assertThat(page).hasSize(1);
      after = page.getFirst().place();
      listed.add(page.getFirst().key() + " " + page.getFirst().error());
    }

    assertThat(listed).containsExactly("key 1 never", "key 3 never", "key 0 later", "key 2 later");
  }

  // Cancelling and rescheduling

  @Test
  void the_next_of_a_key_begins_when_the_one_before_is_cancelled() {
    List<NewTask> three = storedKeyed(ANNA, -30, -20, -10);
    NewTask first = three.getFirst();

    assertThat(tasks.cancel(three.get(1).id())).isEqualTo(CancelResult.CANCELLED);
    assertThat(tasks.cancel(first.id())).isEqualTo(CancelResult.CANCELLED);

    assertThat(view(first.id()).details().key()).isEqualTo(ANNA);
    FencedTask begun = beginOnly(three.getLast().id());
    storeWaiting(keyed(ANNA, micros(-5)));
    tasks.cancel(begun.id());
    settle(retry(begun));
    assertThat(stateOf(begun)).isEqualTo(TaskState.CANCELLED);
    assertThat(begin()).hasSize(1);
  }

  @Test
  void a_failing_head_that_is_cancelled_or_rescheduled_lets_the_next_begin() {
    List<NewTask> three = storedKeyed(ANNA, -30, -20, -10);
    FencedTask head = beginOne();
    settle(new Settlement.Retry(head, LONG, "why"));

    assertThat(tasks.reschedule(head.id(), micros(7_200))).isTrue();
    FencedTask next = beginOnly(three.get(1).id());
    settle(new Settlement.Retry(next, LONG, "why"));
    assertThat(tasks.cancel(next.id())).isEqualTo(CancelResult.CANCELLED);
    FencedTask last = beginOnly(three.getLast().id());
    end(last, TaskState.SUCCEEDED);
    stores.letPass(LONG.multipliedBy(3));
    assertThat(beginOne().id()).isEqualTo(head.id());
  }

  @Test
  void what_is_rescheduled_takes_its_place_by_its_new_due_time() {
    List<NewTask> three = storedKeyed(ANNA, -30, -20, -10);

    tasks.reschedule(three.getLast().id(), micros(-40));
    tasks.reschedule(three.getFirst().id(), micros(-5));

    assertPerformedInTurn(three.reversed().toArray(NewTask[]::new));
  }

  // Capacity and rate

  @Test
  void tasks_of_a_key_run_beside_each_other_up_to_the_capacity_of_the_policy() {
    tasks.setKeyPolicy(MAILER, new OrderingKeyPolicy(new Parallel(2), null));
    List<NewTask> five = storedKeyed(ANNA, -10, -9, -8, -7, -6);

    List<FencedTask> begun = new ArrayList<>(begin());

    assertThat(begun)
        .extracting(FencedTask::id)
        .containsExactly(five.get(0).id(), five.get(1).id());
    assertThat(stateOf(five.getLast())).isEqualTo(TaskState.BLOCKED);
    assertThat(stored(keyed(ANNA, micros(0))).getFirst().onQueue()).isFalse();
    settle(new Settlement.Retry(begun.removeFirst(), LONG, "why"));
    begun.add(beginOne());
    int performed = 0;
    while (!begun.isEmpty()) {
      end(begun.removeFirst(), TaskState.SUCCEEDED);
      performed++;
      begun.addAll(begin());
      assertThat(begun).hasSizeLessThanOrEqualTo(2);
    }
    assertThat(performed).isEqualTo(5);
    stores.letPass(LONG.plusMinutes(1));
    assertThat(beginOne().id()).isEqualTo(five.getFirst().id());
  }

  @Test
  void the_starts_of_each_key_keep_its_rate() {
    tasks.setKeyPolicy(
        MAILER, new OrderingKeyPolicy(new Parallel(Integer.MAX_VALUE), new Rate(1.0 / 600, 2)));
    List<NewTask> four = storedKeyed(ANNA, -10, -9, -8, -7);
    storeWaiting(keyed(BERT, micros(-1)));

    assertThat(begin()).hasSize(3);

    assertThat(begin()).isEmpty();
    assertThat(stateOf(four.get(2))).isEqualTo(TaskState.NEW);
    assertIn(Duration.ofMinutes(10), view(four.get(2).id()).progress().nextTrigger());
    assertIn(Duration.ofMinutes(20), view(four.get(3).id()).progress().nextTrigger());
    stores.letPass(Duration.ofMinutes(11));
    assertThat(beginOne().id()).isEqualTo(four.get(2).id());
    stores.letPass(Duration.ofMinutes(11));
    assertThat(beginOne().id()).isEqualTo(four.get(3).id());
  }

  @Test
  void an_ordered_key_has_a_rate_too() {
    tasks.setKeyPolicy(
        MAILER, new OrderingKeyPolicy(new Ordered(OnDead.PARK), new Rate(1.0 / 600, 1)));
    NewTask second = storedKeyed(ANNA, -10, -5).getLast();

    end(beginOne(), TaskState.SUCCEEDED);

    assertThat(begin()).isEmpty();
    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
    stores.letPass(Duration.ofMinutes(11));
    assertThat(beginOne().id()).isEqualTo(second.id());
  }

  @Test
  void a_policy_is_the_handlers_and_what_it_lets_begin_begins() {
    assertThat(tasks.settings(MAILER).keyPolicy()).isEqualTo(OrderingKeyPolicy.DEFAULT);
    storeWaiting(
        keyed(ANNA, micros(-3)),
        keyed(ANNA, micros(-2)),
        keyed(ANNA, micros(-1)),
        keyed(print, ANNA, micros(-3)),
        keyed(print, ANNA, micros(-2)));
    assertThat(begin()).hasSize(2);
    OrderingKeyPolicy wide = new OrderingKeyPolicy(new Parallel(7), new Rate(2.5, 30));

    tasks.setKeyPolicy(MAILER, wide);

    assertThat(tasks.settings(MAILER).keyPolicy()).isEqualTo(wide);
    assertThat(tasks.settings(PRINT.handler()).keyPolicy()).isEqualTo(OrderingKeyPolicy.DEFAULT);
    assertThat(begin()).hasSize(2);
    for (OrderingKeyPolicy other :
        List.of(
            BLOCKING,
            OrderingKeyPolicy.DEFAULT,
            new OrderingKeyPolicy(new Parallel(Integer.MAX_VALUE), null))) {
      tasks.setKeyPolicy(MAILER, other);
      assertThat(tasks.settings(MAILER).keyPolicy()).isEqualTo(other);
    }
  }

  @Test
  void a_key_becomes_ordered_when_what_runs_beside_each_other_has_ended() {
    tasks.setKeyPolicy(MAILER, new OrderingKeyPolicy(new Parallel(2), null));
    storeWaiting(keyed(ANNA, micros(-4)), keyed(ANNA, micros(-3)));
    List<FencedTask> beside = begin();
    NewTask next = storedWaiting(keyed(ANNA, micros(-2)));
    tasks.setKeyPolicy(MAILER, OrderingKeyPolicy.DEFAULT);

    end(beside.getFirst(), TaskState.SUCCEEDED);
    assertThat(begin()).isEmpty();
    end(beside.getLast(), TaskState.SUCCEEDED);
    assertThat(beginOne().id()).isEqualTo(next.id());
  }

  @Test
  void a_key_that_is_blocked_stays_so_under_a_policy_that_would_not_have_blocked_it() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    storeWaiting(keyed(ANNA, micros(-2)));
    end(beginOne(), TaskState.DEAD);
    NewTask next = storedWaiting(keyed(ANNA, micros(-1)));

    for (OrderingKeyPolicy other :
        List.of(OrderingKeyPolicy.DEFAULT, new OrderingKeyPolicy(new Parallel(2), null))) {
      tasks.setKeyPolicy(MAILER, other);
      assertThat(begin()).isEmpty();
    }
    assertThat(stuck()).hasSize(1);
    tasks.skipHead(MAILER, ANNA);
    assertThat(beginOne().id()).isEqualTo(next.id());
  }

  // Upkeep

  @Test
  void keys_without_tasks_are_forgotten_and_the_others_kept() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    storeWaiting(keyed(ANNA, micros(-2)));
    end(beginOne(), TaskState.DEAD);
    NewTask waiting = storedWaiting(keyed(BERT, micros(600)));
    Set<OrderingKeyId> used = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      EnqueuedTask task = onQueue(keyed(new OrderingKey("key"), micros(0)));
      used.add(requireNonNull(task.keyId()));
      begin(List.of(task)).forEach(begun -> end(begun, TaskState.SUCCEEDED));
      sweepAll();
    }

    assertThat(used).hasSize(10);
    assertThat(stuck()).hasSize(1);
    assertThat(begin(enqueue(NODE, Map.of(mail, MANY), PLENTY_BYTES, LONG)))
        .extracting(FencedTask::id)
        .containsExactly(waiting.id());
  }

  @Test
  void a_sweep_says_how_many_keys_without_tasks_it_has_found() {
    storeWaiting(keyed(BERT, micros(600)));
    assertThat(tasks.sweepKeys(Optional.empty(), MANY).found()).isZero();
    EnqueuedTask task = onQueue(keyed(ANNA, micros(0)));
    begin(List.of(task)).forEach(begun -> end(begun, TaskState.SUCCEEDED));

    SweptKeys swept = tasks.sweepKeys(Optional.empty(), MANY);

    assertThat(swept).isEqualTo(new SweptKeys(task.keyId(), 1));
    assertThat(tasks.sweepKeys(Optional.empty(), MANY).found()).isZero();
    assertThat(tasks.sweepKeys(Optional.ofNullable(swept.last()), MANY)).isEqualTo(SweptKeys.NONE);
  }

  private void sweepAll() {
    Optional<OrderingKeyId> at = Optional.empty();
    do {
      at = Optional.ofNullable(tasks.sweepKeys(at, 2).last());
    } while (at.isPresent());
  }

  // Start deadlines

  @Test // PD-14
  void what_has_not_begun_by_its_start_deadline_is_never_begun_and_fails() {
    NewTask waiting = until(null, micros(-60), micros(1_800));
    NewTask inMemory = until(null, micros(-60), micros(1_800));
    NewTask performed = until(null, micros(-60), micros(1_800));
    NewTask retried = until(null, micros(-60), micros(1_800));
    NewTask inTime = until(null, micros(-60), micros(72_000));
    FencedTask enqueued = enqueued(inMemory);
    FencedTask begun = claimed(enqueued(performed), WORKER);
    FencedTask failed = claimed(enqueued(retried), WORKER);
    settle(new Settlement.Retry(failed, Duration.ofMinutes(5), "why"));
    storeWaiting(waiting, inTime);
    assertThat(tasks.expire(BELIEVED, MANY)).isZero();
    stores.letPass(LONG);

    assertThat(isClaimed(enqueued)).isFalse();
    assertThat(ids(enqueue(NODE))).containsExactly(inTime.id());
    assertThat(tasks.expire(BELIEVED, 1)).isEqualTo(1);
    assertThat(tasks.expire(BELIEVED, MANY)).isEqualTo(2);
    assertThat(tasks.expire(BELIEVED, MANY)).isZero();

    assertThat(List.of(stateOf(waiting), stateOf(inMemory), stateOf(retried)))
        .containsOnly(TaskState.FAILED);
    assertThat(errorsOf(waiting.id())).containsExactly("not started by its start deadline");
    assertThat(view(retried.id()).progress().failures()).hasSize(2);
    assertThat(view(waiting.id()).details().startDeadlineMicros()).isNotNull();
    assertThat(view(begun).state()).isEqualTo(TaskState.PROCESSING);
    assertThat(beat(begun)).isNotNull();
    settle(finish(begun, TaskState.SUCCEEDED));
    assertThat(stateOf(begun)).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void a_start_deadline_is_judged_by_the_believed_time_when_the_stores_clock_is_ahead_of_it() {
    NewTask waiting = storedWaiting(until(null, micros(-60), micros(1_800)));
    stores.letPass(LONG);

    assertThat(tasks.expire(EpochMicros.of(stores.now().minus(LONG)), MANY)).isZero();
    assertThat(tasks.expire(LeaseClock.NOTHING_PASSED, MANY)).isZero();
    assertThat(view(waiting.id()).state()).isEqualTo(TaskState.NEW);

    assertThat(tasks.expire(BELIEVED, MANY)).isEqualTo(1);
  }

  @Test
  void what_a_worker_would_begin_after_its_start_deadline_waits_as_before() {
    FencedTask enqueued = enqueued(until(null, micros(-60), micros(1_800)));
    FencedTask failed = claimed(enqueued(until(null, micros(-60), micros(1_800))), WORKER);
    FencedTask retried = afterFailure(failed);
    storeWaiting(until(ANNA, micros(-60), micros(1_800)));
    EnqueuedTask ofKey = enqueue(NODE).getFirst();
    stores.letPass(LONG);

    assertThat(
            tasks.claim(
                List.of(
                    claimOn(enqueued, WORKER),
                    claimOn(retried, WORKER),
                    new TaskClaim(ofKey.task(), ofKey.queue(), WORKER, ofKey.keyId())),
                LEASE))
        .isEqualTo(ClaimResult.NONE);

    assertThat(List.of(stateOf(enqueued), stateOf(retried), stateOf(ofKey.task())))
        .containsExactly(TaskState.NEW, TaskState.RETRIABLE_FAILURE, TaskState.NEW);
    assertThat(tasks.holder(enqueued.id())).isEmpty();
    assertThat(isClaimed(enqueued)).as("has another fence").isFalse();
    assertThat(view(retried).progress().attempt()).isEqualTo(1);
    assertThat(tasks.expire(BELIEVED, MANY)).isEqualTo(3);
  }

  @Test
  void what_must_begin_by_its_start_deadline_is_not_rescheduled_beyond_it() {
    long due = micros(10);
    long deadline = micros(60);
    NewTask waiting = storedWaiting(until(null, due, deadline));

    assertThat(tasks.reschedule(waiting.id(), deadline + 1)).isFalse();
    assertThat(view(waiting.id()).dueAt()).isEqualTo(EpochMicros.toInstant(due));
    assertThat(tasks.reschedule(waiting.id(), deadline)).isTrue();
  }

  @Test
  void what_is_too_late_lets_the_next_of_its_key_begin_and_never_blocks_it() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    NewTask first = until(ANNA, micros(-30), micros(1_800));
    NewTask second = until(ANNA, micros(-20), micros(1_800));
    NewTask third = keyed(ANNA, micros(-10));
    storeWaiting(first, second, third);
    stores.letPass(LONG);
    assertThat(begin()).isEmpty();

    assertThat(tasks.expire(BELIEVED, MANY)).isEqualTo(2);

    assertThat(beginOne().id()).isEqualTo(third.id());
    assertThat(stuck()).isEmpty();
  }

  // Settings of handlers

  @Test
  void what_is_set_for_a_handler_changes_as_a_whole_or_not_at_all() {
    StoredHandlerSettings defaults =
        new StoredHandlerSettings(RetryPolicy.DEFAULT, null, OrderingKeyPolicy.DEFAULT);
    RetryPolicy retry = new RetryPolicy(9, Duration.ofSeconds(2), 1.5, Duration.ofSeconds(8));
    StoredHandlerSettings all = new StoredHandlerSettings(retry, 2L, BLOCKING);
    storeWaiting(keyed(ANNA, micros(60)));

    assertThat(tasks.settings(MAILER)).isEqualTo(defaults);
    assertThat(tasks.changeHandler(MAILER, _ -> all)).isEqualTo(all);
    assertThat(tasks.settings(MAILER)).isEqualTo(all);
    assertThat(tasks.quota(MAILER)).hasValue(new AdmissionQuota(2, 1));
    assertThat(tasks.settings(PRINT.handler())).isEqualTo(defaults);

    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            tasks.changeHandler(
                MAILER,
                before -> {
                  throw new IllegalArgumentException("not from " + before);
                }));
    assertThat(tasks.settings(MAILER)).isEqualTo(all);
    assertThat(tasks.changeHandler(MAILER, _ -> defaults)).isEqualTo(defaults);
    assertThat(tasks.settings(MAILER)).isEqualTo(defaults);
    assertThat(tasks.quota(MAILER)).isEmpty();
  }

  // Retry policies of handlers

  @Test
  void a_task_without_a_retry_policy_has_that_of_its_handler_at_its_next_failure() {
    RetryPolicy own = new RetryPolicy(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(4));
    RetryPolicy handlers = new RetryPolicy(9, Duration.ofSeconds(2), 1.5, Duration.ofSeconds(8));
    FencedTask with = claimed(enqueued(policed(own)), WORKER);
    FencedTask without = claimed(enqueued(policed(null)), WORKER);
    FencedTask explicit = claimed(enqueued(policed(RetryPolicy.DEFAULT)), WORKER);
    assertThat(tasks.settings(MAILER).retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(view(without).details().retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);

    tasks.setRetryPolicy(MAILER, handlers);

    assertThat(tasks.settings(MAILER).retryPolicy()).isEqualTo(handlers);
    assertThat(tasks.settings(PRINT.handler()).retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
    Map<FencedTask, RetryPolicy> expected =
        Map.of(with, own, without, handlers, explicit, RetryPolicy.DEFAULT);
    assertThat(tasks.attempts(expected.keySet()))
        .hasSize(3)
        .allSatisfy(one -> assertThat(one.retryPolicy()).isEqualTo(expected.get(one.task())));
    expected.forEach(
        (task, policy) -> assertThat(view(task).details().retryPolicy()).isEqualTo(policy));
    stores.letPass(LEASE.plusMinutes(1));
    assertThat(lapsed(MANY))
        .hasSize(3)
        .allSatisfy(one -> assertThat(one.retryPolicy()).isEqualTo(expected.get(one.task())));
    assertThat(lapsed(MANY)).extracting(HeldAttempt::task).doesNotHaveDuplicates();
    tasks.setKeyPolicy(MAILER, BLOCKING);
    assertThat(tasks.settings(MAILER).retryPolicy()).isEqualTo(handlers);
    settle(finish(without, TaskState.DEAD));
    assertThat(view(without).details().retryPolicy()).isEqualTo(handlers);
  }

  @Test
  void da4_what_is_blocked_is_dropped_with_what_it_waits_for() {
    storeWaiting(keyed(ANNA, micros(-3)), keyed(ANNA, micros(-2)), keyed(ANNA, micros(-1)));
    tasks.setPause(new TaskPause(MAILER, null, TaskPause.Mode.DROP, null, ""));

    assertThat(tasks.applyPauses(MANY)).isEqualTo(3);
    assertThat(tasks.applyPauses(MANY)).isZero();
  }

  @Test
  void da4_what_a_failed_head_blocks_is_dropped_and_what_is_behind_a_performed_one_after_it() {
    tasks.setKeyPolicy(MAILER, BLOCKING);
    storeWaiting(keyed(ANNA, micros(-4)), keyed(ANNA, micros(-3)));
    end(beginOne(), TaskState.FAILED);
    storeWaiting(keyed(BERT, micros(-2)), keyed(BERT, micros(-1)));
    FencedTask performed = beginOne();
    tasks.setPause(new TaskPause(MAILER, null, TaskPause.Mode.DROP, null, ""));

    assertThat(tasks.applyPauses(MANY)).isEqualTo(1);
    assertThat(tasks.applyPauses(MANY)).isZero();
    end(performed, TaskState.SUCCEEDED);
    assertThat(tasks.applyPauses(MANY)).isEqualTo(1);
  }

  private NewTask policed(@Nullable RetryPolicy policy) {
    return task(mail, micros(0), TaskDetails.of(new byte[0]).withRetryPolicy(policy));
  }
}
