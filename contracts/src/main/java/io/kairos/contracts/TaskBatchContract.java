package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.BatchReason;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.Predecessors.Predecessor;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchView;
import io.kairos.engine.task.port.batch.NewBatch;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A task store counts the tasks of a batch exactly, however they end and are put back, and tells
 * those that wait for the batch once, when it is closed and all its tasks have ended.
 */
public abstract class TaskBatchContract extends TaskContract {
  private static final int SEEDS = 6;
  private static final int OPERATIONS = 120;

  private BatchId batch() {
    return created(null).id();
  }

  private BatchView created(@Nullable String name) {
    return ((BatchCreation.Stored) create(MAIL.handler(), name)).batch();
  }

  private BatchCreation create(TaskHandler handler, @Nullable String name) {
    return tasks.createBatch(
        new NewBatch(
            new BatchId(newId().value()),
            handler,
            name == null ? null : new BatchName(name),
            "me"));
  }

  private BatchView look(BatchId id) {
    return tasks.findBatch(id).orElseThrow();
  }

  private BatchCounts counts(BatchId id) {
    return look(id).counts();
  }

  private NewTask dueTask(BatchId batch) {
    return task(micros(-60)).inBatch(batch);
  }

  private InsertResult store(InsertRequest request) {
    return tasks.insert(NODE, List.of(request), ENQUEUE_TIMEOUT).getFirst();
  }

  private FencedTask processing(BatchId batch) {
    return claimed(enqueued(dueTask(batch)), WORKER);
  }

  private NewTask behind(BatchId batch, OnFailure onFailure) {
    NewTask successor = task(micros(-60));
    InsertRequest request =
        new InsertRequest(
            List.of(ArrivingTask.withoutIdempotency(successor, true)),
            List.of(new GraphEdge(batch.asPredecessor(), successor.id(), onFailure)));
    assertThat(store(request)).isInstanceOf(InsertResult.Stored.class);
    return successor;
  }

  private TaskState stateOf(NewTask task) {
    return view(task.id()).state();
  }

  private void end(FencedTask processing, TaskState state) {
    assertThat(settle(finish(processing, state))).containsExactly(processing);
  }

  /** Counts ends and tells who waits, until there is nothing to do. */
  private void follow() {
    int rounds = 0;
    while (tasks.countBatches(MANY) + tasks.followEnds(MANY) > 0) {
      assertThat(rounds++).as("rounds").isLessThan(1_000);
    }
  }

  private void redrive(TaskId... ids) {
    RedriveRequest request =
        new RedriveRequest(new RedriveRequest.Ids(List.of(ids)), null, Duration.ZERO, MANY);
    assertThat(tasks.redrive(request).tasks()).containsExactlyInAnyOrder(ids);
  }

  private FencedTask begun(TaskId id) {
    return claimed(
        enqueue(NODE).stream()
            .filter(one -> one.task().id().equals(id))
            .findFirst()
            .orElseThrow()
            .task(),
        WORKER);
  }

  @Test
  void a_batch_is_created_empty_and_found() {
    BatchView made = created("import");

    assertThat(made.counts()).isEqualTo(BatchCounts.NONE);
    assertThat(made.handler()).isEqualTo(MAIL.handler());
    assertThat(made.name()).isEqualTo(new BatchName("import"));
    assertThat(made.createdBy()).isEqualTo("me");
    assertIn(Duration.ZERO, made.createdAt());
    assertThat(made.closedAt()).isNull();
    assertThat(made.end()).isNull();
    assertThat(look(made.id())).isEqualTo(made);
    assertThat(tasks.findBatch(new BatchId(newId().value()))).isEmpty();
    assertThat(tasks.closeBatch(new BatchId(newId().value()))).isFalse();
  }

  @Test
  void a_name_is_that_of_one_batch_of_a_handler() {
    BatchView made = created("import");
    tasks.closeBatch(made.id());

    BatchCreation.Stored again = (BatchCreation.Stored) create(MAIL.handler(), "import");
    BatchCreation.Stored other = (BatchCreation.Stored) create(PRINT.handler(), "import");

    assertThat(again.isNew()).isFalse();
    assertThat(again.batch()).isEqualTo(look(made.id()));
    assertThat(other.isNew()).isTrue();
    assertThat(batch()).isNotEqualTo(batch());
  }

  @Test
  void batches_are_listed_newest_first_by_pages() {
    BatchId first = batch();
    BatchId second = batch();
    BatchId print = ((BatchCreation.Stored) create(PRINT.handler(), null)).batch().id();

    assertThat(list(new BatchQuery(null, null, 2))).containsExactly(print, second);
    assertThat(list(new BatchQuery(null, second, 2))).containsExactly(first);
    assertThat(list(new BatchQuery(MAIL.handler(), null, 9))).containsExactly(second, first);
    assertThat(list(new BatchQuery(MAIL.handler(), second, 9))).containsExactly(first);
    assertThat(list(new BatchQuery(PRINT.handler(), null, 9))).containsExactly(print);
  }

  private List<BatchId> list(BatchQuery query) {
    return tasks.listBatches(query).stream().map(BatchView::id).toList();
  }

  @Test
  void every_way_to_end_is_counted_at_once_and_after_counting() {
    BatchId batch = batch();
    end(processing(batch), TaskState.SUCCEEDED);
    end(processing(batch), TaskState.FAILED);
    end(processing(batch), TaskState.DEAD);
    end(processing(batch), TaskState.DEAD);
    tasks.cancel(storedWaiting(dueTask(batch)).id());
    FencedTask asked = processing(batch);
    tasks.cancel(asked.id());
    end(asked, TaskState.CANCELLED);
    storeWaiting(
        task(mail, micros(-120), TaskDetails.of(new byte[1]).withStartDeadline(micros(-100)))
            .inBatch(batch));
    assertThat(tasks.expire(BELIEVED, MANY)).isEqualTo(1);
    NewTask waits = storedWaiting(dueTask(batch));

    assertThat(counts(batch)).isEqualTo(new BatchCounts(8, 1, 2, 2, 2));
    assertThat(counts(batch).unfinished()).isEqualTo(1);
    assertThat(counts(batch).percent()).isEqualTo(87);
    follow();
    assertThat(counts(batch)).isEqualTo(new BatchCounts(8, 1, 2, 2, 2));
    assertThat(view(waits.id()).batch()).isEqualTo(batch);
    assertThat(view(asked).batch()).isEqualTo(batch);
    assertThat(view(storedWaiting(task(micros(0))).id()).batch()).isNull();
  }

  @Test
  void a_retry_a_release_and_a_lapse_are_no_ends() {
    BatchId batch = batch();
    FencedTask again = afterRetry(processing(batch));
    settle(retry(again));
    tasks.release(List.of(enqueued(dueTask(batch))), ENQUEUE_TIMEOUT);

    assertThat(counts(batch)).isEqualTo(new BatchCounts(2, 0, 0, 0, 0));
  }

  @Test
  void pruning_tasks_changes_no_counts() {
    BatchId batch = batch();
    end(processing(batch), TaskState.SUCCEEDED);
    end(processing(batch), TaskState.DEAD);
    stores.letPass(Duration.ofDays(2));
    tasks.prune(TaskState.SUCCEEDED, Duration.ofDays(1), MANY);
    tasks.prune(TaskState.DEAD, Duration.ofDays(1), MANY);
    follow();

    assertThat(counts(batch)).isEqualTo(new BatchCounts(2, 1, 0, 0, 1));
    assertThat(membersOf(batch)).isEmpty();
  }

  @Test
  void a_batch_without_tasks_ends_when_it_is_closed() {
    BatchId batch = batch();
    NewTask last = behind(batch, OnFailure.FAIL);
    follow();
    assertThat(look(batch).end()).isNull();
    assertThat(stateOf(last)).isEqualTo(TaskState.AWAITING);

    assertThat(tasks.closeBatch(batch)).isTrue();
    follow();

    assertThat(look(batch).end()).isEqualTo(TaskState.SUCCEEDED);
    assertIn(Duration.ZERO, look(batch).completedAt());
    assertThat(stateOf(last)).isEqualTo(TaskState.NEW);
    assertThat(enqueueOne(NODE).id()).isEqualTo(last.id());
  }

  @Test
  void a_task_is_claimed_with_the_end_of_the_batch_that_it_has_waited_for() {
    BatchId batch = batch();
    FencedTask part = processing(batch);
    NewTask last = behind(batch, OnFailure.CONTINUE);
    tasks.closeBatch(batch);
    end(part, TaskState.DEAD);
    follow();
    assertThat(stateOf(last)).isEqualTo(TaskState.NEW);

    assertThat(predecessorsOf(last))
        .isEqualTo(
            new Predecessors(
                List.of(
                    new Predecessor(
                        batch.asPredecessor(), MAIL.handler(), TaskState.FAILED, null, 0, true)),
                true));
    redrive(part.id());
    assertThat(predecessorsOf(last).some()).extracting(Predecessor::state).containsOnlyNulls();
  }

  private Predecessors predecessorsOf(NewTask task) {
    PredecessorQuery query = new PredecessorQuery(task.id(), Predecessors.MOST_ROOM);
    return tasks.predecessors(List.of(query)).get(task.id());
  }

  @Test
  void who_waits_is_told_when_the_batch_is_closed_and_its_last_task_has_ended() {
    BatchId batch = batch();
    NewTask last = behind(batch, OnFailure.BLOCK);
    FencedTask first = processing(batch);
    FencedTask second = processing(batch);
    end(first, TaskState.SUCCEEDED);
    follow();
    tasks.closeBatch(batch);
    follow();
    assertThat(stateOf(last)).isEqualTo(TaskState.AWAITING);

    end(second, TaskState.SUCCEEDED);
    follow();

    assertThat(stateOf(last)).isEqualTo(TaskState.NEW);
    assertThat(look(batch).end()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void a_failure_in_the_batch_is_that_of_an_edge() {
    BatchId batch = batch();
    NewTask blocks = behind(batch, OnFailure.BLOCK);
    NewTask fails = behind(batch, OnFailure.FAIL);
    NewTask goesOn = behind(batch, OnFailure.CONTINUE);
    end(processing(batch), TaskState.DEAD);
    end(processing(batch), TaskState.SUCCEEDED);
    tasks.closeBatch(batch);
    follow();

    assertThat(look(batch).end()).isEqualTo(TaskState.FAILED);
    assertThat(List.of(stateOf(blocks), stateOf(fails), stateOf(goesOn)))
        .containsExactly(TaskState.AWAITING, TaskState.FAILED, TaskState.NEW);
    assertThat(errorsOf(fails.id())).containsExactly("its predecessor " + batch + " failed");
  }

  @Test
  void a_cancelled_task_cancels_those_that_wait_for_the_success_of_all() {
    BatchId batch = batch();
    NewTask blocks = behind(batch, OnFailure.BLOCK);
    NewTask goesOn = behind(batch, OnFailure.CONTINUE);
    end(processing(batch), TaskState.DEAD);
    tasks.cancel(storedWaiting(dueTask(batch)).id());
    tasks.closeBatch(batch);
    follow();

    assertThat(look(batch).end()).isEqualTo(TaskState.CANCELLED);
    assertThat(stateOf(blocks)).isEqualTo(TaskState.CANCELLED);
    assertThat(stateOf(goesOn)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_batch_ends_again_after_its_failed_tasks_were_put_back() {
    BatchId batch = batch();
    NewTask blocks = behind(batch, OnFailure.BLOCK);
    NewTask goesOn = behind(batch, OnFailure.CONTINUE);
    FencedTask dead = processing(batch);
    FencedTask failed = processing(batch);
    end(dead, TaskState.DEAD);
    end(failed, TaskState.FAILED);
    tasks.closeBatch(batch);
    follow();
    end(begun(goesOn.id()), TaskState.SUCCEEDED);

    redrive(dead.id(), failed.id());
    assertThat(counts(batch)).isEqualTo(new BatchCounts(2, 0, 0, 0, 0));
    assertThat(look(batch).end()).isNull();
    assertThat(look(batch).completedAt()).isNull();
    follow();
    assertThat(stateOf(blocks)).isEqualTo(TaskState.AWAITING);

    List<FencedTask> again =
        enqueue(NODE).stream().map(one -> claimed(one.task(), WORKER)).toList();
    again.forEach(one -> end(one, TaskState.SUCCEEDED));
    assertThat(again).extracting(FencedTask::id).containsExactlyInAnyOrder(dead.id(), failed.id());
    follow();

    assertThat(look(batch).end()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(counts(batch)).isEqualTo(new BatchCounts(2, 2, 0, 0, 0));
    assertThat(stateOf(blocks)).isEqualTo(TaskState.NEW);
    assertThat(stateOf(goesOn)).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void a_task_that_failed_with_the_batch_and_is_put_back_fails_again_or_waits() {
    BatchId batch = batch();
    NewTask fails = behind(batch, OnFailure.FAIL);
    FencedTask dead = processing(batch);
    end(dead, TaskState.DEAD);
    tasks.closeBatch(batch);
    follow();

    redrive(fails.id());
    assertThat(stateOf(fails)).isEqualTo(TaskState.AWAITING);
    follow();
    assertThat(stateOf(fails)).isEqualTo(TaskState.FAILED);

    redrive(fails.id(), dead.id());
    follow();
    assertThat(stateOf(fails)).isEqualTo(TaskState.AWAITING);
    end(begun(dead.id()), TaskState.SUCCEEDED);
    follow();
    assertThat(stateOf(fails)).isEqualTo(TaskState.NEW);
  }

  @Test
  void an_ended_batch_counts_as_if_it_ended_now() {
    BatchId batch = batch();
    end(processing(batch), TaskState.FAILED);
    tasks.closeBatch(batch);
    follow();

    NewTask goesOn = behind(batch, OnFailure.CONTINUE);
    NewTask fails = behind(batch, OnFailure.FAIL);
    assertThat(stateOf(goesOn)).isEqualTo(TaskState.ENQUEUED);
    assertThat(stateOf(fails)).isEqualTo(TaskState.AWAITING);
    follow();
    assertThat(stateOf(fails)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_task_may_wait_for_batches_and_tasks() {
    BatchId one = batch();
    BatchId other = batch();
    FencedTask first = processing();
    NewTask join = task(micros(-60));
    store(
        new InsertRequest(
            List.of(ArrivingTask.withoutIdempotency(join, true)),
            List.of(
                new GraphEdge(one.asPredecessor(), join.id(), OnFailure.FAIL),
                new GraphEdge(first.id(), join.id(), OnFailure.FAIL),
                new GraphEdge(other.asPredecessor(), join.id(), OnFailure.CONTINUE))));
    tasks.closeBatch(one);
    follow();
    end(first, TaskState.SUCCEEDED);
    follow();
    assertThat(stateOf(join)).isEqualTo(TaskState.AWAITING);
    tasks.closeBatch(other);
    follow();

    assertThat(stateOf(join)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_sweep_of_edges_leaves_those_alone_that_wait_for_a_batch() {
    BatchId open = batch();
    NewTask waits = behind(open, OnFailure.FAIL);
    BatchId failed = batch();
    NewTask blocks = behind(failed, OnFailure.BLOCK);
    end(processing(failed), TaskState.FAILED);
    tasks.closeBatch(failed);
    follow();

    tasks.sweepEdges(Optional.empty(), MANY);
    follow();

    assertThat(stateOf(waits)).isEqualTo(TaskState.AWAITING);
    assertThat(stateOf(blocks)).isEqualTo(TaskState.AWAITING);
  }

  @Test
  void a_batch_that_does_not_take_a_task_refuses_the_whole_request() {
    BatchId open = batch();
    BatchId closed = batch();
    tasks.closeBatch(closed);
    BatchId ofPrint = ((BatchCreation.Stored) create(PRINT.handler(), null)).batch().id();
    BatchId unknown = new BatchId(newId().value());

    assertThat(refused(open, closed)).isEqualTo(BatchReason.CLOSED);
    assertThat(refused(open, ofPrint)).isEqualTo(BatchReason.OF_OTHER_HANDLER);
    tasks.closeBatch(ofPrint);
    assertThat(refused(open, ofPrint)).isEqualTo(BatchReason.OF_OTHER_HANDLER);
    assertThat(refused(open, unknown)).isEqualTo(BatchReason.UNKNOWN);
    assertThat(counts(open)).isEqualTo(BatchCounts.NONE);
    assertThat(membersOf(open)).isEmpty();
  }

  private BatchReason refused(BatchId first, BatchId second) {
    InsertResult result = store(request(List.of(dueTask(first), dueTask(second)), List.of()));
    InsertResult.NotInBatch refusal = (InsertResult.NotInBatch) result;
    assertThat(refusal.index()).isEqualTo(1);
    assertThat(refusal.batch()).isEqualTo(second);
    return refusal.reason();
  }

  @Test
  void a_refusal_of_one_request_leaves_the_others_of_its_call_alone() {
    BatchId open = batch();
    BatchId closed = batch();
    tasks.closeBatch(closed);

    List<InsertResult> results =
        tasks.insert(
            NODE,
            List.of(
                request(List.of(dueTask(open)), List.of()),
                request(List.of(dueTask(closed)), List.of()),
                request(List.of(), List.of(dueTask(open), dueTask(open)))),
            ENQUEUE_TIMEOUT);

    assertThat(results.get(0)).isInstanceOf(InsertResult.Stored.class);
    assertThat(results.get(1)).isInstanceOf(InsertResult.NotInBatch.class);
    assertThat(results.get(2)).isInstanceOf(InsertResult.Stored.class);
    assertThat(counts(open).total()).isEqualTo(3);
    assertThat(counts(closed).total()).isZero();
  }

  @Test
  void a_duplicate_joins_no_batch_and_a_replaced_task_stays_in_its_own() {
    BatchId first = batch();
    BatchId second = batch();
    NewTask stored = dueTask(first);
    assertThat(store(once(stored, TaskIdempotency.OnConflict.KEEP)))
        .isInstanceOf(InsertResult.Stored.class);

    store(once(dueTask(second), TaskIdempotency.OnConflict.KEEP));
    store(once(dueTask(second), TaskIdempotency.OnConflict.REPLACE));

    assertThat(counts(first).total()).isEqualTo(1);
    assertThat(counts(second).total()).isZero();
    assertThat(view(stored.id()).batch()).isEqualTo(first);
    tasks.cancel(stored.id());
    assertThat(counts(first)).isEqualTo(new BatchCounts(1, 0, 0, 1, 0));
  }

  private static InsertRequest once(NewTask task, TaskIdempotency.OnConflict onConflict) {
    return new InsertRequest(
        List.of(
            new ArrivingTask(
                task,
                false,
                new TaskIdempotency("once", new TaskIdempotency.Window.Forever(), onConflict))));
  }

  @Test
  void a_cancel_cancels_what_has_not_ended_by_bounded_calls() {
    BatchId batch = batch();
    BatchId other = batch();
    FencedTask performed = processing(batch);
    end(processing(batch), TaskState.SUCCEEDED);
    List<NewTask> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(storedWaiting(task(micros(3600)).inBatch(batch)));
    }
    NewTask spared = storedWaiting(task(micros(3600)).inBatch(other));
    tasks.closeBatch(batch);

    BatchCancel first = tasks.cancelBatch(batch, null, 4);
    assertThat(first).isEqualTo(new BatchCancel(4, waiting.get(1).id()));
    BatchCancel second = tasks.cancelBatch(batch, first.next(), 4);
    assertThat(second).isEqualTo(new BatchCancel(2, null));
    assertThat(tasks.cancelBatch(batch, null, 4)).isEqualTo(new BatchCancel(0, null));

    assertThat(view(performed).progress().cancelRequested()).isTrue();
    assertThat(counts(batch)).isEqualTo(new BatchCounts(7, 1, 0, 5, 0));
    assertThat(stateOf(spared)).isEqualTo(TaskState.NEW);
    end(performed, TaskState.CANCELLED);
    follow();
    assertThat(look(batch).end()).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void tasks_are_listed_by_their_batch() {
    BatchId batch = batch();
    FencedTask succeeded = processing(batch);
    end(succeeded, TaskState.SUCCEEDED);
    FencedTask performed = processing(batch);
    NewTask waits = storedWaiting(dueTask(batch));
    storeWaiting(task(micros(0)), dueTask(batch()));

    assertThat(membersOf(batch)).containsExactly(waits.id(), performed.id(), succeeded.id());
    assertThat(listed(batch, EnumSet.of(TaskState.NEW), null, 9).tasks())
        .extracting(TaskView::id)
        .containsExactly(waits.id());
    TaskListing page = listed(batch, EnumSet.allOf(TaskState.class), null, 2);
    assertThat(page.tasks()).extracting(TaskView::id).containsExactly(waits.id(), performed.id());
    assertThat(listed(batch, EnumSet.allOf(TaskState.class), page.next(), 2).tasks())
        .extracting(TaskView::id)
        .containsExactly(succeeded.id());
  }

  private List<TaskId> membersOf(BatchId batch) {
    return listed(batch, EnumSet.allOf(TaskState.class), null, MANY).tasks().stream()
        .map(TaskView::id)
        .toList();
  }

  private TaskListing listed(
      BatchId batch, Set<TaskState> states, @Nullable TaskId before, int limit) {
    return tasks.list(
        new ListQuery(
            null,
            null,
            null,
            states,
            null,
            null,
            before,
            limit,
            new ListQuery.Search(null, 0, "", "", null, null, "", null, null, batch)));
  }

  @Test
  void a_head_that_is_tried_again_has_not_ended() {
    OrderingKey key = new OrderingKey("key");
    tasks.setKeyPolicy(
        MAIL.handler(),
        new OrderingKeyPolicy(new OrderingKeyPolicy.Ordered(OrderingKeyPolicy.OnDead.BLOCK), null));
    BatchId batch = batch();
    NewTask head = task(mail, micros(-60), TaskDetails.of(new byte[1]).withKey(key)).inBatch(batch);
    storeWaiting(head);
    FencedTask performed = performedHead();
    end(performed, TaskState.DEAD);
    tasks.closeBatch(batch);
    follow();
    assertThat(look(batch).end()).isEqualTo(TaskState.FAILED);

    tasks.retryHead(MAIL.handler(), key, null);

    assertThat(counts(batch)).isEqualTo(new BatchCounts(1, 0, 0, 0, 0));
    assertThat(look(batch).end()).isNull();
    end(performedHead(), TaskState.SUCCEEDED);
    follow();
    assertThat(look(batch).end()).isEqualTo(TaskState.SUCCEEDED);
  }

  private FencedTask performedHead() {
    EnqueuedTask due = enqueue(NODE).getFirst();
    TaskClaim claim = new TaskClaim(due.task(), due.queue(), WORKER, due.keyId());
    assertThat(tasks.claim(List.of(claim), LEASE).claimed()).containsExactly(due.task());
    return due.task().next();
  }

  @Test
  void ended_batches_are_pruned_with_their_entries_and_unfinished_ones_stay() {
    BatchId ended = batch();
    end(processing(ended), TaskState.SUCCEEDED);
    end(processing(ended), TaskState.SUCCEEDED);
    tasks.closeBatch(ended);
    BatchId open = batch();
    end(processing(open), TaskState.SUCCEEDED);
    BatchId failed = batch();
    FencedTask dead = processing(failed);
    end(dead, TaskState.DEAD);
    tasks.closeBatch(failed);
    follow();
    NewTask blocks = behind(failed, OnFailure.BLOCK);
    follow();
    stores.letPass(Duration.ofDays(2));

    assertThat(tasks.pruneBatches(TaskState.SUCCEEDED, Duration.ofDays(3), MANY)).isZero();
    assertThat(tasks.pruneBatches(TaskState.SUCCEEDED, Duration.ofDays(1), MANY)).isPositive();
    assertThat(tasks.findBatch(ended)).isEmpty();
    assertThat(tasks.findBatch(open)).isPresent();
    assertThat(tasks.findBatch(failed)).isPresent();

    tasks.pruneBatches(TaskState.FAILED, Duration.ofDays(1), MANY);
    redrive(dead.id());
    end(begun(dead.id()), TaskState.SUCCEEDED);
    tasks.sweepEdges(Optional.empty(), MANY);
    follow();
    assertThat(tasks.findBatch(failed)).isEmpty();
    assertThat(stateOf(blocks)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_batch_that_is_being_pruned_does_not_reopen() {
    BatchId failed = batch();
    List<FencedTask> dead = List.of(processing(failed), processing(failed), processing(failed));
    dead.forEach(one -> end(one, TaskState.DEAD));
    tasks.closeBatch(failed);
    follow();
    stores.letPass(Duration.ofDays(2));

    assertThat(tasks.pruneBatches(TaskState.FAILED, Duration.ofDays(1), 2)).isPositive();
    redrive(dead.getFirst().id());
    follow();
    while (tasks.pruneBatches(TaskState.FAILED, Duration.ofDays(1), 2) > 0) {
      // until it is gone
    }

    assertThat(tasks.findBatch(failed)).isEmpty();
    end(begun(dead.getFirst().id()), TaskState.SUCCEEDED);
    follow();
  }

  @Test
  void counts_are_the_truth_after_any_operations() {
    for (int seed = 0; seed < SEEDS; seed++) {
      start_fresh();
      agree(new Random(seed), "seed " + seed);
    }
  }

  private void agree(Random random, String seed) {
    List<BatchId> batches = List.of(batch(), batch(), batch());
    Map<TaskId, BatchId> members = new HashMap<>();
    List<FencedTask> performed = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      BatchId batch = batches.get(random.nextInt(batches.size()));
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          NewTask task = dueTask(batch);
          if (store(request(List.of(), List.of(task))) instanceof InsertResult.Stored) {
            members.put(task.id(), batch);
          }
        }
        case 3 ->
            enqueue(NODE, Map.of(mail, 2), PLENTY_BYTES, Duration.ZERO)
                .forEach(one -> performed.add(claimed(one.task(), WORKER)));
        case 4, 5 -> {
          if (!performed.isEmpty()) {
            TaskState[] ends = {
              TaskState.SUCCEEDED, TaskState.FAILED, TaskState.DEAD, TaskState.CANCELLED
            };
            end(
                performed.remove(random.nextInt(performed.size())),
                ends[random.nextInt(ends.length)]);
          }
        }
        case 6 ->
            tasks.redrive(
                new RedriveRequest(
                    new RedriveRequest.Filter(null, RedriveRequest.REDRIVABLE, null, "", null),
                    null,
                    Duration.ZERO,
                    1 + random.nextInt(3)));
        case 7 -> {
          if (!members.isEmpty()) {
            tasks.cancel(List.copyOf(members.keySet()).get(random.nextInt(members.size())));
          }
        }
        case 8 -> tasks.countBatches(1 + random.nextInt(3));
        default -> {
          if (random.nextInt(12) == 0) {
            tasks.closeBatch(batch);
          }
        }
      }
      batches.forEach(one -> assertThat(counts(one)).as(seed).isEqualTo(recount(one, members)));
    }
    batches.forEach(tasks::closeBatch);
    follow();
    for (BatchId batch : batches) {
      BatchCounts counts = recount(batch, members);
      assertThat(look(batch).end())
          .as(seed)
          .isEqualTo(counts.unfinished() == 0 ? counts.end() : null);
    }
  }

  private BatchCounts recount(BatchId batch, Map<TaskId, BatchId> members) {
    BatchCounts counts = BatchCounts.NONE;
    for (Map.Entry<TaskId, BatchId> member : members.entrySet()) {
      if (member.getValue().equals(batch)) {
        TaskState state = view(member.getKey()).state();
        counts = counts.joined(1);
        counts = state.isFinished() ? counts.ended(state, 1) : counts;
      }
    }
    return counts;
  }
}
